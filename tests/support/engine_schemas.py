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
from verigate.verifier.http.server import HttpOptions
from verigate.verifier.lifecycle.options import Options
from verigate.verifier.lifecycle.skill import Runner
from verigate.verifier.plugins import EngineManifest, HttpManifest

FOLDER = Path(schemas.__file__).parent / "schemas"
_REF = "#/$defs/{name}"


def _head(name: str, title: str, description: str) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://verigate.invalid/schemas/{name}.v1.json",
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
    _, definitions = msgspec.json.schema_components([EngineManifest, HttpManifest], ref_template=_REF)
    definitions = _plain(definitions)
    top = definitions.pop("EngineManifest")
    definitions.pop("HttpManifest")
    top.pop("title")
    top["properties"]["$schema"] = {"type": "string"}
    # By the kind, so that a fault is shown where it is and not as one of two.
    is_http = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "http"}}}
    program, server = ({"$ref": _REF.format(name=name)} for name in ("Program", "HttpServer"))
    top["properties"]["engine"] = {"if": is_http, "then": server, "else": program}
    return {
        **_head("engine", "manifest.json of an engine", "A program or a server that is an engine, as data."),
        **top,
        "$defs": definitions,
    }


def engines() -> dict[str, Any]:
    """The user's options, by engine."""
    options, server = (_plain(msgspec.json.schema(kind))["$defs"][kind.__name__] for kind in (Options, HttpOptions))
    options.pop("title")
    server["properties"].pop("source")
    for name, wanted in server["properties"].items():
        assert options["properties"].setdefault(name, wanted) == wanted, name
    instructions = options["properties"].pop("instructions")
    options["properties"].pop("source")
    options["properties"]["instructionsFilePath"] = instructions
    # Engines of packages have options of their own.
    options["additionalProperties"] = True
    head = _head("engines", "engines.json", "What a user says about engines: options by engine.")
    properties = {"$schema": {"type": "string"}}
    return {**head, "type": "object", "properties": properties, "additionalProperties": options}


def runner() -> dict[str, Any]:
    """A skill's ``assets/runner.json``."""
    made = _plain(msgspec.json.schema(Runner))
    definitions = made["$defs"]
    top = definitions.pop("Runner")
    top.pop("title")
    top["properties"]["$schema"] = {"type": "string"}
    head = _head("runner", "assets/runner.json", "What a skill declares: prompt, inputs, parameters, artifacts.")
    return {**head, **top, "$defs": definitions}


ALL = {"engine": engine, "engines": engines, "runner": runner}


def text(name: str) -> str:
    """The content of the schema's file."""
    return json.dumps(ALL[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in ALL:
        (FOLDER / f"{name}.v1.schema.json").write_text(text(name))
    sys.stdout.write("written\n")
