"""Resolve spec IDs to media specs.

Source: the third source document (built-in and domain-specific IDs, resolution in five steps, binary detection).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.media_primitives import PRIMITIVES, PROFILES, WELL_KNOWN, resolve_shape
from verigate.domain.standard_artifacts import STANDARD
from verigate.formats.near_names import find_near

if TYPE_CHECKING:
    from verigate.domain.spec_id import SpecId

TABLE, BUILT_IN = "table", "built-in"
_BINARIES = frozenset({"media:binary", "media:bytes"})


class MediaSpecError(ValueError):
    """An unusable spec ID or media spec string; the message names it and similar ones."""


class MediaSpec(Struct, frozen=True):
    """A resolved spec. ``schema`` is a JSON Schema or None; ``origin`` is ``table`` or ``built-in``.

    ``found_as`` is the ID under which it was found, where ``spec_id`` is another spelling or a refinement of it;
    ``step`` is the last of the five steps: 2 built in, 4 from a string, 5 from an object. ``description`` is that of
    the object.
    """

    spec_id: str
    media_type: str
    profile_uri: str | None = None
    schema: Mapping[str, Any] | None = None
    origin: str = BUILT_IN
    found_as: str | None = None
    step: int = 2
    description: str = ""

    @property
    def is_binary(self) -> bool:
        """Whether values are bytes, by the rules of the third source document."""
        return is_binary(self.media_type)

    @property
    def is_json(self) -> bool:
        """``application/json`` or any ``+json`` type (RFC 6839)."""
        return self.media_type == "application/json" or self.media_type.endswith("+json")

    @property
    def is_text(self) -> bool:
        """Text in UTF-8 whose value is its content."""
        return self.media_type.startswith("text/") and self.media_type != "text/x-diff"


def is_binary(media_type: str) -> bool:
    """Whether values of this media type are bytes."""
    return (
        media_type.startswith(("image/", "audio/", "video/", "application/x-"))
        or media_type in {"application/octet-stream", "application/pdf"}
        or "+zip" in media_type
        or "+gzip" in media_type
    )


def parse_media_spec(text: str) -> tuple[str, str | None]:
    """``<media-type>; profile=<url>`` -> (media type in lower case, profile URI or None). Raises MediaSpecError."""
    from verigate.formats import media_type as media_types

    try:
        found = media_types.parse(text)
    except media_types.MediaTypeError as problem:
        raise MediaSpecError(str(problem)) from None
    charset = (found.parameter("charset") or "utf-8").lower()
    if found.essence.startswith("text/") and charset not in {"utf-8", "us-ascii"}:
        raise MediaSpecError(f"{text!r}: text is read as UTF-8, not as {charset!r}")
    return found.essence, found.parameter("profile") or None


def _list_builtin() -> dict[str, MediaSpec]:
    specs = [MediaSpec(item.spec_id, item.media_type, item.profile_uri, item.schema) for item in PRIMITIVES]
    specs += [MediaSpec(item.spec_id, item.media_type, item.profile_uri, item.schema) for item in WELL_KNOWN]
    specs += [
        MediaSpec(item.media_spec, "text/x-diff" if item.path.endswith(".patch") else "application/json")
        for item in STANDARD
    ]
    return {spec.spec_id: spec for spec in specs}


BUILTIN: Mapping[str, MediaSpec] = _list_builtin()


def resolve(spec_id: str, table: Mapping[str, Any], *, table_name: str = "media_specs") -> MediaSpec:
    """Resolve a spec ID in the five steps of the third source document; never guesses.

    ``table`` is the declaring document's ``media_specs``. An ID with ``;tag`` is what its base is, if that is binary.
    Raises MediaSpecError naming the table and the nearest IDs.
    """
    found = _look_up(spec_id, table, table_name)
    if found is not None:
        return found
    from verigate.domain import spec_id as spec_ids

    try:
        parsed = spec_ids.parse(spec_id)
    except spec_ids.SpecIdError as problem:
        raise MediaSpecError(f"{problem}{_suggest_nearest(spec_id, table)}") from None
    canonical = parsed.canonical
    spelled = tuple(known for known in table if ";" in known or known in _BINARIES)
    known = _index_canonical(spelled).get(canonical) if spelled else None
    if known is not None:
        return replace(_read_entry(known, table[known], table_name), spec_id=spec_id, found_as=known)
    if not canonical.tags and (plain := _look_up(str(canonical), table, table_name)) is not None:
        return replace(plain, spec_id=spec_id, found_as=str(canonical))
    if canonical.tags:
        return _refine(spec_id, parsed, table, table_name)
    raise MediaSpecError(_explain_unknown(spec_id, table, table_name))


def _look_up(spec_id: str, table: Mapping[str, Any], table_name: str) -> MediaSpec | None:
    if spec_id in table:
        return _read_entry(spec_id, table[spec_id], table_name)
    return BUILTIN.get(spec_id)


def _refine(spec_id: str, parsed: SpecId, table: Mapping[str, Any], table_name: str) -> MediaSpec:
    """Resolve an unlisted ID with tags by its base, if the base is binary."""
    written = _look_up(str(parsed.base), table, table_name)
    found = written if written is not None else _look_up(str(parsed.canonical.base), table, table_name)
    if found is None:
        raise MediaSpecError(_explain_unknown(spec_id, table, table_name))
    if not found.is_binary:
        raise MediaSpecError(
            f"{spec_id!r} refines {found.spec_id}, which is {found.media_type}; only binary IDs have tags"
        )
    return replace(found, spec_id=spec_id, found_as=found.spec_id)


@lru_cache(16)
def _index_canonical(spec_ids_of_table: tuple[str, ...]) -> Mapping[SpecId, str]:
    """Index the IDs of a table by canonical spelling; the first of two spellings counts."""
    from verigate.domain import spec_id as spec_ids

    found: dict[SpecId, str] = {}
    for text in spec_ids_of_table:
        with suppress(spec_ids.SpecIdError):
            found.setdefault(spec_ids.parse(text).canonical, text)
    return found


def list_builtin_ids() -> frozenset[str]:
    """Return the built-in IDs and their other spellings, as suggestions for an unknown ID."""
    return frozenset(BUILTIN) | _BINARIES


def _explain_unknown(spec_id: str, table: Iterable[str], table_name: str) -> str:
    return f"spec ID {spec_id!r} is neither in {table_name} nor built in{_suggest_nearest(spec_id, table)}"


def _suggest_nearest(spec_id: str, table: Iterable[str]) -> str:
    found = find_near(spec_id, {*table, *list_builtin_ids()})
    return f"; nearest: {', '.join(found)}" if found else ""


def _read_entry(spec_id: str, entry: Any, table_name: str) -> MediaSpec:
    if isinstance(entry, str):
        media_type, profile = parse_media_spec(entry)
        return MediaSpec(spec_id, media_type, profile, PROFILES.get(profile or ""), TABLE, None, 4)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("media_type"), str):
        raise MediaSpecError(f"{table_name} entry {spec_id!r} is neither a string nor an object with a media_type")
    media_type, inline = parse_media_spec(entry["media_type"])
    profile, schema = entry.get("profile_uri"), entry.get("schema")
    if profile is not None and not isinstance(profile, str):
        raise MediaSpecError(f"{table_name} entry {spec_id!r} has a profile_uri that is no string")
    if profile is not None and inline is not None and profile != inline:
        raise MediaSpecError(f"{table_name} entry {spec_id!r} names two profiles, {inline!r} and {profile!r}")
    profile = profile if profile is not None else inline
    described = str(entry.get("description") or "")
    return MediaSpec(spec_id, media_type, profile, resolve_shape(schema, profile), TABLE, None, 5, described)


def find_table_problems(table: Mapping[str, Any], *, table_name: str = "media_specs") -> list[tuple[str, str]]:
    """Return (spec ID, problem) for every unusable entry of a table, in order."""
    from verigate.domain import spec_id as spec_ids

    found: list[tuple[str, str]] = []
    seen: dict[SpecId, str] = {}
    for spec_id, entry in table.items():
        try:
            canonical = spec_ids.parse(spec_id).canonical
            if canonical in seen:
                found.append((spec_id, f"{spec_id!r} and {seen[canonical]!r} are two spellings of one spec ID"))
            seen[canonical] = spec_id
            _read_entry(spec_id, entry, table_name)
        except (spec_ids.SpecIdError, MediaSpecError) as problem:
            found.append((spec_id, str(problem)))
    return found
