"""Where a program's credentials come from: the name of a variable or of a file, and never what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.verifier.program import Program


def find_credentials_source(program: Program, environ: Mapping[str, str]) -> str | None:
    """The first of its sources that is there, None without one."""
    home = environ.get("HOME", "")
    for source in program.credentials:
        if source.startswith("~/"):
            if home and (Path(home) / source.removeprefix("~/")).is_file():
                return source
        elif environ.get(source, "").strip():
            return source
    return None
