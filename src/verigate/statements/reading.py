"""Read a statement: its kind, and the facts that would have to hold.

A clause yields facts only if all of its words are understood. An unknown word may limit the clause ("tests in
tests/unit", "on Linux", "for now"), so a single one makes it a statement about a part, which no fact decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from verigate.domain.statement_reading import (
    MAX_CHARACTERS,
    Clause,
    Relation,
    StatedFact,
    StatementKind,
    StatementReading,
)
from verigate.statements import markup, qualifiers
from verigate.statements.clauses import ParsedClause, parse_clauses
from verigate.statements.conjoined import read_conjoined
from verigate.statements.counted_exceptions import read_counted_exception
from verigate.statements.nearest_form import suggest_form
from verigate.statements.scope_phrases import read_scope
from verigate.statements.summary_lines import read_summary_line
from verigate.statements.tokenizer import Token, tokenize
from verigate.statements.unknown_words import find_unknown, is_about_part

MAX_TOKENS = 200

_STRONG = re.compile(
    r"\s*(?:;|\s[\u2014\u2013]\s|\u2014|\s--?\s|,? but (?!for\b|not\b)|,? however,?)\s*",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r": | [\u2014\u2013-]{1,2} ")
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
"""Phrases such as "after the change". They limit nothing: the state after the change is what is verified."""
_SHORTCOMINGS = re.compile(
    r"^(?:known (?:issues|limitations|problems)|limitations|caveats?|blockers?|failing|failures|problems)\s*: (?=\S)",
    re.IGNORECASE,
)
"""Labels of lists of shortcomings: no entry below one is a claim of success."""
_LEAD = re.compile(
    r"^(?:good news|summary|status|final (?:state|status|result)s?|results?|verification|verified|validation|"
    r"confirmed|outcome|update|tl;dr|done|note|state|"
    r"current (?:state|status)|quality|checks?|what i did|changes|also|finally|in short|in summary|overall|evidence|"
    r"all done|all good|fixed|completed|complete|everything works|everything is done|all checks (?:are )?(?:green|"
    r"pass(?:ing|ed)?))\s*(?:[:!,\u2014]|\s-)\s*(?=\S)",
    re.IGNORECASE,
)


def read_statement(text: str) -> StatementReading:
    """Read ``text``, one statement of a claim. Never raises; what isn't understood is unmapped."""
    if len(text) >= MAX_CHARACTERS:
        return StatementReading(StatementKind.UNMAPPED, (Clause(text[:80], StatementKind.UNMAPPED),))
    return _read_markdown(text)


def _read_markdown(text: str) -> StatementReading:
    quoted = text.lstrip().startswith(">")
    plain = markup.strip_markup(text)
    if (shortcomings := _SHORTCOMINGS.match(plain)) is not None:
        below = _read_markdown(plain[shortcomings.end() :])
        return _without_facts(plain, StatementKind.NEGATED) if below.kind is StatementKind.CLAIM else below
    if not plain:
        return StatementReading(StatementKind.UNMAPPED, (Clause("", StatementKind.UNMAPPED),))
    if quoted:
        return _without_facts(plain, StatementKind.REPORTED)
    return _read_plain(plain)


def _read_plain(plain: str) -> StatementReading:
    if facts := read_counted_exception(plain, _read_single_clause):
        return StatementReading(StatementKind.NEGATED, (Clause(plain, StatementKind.NEGATED, facts),))
    if facts := read_scope(plain):
        return StatementReading(StatementKind.CLAIM, (Clause(plain, StatementKind.CLAIM, facts),))
    if described := _read_described_scope(plain):
        return described
    if facts := read_summary_line(plain):
        kind = StatementKind.NEGATED if any(fact.bad for fact in facts) else StatementKind.CLAIM
        return StatementReading(kind, (Clause(plain, kind, facts),))
    meant = qualifiers.find_qualifier(markup.strip_quotations(plain))
    whole = _combine_clauses(_read_clauses(plain)) if meant is None else _read_qualified(plain, meant)
    if (whole.facts and not whole.unread) or meant not in {None, StatementKind.NEGATED}:
        return whole
    return read_conjoined(plain, _read_plain) or whole


def _read_described_scope(plain: str) -> StatementReading | None:
    """Read "only docs were changed: a typo in the README": the rest says what, and may be read too."""
    parts = _DESCRIBED.split(plain, maxsplit=1)
    facts = read_scope(parts[0]) if len(parts) == 2 else ()
    if not facts or qualifiers.find_qualifier(markup.strip_quotations(parts[1])) is not None:
        return None
    return _combine_clauses([Clause(parts[0], StatementKind.CLAIM, facts), *_read_clauses(parts[1])])


def _read_single_clause(text: str) -> tuple[StatedFact, ...]:
    """Return the facts of a text that is one clause, fully understood and without a qualifier; else ()."""
    if qualifiers.find_qualifier(markup.strip_quotations(text)) is not None:
        return ()
    clauses = _read_clauses(text)
    return clauses[0].facts if len(clauses) == 1 else ()


def _without_facts(text: str, kind: StatementKind) -> StatementReading:
    return StatementReading(kind, (_make_qualified(text, kind),))


