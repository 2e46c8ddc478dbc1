"""Render what a media spec ID resolves to, and the capabilities that match a URN."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verigate.domain.media_lookup import Meaning
from verigate.domain.spec_id import parse
from verigate.domain.urn.find import UrnProvider
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, format_table, wrap
from verigate.reporting.palette import Palette

MEDIA_SCHEMA = "verigate:media-report.v1"
MATCHES_SCHEMA = "verigate:capabilities-report.v1"

SchemaOf = Callable[[str], Mapping[str, Any] | None]
"""Standard spec ID -> the gate's own schema for it."""


def _list_schemas(meaning: Meaning, schema_of: SchemaOf) -> list[Mapping[str, Any]]:
    """The gate's own schema and the schema of the table: values must satisfy both."""
    own = schema_of(meaning.spec.spec_id)
    return [schema for schema in (own, meaning.spec.schema) if schema is not None]


def media_document(spec_id: str, meanings: Sequence[Meaning], schema_of: SchemaOf) -> dict[str, Any]:
    """The JSON document of ``gate media --json``."""
    return {
        "schema": MEDIA_SCHEMA,
        "id": spec_id,
        "canonical": str(parse(spec_id).canonical),
        "meanings": [
            {
                "found_as": meaning.spec.found_as or meaning.spec.spec_id,
                "description": meaning.spec.description,
                "media_type": meaning.spec.media_type,
                "profile_uri": meaning.spec.profile_uri,
                "binary": meaning.spec.is_binary,
                "schemas": _list_schemas(meaning, schema_of),
                "origin": meaning.spec.origin,
                "step": meaning.spec.step,
                "adapter": meaning.adapter,
                "file": meaning.file,
            }
            for meaning in meanings
        ],
    }


def render_media(
    spec_id: str, meanings: Sequence[Meaning], schema_of: SchemaOf, *, colour: bool = False, width: int = 100
) -> str:
    """Render the resolutions of a spec ID as text."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    lines = [palette.paint(escape(spec_id, limit=200), "bold")]
    for meaning in meanings:
        lines.append("")
        for name, value in _describe_spec(spec_id, meaning):
            lines += wrap(escape(value, limit=600), width, indent=" " * 14, first=f"  {name:<12}")
        shapes = _list_schemas(meaning, schema_of)
        if not shapes:
            lines.append(f"  {'schema':<12}none: any {_content_kind(meaning)} is accepted")
        for schema in shapes:
            text = json.dumps(schema, indent=2, ensure_ascii=False)
            lines += ["  schema", *(f"    {escape(line, limit=300)}" for line in text.splitlines())]
    return "\n".join(lines) + "\n"


def _describe_spec(spec_id: str, meaning: Meaning) -> list[tuple[str, str]]:
    spec = meaning.spec
    rows = []
    if spec.found_as is not None:
        more = " and ".join(parse(spec_id).canonical.tags)
        rows.append(("is", spec.found_as + (f", refined by {more}" if more else "")))
    if spec.description:
        rows.append(("description", spec.description))
    rows.append(("media type", spec.media_type))
    rows.append(("profile", spec.profile_uri or "none"))
    rows.append(("binary", "yes: a file is its bytes, a value inside JSON is base64" if spec.is_binary else "no"))
    rows.append(("resolved by", meaning.step))
    if meaning.file is not None:
        rows.append(("table", f"media_specs of {meaning.adapter}: {meaning.file}"))
    return rows


def _content_kind(meaning: Meaning) -> str:
    spec = meaning.spec
    return "JSON" if spec.is_json else "text in UTF-8" if spec.is_text else "file"


def matches_document(request: str, found: Sequence[UrnProvider]) -> dict[str, Any]:
    """The JSON document of ``gate adapters --urn --json``."""
    return {
        "schema": MATCHES_SCHEMA,
        "urn": request,
        "capabilities": [
            {
                "name": each.capability.name,
                "urn": str(each.urn),
                "adapter": each.manifest.name,
                "origin": each.manifest.origin.value,
                "distance": each.distance,
                "tied": each.tied,
                "shadowed": each.shadowed,
            }
            for each in found
        ],
    }


def render_matches(
    request: str, found: Sequence[UrnProvider], declared: int, *, colour: bool = False, width: int = 100
) -> str:
    """Render the capabilities that match a URN, best first; ``declared`` counts all capabilities with a URN."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    if not found:
        return f"none of the {declared} capabilities with a URN may serve {escape(request, limit=300)}\n"
    rows = [
        (
            escape(each.capability.name, limit=60),
            f"{escape(each.manifest.name, limit=40)} ({each.manifest.origin.value})",
            _format_distance(each),
        )
        for each in found
    ]
    head, *body = format_table(("capability", "adapter", "distance"), rows, width)
    lines = [palette.paint(head, "bold")]
    for line, each in zip(body, found, strict=True):
        lines += [line, palette.paint(f"  {escape(str(each.urn), limit=1000)}", "dim")]
    if any(each.tied for each in found):
        lines += ["", "tied: several capabilities match equally well, and none is chosen"]
    return "\n".join(lines) + "\n"


def _format_distance(each: UrnProvider) -> str:
    words = ["exact" if each.distance == 0 else f"{each.distance:+d}"]
    words += ["tied"] if each.tied else []
    words += ["shadowed"] if each.shadowed else []
    return ", ".join(words)
