"""Read a sentence of several sentences, each of which is read alone: "no code was touched, and no test was weakened".

Only if each part is understood in full: a part that isn't may limit the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from verigate.domain.statement_reading import StatementKind, StatementReading

_MOST_PARTS = 4
_PARTS = re.compile(
    r"(?P<kept>`+[^`\n]*`+|\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d)|(?P<cut>,? (?:and|but) |[;,] (?:and |but )?)"
)


def read_conjoined(text: str, read: Callable[[str], StatementReading]) -> StatementReading | None:
    """Read each part of ``text`` with ``read``; None if it has one part, or one that isn't understood in full."""
    parts = _split_parts(text.strip())
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    readings = [read(part) for part in parts]
    if any(each.kind is not StatementKind.CLAIM or not each.facts or each.unread for each in readings):
        return None
    return StatementReading(StatementKind.CLAIM, tuple(clause for each in readings for clause in each.clauses))


def _split_parts(text: str) -> list[str]:
    """Split at commas, semicolons and conjunctions that aren't in code or quotations."""
    parts, start = [], 0
    for found in _PARTS.finditer(text):
        if found["cut"]:
            parts.append(text[start : found.start()])
            start = found.end()
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
