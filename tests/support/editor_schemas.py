"""Writes the schema that editors use for TOML below ``adapters/``; a test holds it equal.

A file there is a tool adapter (``[adapter]``) or a cap definition (``[urn.tags]``), which a path doesn't tell apart:
one schema asks for the table, and holds both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from verigate.config.schemas import bundle_schema

FILE = Path(__file__).parents[2] / "schemas" / "adapter-toml.schema.json"


def toml_schema() -> dict[str, Any]:
    """The schema of any TOML that declares something for the gate."""
    parts = {kind: _move(bundle_schema(kind), f"#/$defs/{kind}") for kind in ("adapter", "cap")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tool adapter or cap definition",
        "if": {"required": ["urn"]},
        "then": {"$ref": "#/$defs/cap"},
        "else": {"$ref": "#/$defs/adapter"},
        "$defs": parts,
    }


def _move(value: Any, place: str) -> Any:
    """The same schema as a part of another: its references begin at ``place``, and it has no address of its own."""
    if isinstance(value, dict):
        return {
            key: f"{place}{item[1:]}"
            if key == "$ref" and isinstance(item, str) and item.startswith("#")
            else _move(item, place)
            for key, item in value.items()
            if not (key in {"$id", "$schema"} and isinstance(item, str))
        }
    return [_move(item, place) for item in value] if isinstance(value, list) else value


def text() -> str:
    """The text of the file."""
    return json.dumps(toml_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
