"""What a user says about engines: ``engines.json`` in his own configuration, never in a repository's.

An engine starts programs outside of the sandbox, with the user's credentials. A repository chooses one and its model;
how it is started, and with what, isn't a repository's to say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.engine import engine_type
from verigate.errors import UsageError
from verigate.verifier.programs.options import SOURCE

VARIABLE = "GATE_ENGINES"
_FILE = "engines.json"


def configuration_folder(environ: Mapping[str, str]) -> Path | None:
    """The user's own folder for the gate; None where he has no home."""
    given = environ.get("XDG_CONFIG_HOME", "")
    if given.startswith("/"):
        return Path(given) / "verigate"
    home = environ.get("HOME", "")
    return Path(home) / ".config" / "verigate" if home.startswith("/") else None


def options_file(environ: Mapping[str, str]) -> Path | None:
    """The file: ``$GATE_ENGINES``, else ``engines.json`` in the user's folder; None where neither is to be had."""
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    folder = configuration_folder(environ)
    return None if folder is None else folder / _FILE


def read_options(environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The options of each engine that the file names, by type; none without a file. Raises UsageError."""
    path = options_file(environ)
    if path is None or (VARIABLE not in environ and not path.exists()):
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
        engine_type(name): {**value, SOURCE: f"{path} /{name}"} for name, value in document.items() if name != "$schema"
    }
