"""Route many texts by one process: JSON lines in, JSON lines out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import orjson

from verigate.errors import UsageError
from verigate.reporting import route
from verigate.statements.claims import read_text
from verigate.statements.split import MAX_PROSE

MAX_LINE = 4 * MAX_PROSE
"""Bytes of a line from which it is refused."""

_SOURCES = ("message", "commit")


def route_lines(lines: IO[bytes], out: IO[bytes], *, of_commits: bool = False) -> int:
    """Answer each line of ``lines`` by a line of ``out``; empty ones are left out. Raises UsageError, which names it.

    ``of_commits``: a text that names no source is the message of a commit.
    """
    for text, of_commit in _read_texts(lines, of_commits):
        found = [(each.text, each.reading) for each in read_text(text, of_commit=of_commit) if each.reading is not None]
        out.write(orjson.dumps(route.route_document(found), option=orjson.OPT_APPEND_NEWLINE))
        out.flush()
    return 0


def _read_texts(lines: IO[bytes], of_commits: bool) -> Iterator[tuple[str, bool]]:
    number = 0
    while line := lines.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise UsageError(f"it is longer than {MAX_LINE} bytes", where=f"line {number}")
        if line.strip():
            yield _read_line(line, number, of_commits)


def _read_line(line: bytes, number: int, of_commits: bool) -> tuple[str, bool]:
    where, hint = f"line {number}", 'write "All tests pass." or {"text": "Bump a from 1 to 2", "source": "commit"}'
    try:
        value: Any = orjson.loads(line)
    except ValueError as error:
        raise UsageError(f"it is no JSON: {error}", where=where, hint=hint) from error
    text, source = (value.get("text"), value.get("source")) if isinstance(value, dict) else (value, None)
    if not isinstance(text, str) or source not in {None, *_SOURCES}:
        raise UsageError("it is neither a string nor an object with a text", where=where, hint=hint)
    return text, source == "commit" or (source is None and of_commits)
