"""The built-in spec IDs of the third source document: media type, profile URI and, where it says one, the shape.

A profile URI is a name and never fetched. The shapes are those that the descriptions give: ``media:integer`` is an
integer, ``fgnd:listing-id.v1`` a UUID. The domain-specific outputs have no shape there, and get none here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_CAPNS = "https://capns.org/schema/"
_FGND = "https://filegrind.com/schema/"
_UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"


class BuiltInSpec(Struct, frozen=True):
    """One built-in spec ID."""

    spec_id: str
    media_type: str
    profile_uri: str | None = None
    schema: Mapping[str, Any] | None = None


_TYPES = {"string": "str", "integer": "int", "number": "num", "boolean": "bool", "object": "obj"}
_SCALARS = ("string", "integer", "number", "boolean")

PRIMITIVES: tuple[BuiltInSpec, ...] = (
    *(
        BuiltInSpec(
            f"media:{name}", "text/plain" if name in _SCALARS else "application/json", _CAPNS + short, {"type": name}
        )
        for name, short in _TYPES.items()
    ),
    *(
        BuiltInSpec(
            f"media:{name}-array",
            "application/json",
            f"{_CAPNS}{short}-array",
            {"type": "array", "items": {"type": name}},
        )
        for name, short in _TYPES.items()
    ),
    BuiltInSpec("media:binary", "application/octet-stream"),
)

_OUTPUTS = (
    "extract-metadata-output extract-outline-output disbound-pages generated-text embeddings structured-query-output "
    "questions-array download-output load-output unload-output model-list status-output contents-output"
)

WELL_KNOWN: tuple[BuiltInSpec, ...] = (
    BuiltInSpec("fgnd:listing-id.v1", "text/plain", f"{_FGND}listing-id", {"type": "string", "pattern": _UUID}),
    BuiltInSpec("fgnd:task-id.v1", "text/plain", f"{_FGND}task-id", {"type": "string", "pattern": _UUID}),
    BuiltInSpec(
        "fgnd:file-path-array.v1",
        "application/json",
        f"{_FGND}file-path-array",
        {"type": "array", "items": {"type": "string", "minLength": 1}},
    ),
    *(BuiltInSpec(f"media:{name}", "application/json") for name in _OUTPUTS.split()),
)

PROFILES: Mapping[str, Mapping[str, Any]] = {
    item.profile_uri: item.schema for item in (*PRIMITIVES, *WELL_KNOWN) if item.profile_uri and item.schema
}
"""Shapes by profile URI: a table entry with one of these URIs has that type."""


def resolve_shape(schema: Any, profile_uri: str | None) -> Mapping[str, Any] | None:
    """Return the JSON Schema of a table's entry: its own, else that of the built-in profile."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema if isinstance(schema, Mapping) else PROFILES.get(profile_uri or "")
