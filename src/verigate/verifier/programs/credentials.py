"""Find the source of a program's credentials: the name of a variable or a file, never its value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.verifier.program import Program


def find_credentials_source(program: Program, environ: Mapping[str, str]) -> str | None:
    """Return the first source that exists, None if there is none."""
    home = environ.get("HOME", "")
    for source in program.credentials:
        if source.startswith("~/"):
            if home and (Path(home) / source.removeprefix("~/")).is_file():
                return source
        elif environ.get(source, "").strip():
            return source
    return None
