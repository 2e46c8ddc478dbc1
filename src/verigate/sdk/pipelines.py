"""Which files CI systems read, and the commands in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.pipelines import is_pipeline

__all__ = ["is_pipeline", "list_scripts", "walk_tables"]

_COMMANDS = ("run", "script", "command", "commands")


def list_scripts(pipeline: Any) -> Iterator[tuple[str, str]]:
    """Yield each script of each step, and the folder that it starts in, as it is written there; "" without."""
    for table in walk_tables(pipeline):
        folder = table.get("working-directory", table.get("working_directory"))
        for key in _COMMANDS:
            texts = table.get(key)
            if isinstance(texts, list):
                texts = "\n".join(text for text in texts if isinstance(text, str))
            if isinstance(texts, str):
                yield texts, folder if isinstance(folder, str) else ""


def walk_tables(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every table of a loaded document; the loader has bounded their number."""
    stack = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, dict):
            yield current
            stack.extend(reversed(current.values()))
        elif isinstance(current, list):
            stack.extend(reversed(current))
