"""Find the source of a program's credentials: the name of a variable or a file, never its value.

A file is a source only if it holds something: a program makes empty ones, and so does the gate for its trust.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.formats.pointer import resolve
from verigate.verifier.program import Program

_MAX_BYTES = 1024 * 1024


def find_credentials_source(program: Program, environ: Mapping[str, str]) -> str | None:
    """Return the first source that holds something, None if there is none."""
    home = environ.get("HOME", "")
    for source in program.credentials:
        if source.startswith("~/"):
            file, _, pointer = source.partition("#")
            if home and _holds_something(Path(home) / file.removeprefix("~/"), pointer):
                return file
        elif environ.get(source, "").strip():
            return source
    return None


def _holds_something(path: Path, pointer: str) -> bool:
    """Whether a file holds a text other than blanks; JSON and TOML a value, at ``pointer`` if that isn't empty."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return False
        text = path.read_text("utf-8", "strict")
        if path.suffix not in {".json", ".toml"}:
            return bool(text.strip())
        document = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        return _has_text(resolve(document, pointer))
    except (OSError, ValueError, LookupError, RecursionError):
        return False


def _has_text(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_text, value.values()))
    if isinstance(value, list):
        return any(map(_has_text, value))
    return isinstance(value, str) and bool(value.strip())
