"""A statement read: how it is meant, and which facts it would have to agree with.

A clause counts only if all of its words are understood. A word that isn't known may be what limits it ("tests in
tests/unit", "on Linux", "for now"), so that one such word makes it a statement about a part, which no fact decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from verigate.domain.reading import MAX_CHARACTERS, Clause, Fact, Kind, Reading, Relation
from verigate.statements import clean, doubt
from verigate.statements.clauses import Parsed, parse
from verigate.statements.exceptions import counted_exception
from verigate.statements.words import Token, tokens

MAX_TOKENS = 200
MAX_READ = 1000
"""Statements of one claim that are read."""

_STRONG = re.compile(
    r"\s*(?:;|\s[\u2014\u2013]\s|\u2014|\s--?\s|,? but (?!for\b|not\b)|,? however,?)\s*",
    re.IGNORECASE,
)
_ASSERTED = re.compile(
    r"^(?:so |and |also,? )?(?:(?:i|we)(?:'ve|'m| have| am| can| also)* )?(?:just |also |then |now )*(?:verified|"
    r"confirmed?|checked|made sure|double-checked|validated|"
    r"happy to report|glad to report|pleased to report|report|ensured)(?: locally)? that,? ",
    re.IGNORECASE,
)
_AFTERWARDS = (
    r"(?:after|with|following) (?:the|my|this|these|all|your) (?:\w+ )?(?:changes?|fix(?:es)?|refactor(?:ing)?|edits?|"
    r"updates?|modifications?|rename|merge|patch)(?: in place| applied)?"
)
_AFTERWARDS_FIRST = re.compile(rf"^(?:and )?{_AFTERWARDS},? (?=\S)", re.IGNORECASE)
_AFTERWARDS_LAST = re.compile(rf",? {_AFTERWARDS}(?=[.!]*$)", re.IGNORECASE)
"""The state that is verified is that after the change: this limits nothing."""
_SHORTCOMINGS = re.compile(
    r"^(?:known (?:issues|limitations|problems)|limitations|caveats?|blockers?|failing|failures|problems)\s*: (?=\S)",
    re.IGNORECASE,
)
"""What stands below these is no success."""
_LEAD = re.compile(
    r"^(?:good news|summary|status|final (?:state|status|result)s?|results?|verification|verified|validation|"
    r"confirmed|outcome|update|tl;dr|done|note|state|"
    r"current (?:state|status)|quality|checks?|what i did|changes|also|finally|in short|in summary|overall|evidence|"
    r"all done|all good|fixed|completed|complete|everything works|everything is done|all checks (?:are )?(?:green|"
    r"pass(?:ing|ed)?))\s*(?:[:!,\u2014]|\s-)\s*(?=\S)",
    re.IGNORECASE,
)


def read_statement(text: str) -> Reading:
    """What ``text``, one statement of a claim, says. Never raises; what can't be read is unmapped."""
    if len(text) >= MAX_CHARACTERS:
        return Reading(Kind.UNMAPPED, (Clause(text[:80], Kind.UNMAPPED),))
    return _read(text)


def _read(text: str) -> Reading:
    quoted = text.lstrip().startswith(">")
    plain = clean.clean(text)
    if (shortcomings := _SHORTCOMINGS.match(plain)) is not None:
        below = _read(plain[shortcomings.end() :])
        return _doubted(plain, Kind.NEGATED) if below.kind is Kind.CLAIM else below
    if not plain:
        return Reading(Kind.UNMAPPED, (Clause("", Kind.UNMAPPED),))
    if quoted:
        return _doubted(plain, Kind.REPORTED)
    if facts := counted_exception(plain, _alone):
        return Reading(Kind.NEGATED, (Clause(plain, Kind.NEGATED, facts),))
    meant = doubt.doubt(clean.spoken(plain))
    if meant is None:
        return _joined(_clauses(plain))
    return _in_parts(plain, meant)


def _alone(text: str) -> tuple[Fact, ...]:
    """The facts of a text that is one clause, is understood whole, and takes nothing back."""
    if doubt.doubt(clean.spoken(text)) is not None:
        return ()
    clauses = _clauses(text)
    return clauses[0].facts if len(clauses) == 1 else ()


def _doubted(text: str, kind: Kind) -> Reading:
    return Reading(kind, (Clause(text, kind),))


