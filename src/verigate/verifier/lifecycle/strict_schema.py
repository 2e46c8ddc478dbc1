"""Adapt a JSON Schema to strict providers: every property is required, optional ones may be null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def require_all_properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with all properties of each object required, at any depth."""
    made: dict[str, Any] = dict(schema)
    if isinstance(made.get("properties"), Mapping):
        properties = {name: _require_inner(value) for name, value in made["properties"].items()}
        made |= {"properties": properties, "required": list(properties)}
    if "items" in made:
        made["items"] = _require_inner(made["items"])
    return made


def _require_inner(schema: Any) -> Any:
    return require_all_properties(schema) if isinstance(schema, Mapping) else schema
