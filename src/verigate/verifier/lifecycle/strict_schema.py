"""A JSON Schema as strict providers want it: every property is required. Those that may be left out may be null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def every_property_required(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with all properties of each object required, at any depth."""
    made: dict[str, Any] = dict(schema)
    if isinstance(made.get("properties"), Mapping):
        properties = {name: _inner(value) for name, value in made["properties"].items()}
        made |= {"properties": properties, "required": list(properties)}
    if "items" in made:
        made["items"] = _inner(made["items"])
    return made


def _inner(schema: Any) -> Any:
    return every_property_required(schema) if isinstance(schema, Mapping) else schema
