"""The configuration files of hook managers: bounded, YAML, JSON or TOML, and whatever somebody wrote there."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from verigate.errors import UsageError

_MAX_BYTES = 1 << 20


def read_configuration(path: Path, *, what: str, look: str) -> dict[Any, Any]:
    """The document in ``path``; an empty one where it is no mapping.

    ``what`` names the file in messages, ``look`` is the command that shows what is wrong with it. Raises UsageError
    for one that can't be read.
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
            f"{what} can't be read: {type(problem).__name__}", where=str(path), hint=f"look at it with: {look}"
        ) from None
    return document if isinstance(document, dict) else {}
