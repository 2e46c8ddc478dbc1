"""Read the configuration files of hook managers: bounded YAML, JSON or TOML, with any content."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from verigate.errors import UsageError

_MAX_BYTES = 1 << 20


def read_configuration(path: Path, *, what: str, look: str) -> dict[Any, Any]:
    """Read the document in ``path``; an empty one if it is not a mapping.

    ``what`` names the file in messages, ``look`` is the command that shows its faults. Raises UsageError for one that
    can't be read.
    """
    import yaml

    try:
        with path.open("rb") as stream:
            text = stream.read(_MAX_BYTES + 1).decode("utf-8")
        if len(text) > _MAX_BYTES:
            raise UsageError(f"{what} has more than {_MAX_BYTES} bytes", where=str(path))
        # JSON is YAML.
        document = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as problem:
        raise UsageError(
            f"{what} can't be read: {type(problem).__name__}", where=str(path), hint=f"run {look}"
        ) from None
    return document if isinstance(document, dict) else {}