def _make_qualified(text: str, kind: StatementKind) -> Clause:
    word = qualifiers.find_qualifying_words(markup.strip_quotations(text), kind)
    return Clause(text, kind, (), word)


def _read_qualified(text: str, meant: StatementKind) -> StatementReading:
    """Read a sentence with a qualifier: its other parts count only if the qualifier is about something else.

    That is so for past states, and for a negation about another topic. A hedge, a condition, an exception and a plan
    may apply to the whole sentence.
    """
    segments = [part for part in _STRONG.split(text) if part.strip()]
    if (
        len(segments) < 2
        or meant is StatementKind.REPORTED
        or qualifiers.EXCEPTION.search(markup.strip_quotations(text))
    ):
        return _without_facts(text, meant)
    kinds = [qualifiers.find_qualifier(markup.strip_quotations(part)) for part in segments]
    if any(kind not in {None, StatementKind.PAST, StatementKind.NEGATED} for kind in kinds) or all(kinds):
        return _without_facts(text, meant)
    found: list[Clause] = []
    shaky = {
        topic
        for part, kind in zip(segments, kinds, strict=True)
        if kind is StatementKind.NEGATED
        for topic in _find_topics(part)
    }
    for part, kind in zip(segments, kinds, strict=True):
        if kind is not None:
            if kind is StatementKind.NEGATED and not _find_topics(part):
                return _without_facts(text, meant)
            found.append(_make_qualified(part, kind))
            continue
        inner = _read_clauses(part)
        if any(fact.artifact in shaky for clause in inner for fact in clause.facts):
            return _without_facts(text, meant)
        found += inner
    return _combine_clauses(found)


_TOPIC_ARTIFACTS = {
    "tests": "tests.json",
    "suite": "tests.json",
    "suites": "tests.json",
    "types": "build.json",
    "typeerror": "build.json",
    "lint": "lint.json",
    "build": "build.json",
    "compile": "build.json",
    "cov": "coverage.json",
    "link": "links/statuses.json",
}


def _find_topics(text: str) -> set[str]:
    return {_TOPIC_ARTIFACTS[t.form] for t in islice(tokenize(text), MAX_TOKENS) if t.form in _TOPIC_ARTIFACTS}


def _read_clauses(text: str) -> list[Clause]:
    shown = text
    lead = _LEAD.match(text)
    unread: list[Clause] = []
    while lead is not None:
        if "works" in lead.group().lower() or "all checks" in lead.group().lower():
            unread.append(Clause(lead.group().strip(" :"), StatementKind.UNMAPPED))
        text = text[lead.end() :]
        lead = _LEAD.match(text)
    text = _AFTERWARDS_LAST.sub("", _AFTERWARDS_FIRST.sub("", _ASSERTED.sub("", text)))
    # "I ran X and confirmed that Y"
    text = re.sub(r"\b(?:and|to) (?:have )?(?:verified|confirmed|checked) that\b", "and", text)
    found = list(islice(tokenize(text), MAX_TOKENS + 1))
    if len(found) > MAX_TOKENS:
        return [Clause(shown, StatementKind.UNMAPPED)]
    return [*unread, *(_make_clause(parsed, shown) for parsed in parse_clauses(found))]


def _make_clause(parsed: ParsedClause, shown: str) -> Clause:
    words = _join_raw(parsed.tokens) or shown
    if parsed.facts:
        bad = any(fact.bad for fact in parsed.facts)
        return Clause(words, StatementKind.NEGATED if bad else StatementKind.CLAIM, parsed.facts)
    kind = _kind_without_facts(parsed, words)
    if kind is StatementKind.NEGATED:
        return replace(_make_qualified(words, kind), suggestion=suggest_form(shown))
    suggestion = suggest_form(shown) if kind is StatementKind.UNMAPPED else ""
    unknown = find_unknown(parsed.tokens)
    return Clause(words, kind, (), unknown, similar=parsed.part, suggestion=suggestion)


def _kind_without_facts(parsed: ParsedClause, words: str) -> StatementKind:
    if parsed.part:
        return StatementKind.PART if is_about_part(parsed.tokens) else StatementKind.UNMAPPED
    return StatementKind.NEGATED if qualifiers.has_negation(words) else StatementKind.UNMAPPED


def _join_raw(found: Sequence[Token]) -> str:
    return " ".join(token.raw for token in found)


def _drop_vague(clauses: Sequence[Clause]) -> list[Clause]:
    """Drop "more than zero" where another clause gives the count: "lint fails with 12 errors"."""
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
            kept.append(replace(clause, facts=facts))
    return kept


def _combine_clauses(clauses: Sequence[Clause]) -> StatementReading:
    """Combine clauses: those with facts decide the kind, and one shortcoming makes it no claim of success."""
    clauses = _drop_vague(clauses)
    stated = {clause.kind for clause in clauses if clause.facts}
    if stated:
        return StatementReading(
            StatementKind.NEGATED if StatementKind.NEGATED in stated else StatementKind.CLAIM, tuple(clauses)
        )
    kinds = [clause.kind for clause in clauses] or [StatementKind.UNMAPPED]
    kind = next((k for k in (StatementKind.NEGATED, StatementKind.PART) if k in kinds), kinds[0])
    return StatementReading(kind, tuple(clauses))
