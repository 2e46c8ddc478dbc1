"""The lines of a file that a change takes out and puts in."""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile

_AROUND = 3
"""So many lines around a changed one are shown by a diff."""

_MOST_PLACES = 200
_HEADING = re.compile(r"#{1,6} +\S")
_MOST_BYTES = 1 << 20
_MANY_LINES = 2000
"""From so many on popular lines aren't compared one by one, which would take their square."""


def list_changed_lines(file: ChangedFile) -> tuple[str, ...]:
    """List the lines of both versions that differ; () for what is no text, or too large to be written by hand."""
    gone, come = split_changed_lines(file)
    return (*gone, *come)


@cache
def split_changed_lines(file: ChangedFile) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List the lines that the change takes out, and those that it puts in; each file is compared once."""
    old, new, changed = _compare(file)
    gone = tuple(line for a, b, _, _ in changed for line in old[a:b])
    return gone, tuple(line for _, _, c, d in changed for line in new[c:d])


def list_lines_around(file: ChangedFile) -> tuple[str, ...]:
    """List the lines next to changed ones that a diff shows, and the heading above each change, of the new version."""
    _, new, changed = _compare(file)
    found: list[str] = []
    for _, _, start, end in changed[:_MOST_PLACES]:
        found += (*new[max(0, start - _AROUND) : start], *new[end : end + _AROUND])
        above = (line for line in reversed(new[max(0, start - _MANY_LINES) : start]) if _HEADING.match(line))
        found += [heading for heading in (next(above, None),) if heading is not None]
    return tuple(found)


@cache
def _compare(file: ChangedFile) -> tuple[list[str], list[str], list[tuple[int, int, int, int]]]:
    """Return the lines of both versions, and the places of those that differ in each."""
    sides = [side.content for side in (file.before, file.after) if side is not None]
    if any(content is None or len(content) > _MOST_BYTES or b"\0" in content for content in sides):
        return [], [], []
    old, new = (
        side.content.decode("utf-8", "replace").splitlines() if side is not None and side.content is not None else []
        for side in (file.before, file.after)
    )
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _MANY_LINES)
    return old, new, [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
