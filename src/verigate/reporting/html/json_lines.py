"""A JSON value as lines, each with the pointer of what stands on it; nothing beyond what is asked for is visited."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from verigate.formats.pointer import escape as token
from verigate.reporting.escape import escape_value

_LONGEST = 2000
"""Characters of one key or one value."""

_DEEPEST = 60


def json_lines(
    value: Any, pointer: str = "", key: str = "", depth: int = 0, end: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield (pointer, line) in document order, indented by two; a line that closes a value has an empty pointer.

    Lines are visible characters only. ``key`` precedes the value, ``end`` follows it.
    """
    indent = "  " * depth
    if not isinstance(value, dict | list) or not value or depth >= _DEEPEST:
        yield pointer, f"{indent}{key}{escape_value(value, limit=_LONGEST)}{end}"
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield pointer, f"{indent}{key}{opening}"
    members = (
        ((str(name), f"{escape_value(str(name), limit=_LONGEST)}: ", item) for name, item in value.items())
        if isinstance(value, dict)
        else ((str(index), "", item) for index, item in enumerate(value))
    )
    last = len(value) - 1
    yield from chain.from_iterable(
        json_lines(item, f"{pointer}/{token(name)}", shown, depth + 1, "," if number < last else "")
        for number, (name, shown, item) in enumerate(members)
    )
    yield "", f"{indent}{closing}{end}"
