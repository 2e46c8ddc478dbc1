"""Media specs: spec IDs, what they resolve to, and how media types are read.

Source: the third source document (built-in and domain-specific IDs, resolution in five steps, binary detection).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.names import near
from verigate.domain.standard import STANDARD

_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_CAPNS = "https://capns.org/schema/"


class MediaSpecError(ValueError):
    """A spec ID or media spec string that can't be used; the message says which and what is near."""


class MediaSpec(Struct, frozen=True):
    """A resolved spec. ``schema`` is a JSON Schema or None; ``origin`` is ``table`` or ``built-in``."""

    spec_id: str
    media_type: str
    profile_uri: str | None = None
    schema: Mapping[str, Any] | None = None
    origin: str = "built-in"

    @property
    def is_binary(self) -> bool:
        """Binary detection as listed in the third source document."""
        return is_binary(self.media_type)

    @property
    def is_json(self) -> bool:
        """``application/json`` or any ``+json`` type (RFC 6839)."""
        return self.media_type == "application/json" or self.media_type.endswith("+json")


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
    head, *parameters = (part.strip() for part in text.split(";"))
    media_type = head.lower()
    if not _MEDIA_TYPE.fullmatch(media_type):
        raise MediaSpecError(f"{text!r} has no media type of the form type/subtype")
    profile: str | None = None
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        if not equals:
            raise MediaSpecError(f"parameter {parameter!r} of {text!r} has no value")
        if name.strip().lower() == "profile":
            profile = value.strip().strip('"')
    return media_type, profile


def _builtin() -> dict[str, MediaSpec]:
    text = {"string": "str", "integer": "int", "number": "num", "boolean": "bool"}
    json_types = {"object": "obj"} | {f"{name}-array": f"{short}-array" for name, short in text.items()}
    json_types["object-array"] = "obj-array"
    specs = [MediaSpec(f"media:{name}", "text/plain", _CAPNS + short) for name, short in text.items()]
    specs += [MediaSpec(f"media:{name}", "application/json", _CAPNS + short) for name, short in json_types.items()]
    specs.append(MediaSpec("media:binary", "application/octet-stream"))
    fgnd = "https://filegrind.com/schema/"
    specs += [
        MediaSpec("fgnd:listing-id.v1", "text/plain", fgnd + "listing-id"),
        MediaSpec("fgnd:task-id.v1", "text/plain", fgnd + "task-id"),
        MediaSpec("fgnd:file-path-array.v1", "application/json", fgnd + "file-path-array"),
    ]
    capns = (
        "extract-metadata-output extract-outline-output disbound-pages generated-text embeddings "
        "structured-query-output questions-array download-output load-output unload-output model-list "
        "status-output contents-output"
    )
    specs += [MediaSpec(f"media:{name}", "application/json") for name in capns.split()]
    specs += [
        MediaSpec(item.media_spec, "text/x-diff" if item.path.endswith(".patch") else "application/json")
        for item in STANDARD
    ]
    return {spec.spec_id: spec for spec in specs}


BUILTIN: Mapping[str, MediaSpec] = _builtin()


def resolve(spec_id: str, table: Mapping[str, Any], *, table_name: str = "media_specs") -> MediaSpec:
    """Resolve a spec ID in the five steps of the third source document; never guesses.

    ``table`` is the declaring document's ``media_specs``. Raises MediaSpecError naming the table and the nearest IDs.
    """
    if spec_id in table:
        return _from_table(spec_id, table[spec_id])
    if spec_id in BUILTIN:
        return BUILTIN[spec_id]
    found = near(spec_id, [*table, *BUILTIN])
    hint = f"; nearest: {', '.join(found)}" if found else ""
    raise MediaSpecError(f"spec ID {spec_id!r} is neither in {table_name} nor built in{hint}")


def _from_table(spec_id: str, entry: Any) -> MediaSpec:
    if isinstance(entry, str):
        media_type, profile = parse_media_spec(entry)
        return MediaSpec(spec_id, media_type, profile, origin="table")
    if not isinstance(entry, Mapping) or not isinstance(entry.get("media_type"), str):
        raise MediaSpecError(f"media_specs entry {spec_id!r} is neither a string nor an object with a media_type")
    media_type, inline_profile = parse_media_spec(entry["media_type"])
    return MediaSpec(spec_id, media_type, entry.get("profile_uri", inline_profile), entry.get("schema"), "table")
