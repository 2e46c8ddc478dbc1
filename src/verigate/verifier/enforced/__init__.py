"""The last layer of an engine's configuration as data: ``<engine>_enforced.json`` of the engines that ship.

The folder of an engine of others has such a file next to its manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.errors import UsageError

_SUFFIX = "_enforced.json"
_MAX_BYTES = 1024 * 1024


def read_shipped_enforced(engine: str) -> Mapping[str, Any]:
    """Read what ships for an engine: ``claude``, ``codex``, ``gemini``, ``iflow``, ``http``."""
    return _read(Path(__file__).parent / f"{engine}{_SUFFIX}")


def read_folder_enforced(folder: Path, engine: str) -> Mapping[str, Any] | None:
    """Read the file of an engine's folder, None if it has none. Raises UsageError for an unusable one.

    ``engine`` is its type; the file has that name without ``_cli``.
    """
    path = folder / f"{engine.removesuffix('_cli')}{_SUFFIX}"
    return _read(path) if path.is_file() else None


def _read(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            document = json.loads(file.read(_MAX_BYTES))
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=str(path)) from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"it is not JSON: {problem}", where=str(path)) from problem
    if not isinstance(document, dict):
        raise UsageError("it is no JSON object", where=str(path), hint="write a table of keys and values")
    return document