def _in_parts(text: str, meant: Kind) -> Reading:
    """A sentence with a doubt in it: what it says apart from that counts only where the doubt is about something else.

    That is so for what was before, and for another subject that wasn't looked at. A hedge, a condition, an exception
    and a plan may be about all of it.
    """
    segments = [part for part in _STRONG.split(text) if part.strip()]
    if len(segments) < 2 or meant is Kind.REPORTED or doubt.EXCEPTION.search(clean.spoken(text)):
        return _doubted(text, meant)
    kinds = [doubt.doubt(clean.spoken(part)) for part in segments]
    if any(kind not in {None, Kind.PAST, Kind.NEGATED} for kind in kinds) or all(kinds):
        return _doubted(text, meant)
    found: list[Clause] = []
    shaky = {
        topic for part, kind in zip(segments, kinds, strict=True) if kind is Kind.NEGATED for topic in _topics(part)
    }
    for part, kind in zip(segments, kinds, strict=True):
        if kind is not None:
            if kind is Kind.NEGATED and not _topics(part):
                return _doubted(text, meant)
            found.append(Clause(part, kind))
            continue
        inner = _clauses(part)
        if any(fact.artifact in shaky for clause in inner for fact in clause.facts):
            return _doubted(text, meant)
        found += inner
    return _joined(found)


_TOPIC_ARTIFACTS = {
    "tests": "tests.json",
    "suite": "tests.json",
    "lint": "lint.json",
    "build": "build.json",
    "compile": "build.json",
    "cov": "coverage.json",
    "link": "links/statuses.json",
}


def _topics(text: str) -> set[str]:
    return {_TOPIC_ARTIFACTS[t.form] for t in islice(tokens(text), MAX_TOKENS) if t.form in _TOPIC_ARTIFACTS}


def _clauses(text: str) -> list[Clause]:
    shown = text
    lead = _LEAD.match(text)
    unread: list[Clause] = []
    while lead is not None:
        if "works" in lead.group().lower() or "all checks" in lead.group().lower():
            unread.append(Clause(lead.group().strip(" :"), Kind.UNMAPPED))
        text = text[lead.end() :]
        lead = _LEAD.match(text)
    text = _AFTERWARDS_LAST.sub("", _AFTERWARDS_FIRST.sub("", _ASSERTED.sub("", text)))
    # "I ran X and confirmed that Y"
    text = re.sub(r"\b(?:and|to) (?:have )?(?:verified|confirmed|checked) that\b", "and", text)
    found = list(islice(tokens(text), MAX_TOKENS + 1))
    if len(found) > MAX_TOKENS:
        return [Clause(shown, Kind.UNMAPPED)]
    return [*unread, *(_clause(parsed, shown) for parsed in parse(found))]


def _clause(parsed: Parsed, shown: str) -> Clause:
    words = _words(parsed.tokens) or shown
    if parsed.facts:
        bad = any(fact.bad for fact in parsed.facts)
        return Clause(words, Kind.NEGATED if bad else Kind.CLAIM, parsed.facts)
    return Clause(words, _kind_without_facts(parsed, words))


def _kind_without_facts(parsed: Parsed, words: str) -> Kind:
    if parsed.part:
        return Kind.PART
    return Kind.NEGATED if doubt.denies(words) else Kind.UNMAPPED


def _words(found: Sequence[Token]) -> str:
    return " ".join(token.raw for token in found)


def _without_vague(clauses: Sequence[Clause]) -> list[Clause]:
    """Without "more than none" of what another clause counts: "lint fails with 12 errors"."""
    counted = {
        (fact.artifact, fact.what)
        for clause in clauses
        for fact in clause.facts
        if fact.relation is not Relation.GT or fact.value != 0
    }
    kept: list[Clause] = []
    for clause in clauses:
        facts = tuple(
            fact
            for fact in clause.facts
            if not (fact.bad and fact.relation is Relation.GT and (fact.artifact, fact.what) in counted)
        )
        if facts or not clause.facts:
            kept.append(Clause(clause.text, clause.kind, facts))
    return kept


def _joined(clauses: Sequence[Clause]) -> Reading:
    """A statement is what its clauses with facts are; a shortcoming among them makes it no claim of success."""
    clauses = _without_vague(clauses)
    stated = {clause.kind for clause in clauses if clause.facts}
    if stated:
        return Reading(Kind.NEGATED if Kind.NEGATED in stated else Kind.CLAIM, tuple(clauses))
    kinds = [clause.kind for clause in clauses] or [Kind.UNMAPPED]
    kind = next((k for k in (Kind.NEGATED, Kind.PART) if k in kinds), kinds[0])
    return Reading(kind, tuple(clauses))
