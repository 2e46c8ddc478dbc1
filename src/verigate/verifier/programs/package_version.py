"""Read the version of a program from its npm package: starting the program to ask takes two seconds."""

from __future__ import annotations

import json
from pathlib import Path

_LEVELS = 4
"""Folders above a program that may hold its package.json: bin/, dist/bundle/."""


def read_packaged_version(program: str | None, package: str | None) -> str | None:
    """Return the version in the ``package.json`` above the program's real path, if that is ``package``; else None."""
    if program is None or package is None:
        return None
    for folder in Path(program).resolve().parents[:_LEVELS]:
        try:
            document = json.loads((folder / "package.json").read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(document, dict) and document.get("name") == package:
            version = document.get("version")
            return version if isinstance(version, str) else None
    return None
