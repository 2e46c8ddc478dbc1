"""The schemas of engines' files, made from the structs that read them; a test holds the package's copies equal.

``.venv/bin/python tests/support/engine_schemas.py`` writes them; then ``python -m verigate.config.schemas schemas``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from verigate.config import schemas
from verigate.verifier.lifecycle.options import Options
from verigate.verifier.plugins import EngineManifest

FOLDER = Path(schemas.__file__).parent / "schemas"


def _head(name: str, title: str, description: str) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://verigate.dev/schemas/{name}.v1.json",
        "title": title,
        "description": description,
    }


def _plain(value: Any) -> Any:
    """Without the docstrings, which are about Python."""
    if isinstance(value, dict):
        return {
            key: _plain(item) for key, item in value.items() if not (key == "description" and isinstance(item, str))
        }
    return [_plain(item) for item in value] if isinstance(value, list) else value


def engine() -> dict[str, Any]:
    """A folder's manifest of kind ``engine``."""
    made = _plain(msgspec.json.schema(EngineManifest))
    definitions = made["$defs"]
    top = definitions.pop("EngineManifest")
    top.pop("title")
    top["properties"]["$schema"] = {"type": "string"}
    return {
        **_head("engine", "manifest.json of an engine", "A program that is an engine, as data."),
        **top,
        "$defs": definitions,
    }


def engines() -> dict[str, Any]:
    """The user's options, by engine."""
    made = _plain(msgspec.json.schema(Options))
    options = made["$defs"]["Options"]
    options.pop("title")
    instructions = options["properties"].pop("instructions")
    options["properties"].pop("source")
    options["properties"]["instructionsFilePath"] = instructions
    # Engines of packages have options of their own.
    options["additionalProperties"] = True
    head = _head("engines", "engines.json", "What a user says about engines: options by engine.")
    properties = {"$schema": {"type": "string"}}
    return {**head, "type": "object", "properties": properties, "additionalProperties": options}


ALL = {"engine": engine, "engines": engines}


def text(name: str) -> str:
    """The content of the schema's file."""
    return json.dumps(ALL[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in ALL:
        (FOLDER / f"{name}.v1.schema.json").write_text(text(name))
    sys.stdout.write("written\n")
