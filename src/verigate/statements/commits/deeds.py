"""Read what a message to people says was done: in the past, by the phrases of commits.

What a commit says in the imperative is an instruction there, and "updated the docs" doesn't say that nothing else was.
"""

from __future__ import annotations

import re

from verigate.domain.statement_reading import MAX_CHARACTERS, StatementKind, StatementReading
from verigate.statements.commits.reading import read_commit_line
from verigate.statements.markup import strip_markup

_DEEDS = (
    r"(?:added|removed|renamed|moved|replaced|deprecated|documented|bumped|updated|upgraded|introduced|deleted|dropped|"
    r"switched|created|implemented|pinned|exposed|relocated|exported)"
)
_HAS_DEED = re.compile(_DEEDS, re.IGNORECASE)
"""What a text must have before its Markdown is worth reading."""

_DEED = re.compile(
    rf"(?:(?:i|we)(?:'ve| have)? |i've )?(?:also |then |now |just )*(?P<deed>{_DEEDS} \S.*)", re.IGNORECASE | re.DOTALL
)
_PLACED = re.compile(r"(?:\*\*)?`[^`\s]+`(?:\*\*)?(?::| [\u2014\u2013-]{1,2}) +(?=(?:added|removed)\b)", re.IGNORECASE)
_SAID = frozenset({"name", "pin", "renamed", "moved", "file", "runtime", "revert"})


def read_deed(text: str) -> StatementReading | None:
    """Read a sentence that says what was done; None for any other, and for one that no phrase understands."""
    if len(text) >= MAX_CHARACTERS or _HAS_DEED.search(text) is None:
        return None
    plain = strip_markup(text)
    found = _DEED.fullmatch(plain)
    if found is None and _PLACED.match(plain) is None:
        return None
    reading = read_commit_line(plain if found is None else found["deed"])
    if reading.kind is not StatementKind.CLAIM or any(_kind_of(fact.what) not in _SAID for fact in reading.facts):
        return None
    return reading


def _kind_of(what: str) -> str:
    return what.partition(":")[0]
