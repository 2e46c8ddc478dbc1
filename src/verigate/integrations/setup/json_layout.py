"""Lay a file of configuration out as the repository's own formatter would: its linter may look at it as well.

Prettier and biome write an array of plain values in one line if it fits, else one value per line, and objects always
expanded. The indentation is that of the repository's package.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verigate.domain.profile import BASELINE_FILE

_WIDTH = 80
_SPACES = "  "


def lay_out(root: Path, path: str, content: str) -> str:
    """Return the content of a JSON file as it is written in this repository; any other file as it is."""
    if not path.endswith(".json") or path == BASELINE_FILE:
        return content
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return "".join(_render(value, _find_indent(root), 0, 0)) + "\n"


def _find_indent(root: Path) -> str:
    try:
        with (root / "package.json").open(encoding="utf-8", errors="replace") as stream:
            head = stream.read(400)
    except OSError:
        return _SPACES
    found = re.match(r"\{\r?\n([ \t]+)\"", head)
    return found[1] if found else _SPACES


def _render(value: Any, indent: str, depth: int, column: int) -> Iterator[str]:
    """Yield the parts of a value that starts at this column."""
    if isinstance(value, dict) and value:
        yield "{\n"
        for number, (name, member) in enumerate(value.items()):
            head = f"{indent * (depth + 1)}{_encode(name)}: "
            yield head
            yield from _render(member, indent, depth + 1, len(head.expandtabs(2)))
            yield ",\n" if number < len(value) - 1 else "\n"
        yield f"{indent * depth}}}"
    elif isinstance(value, list) and value and not _fits(value, column):
        yield "[\n"
        for number, member in enumerate(value):
            yield indent * (depth + 1)
            yield from _render(member, indent, depth + 1, len(indent.expandtabs(2)) * (depth + 1))
            yield ",\n" if number < len(value) - 1 else "\n"
        yield f"{indent * depth}]"
    else:
        yield _encode(value)


def _fits(value: list[Any], column: int) -> bool:
    # The comma after it counts as well.
    return not any(isinstance(each, dict | list) for each in value) and column + len(_encode(value)) < _WIDTH


def _encode(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
