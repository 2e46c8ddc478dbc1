"""Lay out lines and columns in terminal cells. Text must be escaped already."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

MIN_WIDTH = 40


def count_cells(text: str) -> int:
    """Count the terminal cells of escaped ``text``."""
    if text.isascii():
        return len(text)
    return sum(_cell_width(character) for character in text)


def _cell_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Cut ``text`` to at most ``width`` cells, with an ellipsis at the end if something is missing."""
    if count_cells(text) <= width:
        return text
    kept: list[str] = []
    room = max(width - 1, 0)
    for character in text:
        room -= _cell_width(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, width: int, *, indent: str = "", first: str | None = None, max_lines: int = 0) -> list[str]:
    """Wrap ``text`` to lines of at most ``width`` cells; only words longer than a line are split.

    ``first`` (as wide as ``indent``) stands before the first line, ``indent`` before the others; with ``max_lines``
    above 0 what doesn't fit is cut off.
    """
    room = max(width, MIN_WIDTH) - count_cells(indent)
    lines: list[str] = []
    line = ""
    for word in _split_long_words(text.split(" "), room):
        longer = f"{line} {word}" if line else word
        if line and count_cells(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if max_lines and len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], cut(" ".join(lines[max_lines - 1 : max_lines + 1]), room)]
    start = indent if first is None else first
    return [f"{start if number == 0 else indent}{piece}" for number, piece in enumerate(lines)]


def _split_long_words(words: Iterable[str], room: int) -> Iterable[str]:
    for word in words:
        rest = word
        while count_cells(rest) > room:
            head = cut(rest, room)[:-1] or rest[0]
            yield head
            rest = rest[len(head) :]
        yield rest


def pad(text: str, width: int) -> str:
    """Pad ``text`` with spaces to ``width`` cells."""
    return text + " " * max(width - count_cells(text), 0)


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Format columns of escaped text, two spaces apart; the last column is cut at ``width``."""
    every = [head, *rows]
    widths = [max(count_cells(row[column]) for row in every) for column in range(len(head))]
    cap = max(max(width, MIN_WIDTH) // 2, 12)
    lines = []
    for row in every:
        parts = [pad(cut(text, min(size, cap)), min(size, cap)) for text, size in zip(row, widths, strict=True)]
        parts[-1] = row[-1]
        lines.append(cut("  ".join(parts), max(width, MIN_WIDTH)).rstrip())
    return lines
