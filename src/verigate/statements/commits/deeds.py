"""Read what a message to people says was done: in the past, by the phrases of commits.

What a commit says in the imperative is an instruction there, and "updated the docs" doesn't say that nothing else was.
"""

from __future__ import annotations

import re

from verigate.domain.statement_reading import (
    MAX_CHARACTERS,
    Clause,
    Relation,
    StatedFact,
    StatementKind,
    StatementReading,
)
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.name_phrases import FILE
from verigate.statements.commits.phrase import CHANGES, clean
from verigate.statements.commits.reading import read_commit_line
from verigate.statements.commits.vocabulary import some_of
from verigate.statements.markup import strip_markup, strip_quotations
from verigate.statements.qualifiers import find_qualifier, has_negation

_DEEDS = (
    r"(?:added|removed|renamed|moved|replaced|deprecated|documented|bumped|updated|upgraded|introduced|deleted|dropped|"
    r"switched|created|implemented|pinned|exposed|relocated|exported|extracted|raised)"
)
_SPELLING = re.compile(
    rf"(?:(?:i|we)(?:'ve| have)? |i've )?(?:also |then |now |just )*(?:fixed|corrected) "
    rf"{some_of(words.FEW)}{words.TYPOS}(?: and {words.TYPOS})? (?:in|of) (?:the )?(?:file )?(?P<file>{FILE})",
    re.IGNORECASE,
)
_HAS_DEED = re.compile(rf"{_DEEDS}|fixed|corrected", re.IGNORECASE)
"""What a text must have before its Markdown is worth reading."""

_DEED = re.compile(
    rf"(?:(?:i|we)(?:'ve| have)? |i've )?(?:also |then |now |just )*(?P<deed>{_DEEDS} \S.*)", re.IGNORECASE | re.DOTALL
)
_PLACED = re.compile(r"(?:\*\*)?`[^`\s]+`(?:\*\*)?(?::| [\u2014\u2013-]{1,2}) +(?=(?:added|removed)\b)", re.IGNORECASE)
_WORK = re.compile(
    r"(?:(?:all )?done\b\W*)?(?:(?:i|we)(?:'ve| have)? |i've |it's |it is )?(?:also |then |now |just |successfully )*"
    r"(?:added|removed|renamed|moved|replaced|deprecated|documented|bumped|updated|upgraded|introduced|deleted|dropped|"
    r"switched|created|implemented|exposed|relocated|exported|extracted|fixed|refactored|rewrote|rewritten|wrote|changed|modified|"
    r"extended|converted|migrated|corrected|patched|resolved|repaired|adjusted|optimi[sz]ed|cleaned up|wired|finished|"
    r"completed)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:earlier|previous(?:ly)?|already|before|last (?:turn|time|session|week)|yesterday)\b", re.IGNORECASE
)
_SAID = frozenset({"name", "pin", "renamed", "moved", "followed", "file", "runtime", "revert", "own"})
_VERSION = re.compile(r"\bversion\b", re.IGNORECASE)
_RAISED = re.compile(r"raised\b", re.IGNORECASE)


def says_work(text: str) -> bool:
    """Whether a sentence begins by saying that something was done now: "I fixed the parser", "Done: added a test"."""
    plain = strip_markup(text)
    if _WORK.match(plain) is None or _BEFORE.search(plain) is not None:
        return False
    return find_qualifier(strip_quotations(plain)) is None


def read_deed(text: str) -> StatementReading | None:
    """Read a sentence that says what was done; None for any other, and for one that no phrase understands."""
    if len(text) >= MAX_CHARACTERS or _HAS_DEED.search(text) is None:
        return None
    plain = strip_markup(text)
    if (spelling := _read_spelling(plain)) is not None:
        return spelling
    found = _DEED.fullmatch(plain)
    if found is None and _PLACED.match(plain) is None:
        return None
    deed = plain if found is None else found["deed"]
    reading = read_commit_line(deed)
    if reading.kind is not StatementKind.CLAIM or (reading.unread and has_negation(plain)):
        return None
    if not all(_is_said(fact, deed) for fact in reading.facts):
        return None
    return reading


def _read_spelling(plain: str) -> StatementReading | None:
    """Read "fixed a typo in README.md", which says nothing of other files."""
    said = plain.rstrip(".! ")
    found = _SPELLING.fullmatch(said)
    if found is None:
        return None
    fact = StatedFact(CHANGES, f"spelling:{clean(found['file'])}", Relation.EQ, "corrected")
    return StatementReading(StatementKind.CLAIM, (Clause(said, StatementKind.CLAIM, (fact,)),))


def _is_said(fact: StatedFact, deed: str) -> bool:
    """Whether a person says this fact by these words. A number that was raised is a pin only in a manifest."""
    kind = _kind_of(fact.what)
    if kind == "own" and _VERSION.search(deed) is None:
        return False
    return kind in _SAID and not (kind == "pin" and fact.scope is None and _RAISED.match(deed) is not None)


def _kind_of(what: str) -> str:
    return what.partition(":")[0]
