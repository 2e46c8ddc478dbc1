"""Read the user's options for engines: ``engines.json`` in the user's folder, never in a repository.

An engine starts programs outside of the sandbox, with the user's credentials. A repository may choose the engine and
its model, but not how it is started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.engine import normalize_engine_type
from verigate.errors import UsageError
from verigate.user_folders import UserFolders
from verigate.verifier.lifecycle.options import SOURCE

VARIABLE = "GATE_ENGINES"
_FILE = "engines.json"


def find_options_file(environ: Mapping[str, str], repository: str | None) -> Path | None:
    """Return ``$GATE_ENGINES``, else ``engines.json`` in the user's configuration folder; None if neither is known.

    Raises UsageError if that folder's file is inside the repository.
    """
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    found = UserFolders(environ).config(_FILE)
    if found is None or not Path(found).exists():
        return None
    if UserFolders(environ, repository).config(_FILE) is None:
        raise UsageError(
            "the options of engines lie in the repository, which must not configure them",
            where=found,
            hint=f"set XDG_CONFIG_HOME to a folder outside of it, or {VARIABLE} to the file",
        )
    return Path(found)


def read_options(environ: Mapping[str, str], repository: str | None = None) -> dict[str, dict[str, Any]]:
    """Read the options of each engine in the file, by type; {} without a file. Raises UsageError."""
    path = find_options_file(environ, repository)
    if path is None:
        return {}
    try:
        document = json.loads(path.read_bytes())
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=str(path)) from problem
    except ValueError as problem:
        raise UsageError(f"it is not JSON: {problem}", where=str(path)) from problem
    if not isinstance(document, dict):
        raise UsageError("it is no JSON object of engines", where=str(path))
    bad = next((name for name, value in document.items() if not isinstance(value, dict) and name != "$schema"), None)
    if bad is not None:
        raise UsageError("the options of an engine are a JSON object", where=f"{path} /{bad}")
    return {
        normalize_engine_type(name): {**value, SOURCE: f"{path} /{name}"}
        for name, value in document.items()
        if name != "$schema"
    }
