"""Read a line of a commit message: its clauses, and the facts that would have to hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.statement_reading import (
    MAX_CHARACTERS,
    Clause,
    Relation,
    StatedFact,
    StatementKind,
    StatementReading,
)
from verigate.statements.beginnings import is_plain, list_beginnings, requires
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.dependency_phrases import DEPENDENCIES, RUNTIMES, VERSIONS
from verigate.statements.commits.descriptions import read_description, read_documented, read_moved
from verigate.statements.commits.kind_phrases import KINDS, OF_TYPE, only
from verigate.statements.commits.name_phrases import NAMED
from verigate.statements.commits.objects import NAME, has_name
from verigate.statements.commits.phrase import CHANGES, Phrase
from verigate.statements.commits.revert_phrases import REVERTS, state_revert
from verigate.statements.commits.subject_line import SubjectLine, parse_subject
from verigate.statements.markup import strip_markup
from verigate.statements.reading import read_statement
from verigate.statements.scope_phrases import read_scope

_GROUPS = (REVERTS, VERSIONS, RUNTIMES, KINDS, NAMED, DEPENDENCIES)


def read_commit_line(text: str, *, in_body: bool = False) -> StatementReading:
    """Read a subject, or an item of a body, which says nothing of the other parts of the change.

    Never raises; what isn't understood is unmapped.
    """
    if len(text) >= MAX_CHARACTERS:
        return read_statement(text)
    line = parse_subject(text, typed=not in_body)
    if line.type == "revert":
        clause = Clause(line.text, StatementKind.CLAIM, _read_phrases(line.text) or (state_revert(line.text),))
        return StatementReading(StatementKind.CLAIM, (clause,))
    typed = tuple(_read_type(line))
    said = line.text
    if not line.type and (placed := _read_placed(said)):
        return StatementReading(StatementKind.CLAIM, placed)
    if in_body:
        return _combine(_read_body(said))
    if not typed and not line.type and (part := _PART.match(said)) is not None:
        typed = (Clause(f"{part['part']}:", StatementKind.CLAIM, (_state_part(part["part"]),)),)
        said = said[part.end() :]
    behaves = line.type in _OF_BEHAVIOUR
    clauses = (*typed, *(_read_clause(said, typed, behaves=behaves) or _read_each(said, typed, behaves=behaves)))
    return _combine(clauses)


def _combine(clauses: tuple[Clause, ...]) -> StatementReading:
    kind = StatementKind.CLAIM if any(clause.facts for clause in clauses) else StatementKind.UNMAPPED
    return StatementReading(kind, clauses)


def _read_body(text: str) -> tuple[Clause, ...]:
    """Read an item of a body: not of which kind it is, since other items are of others."""
    clauses = _read_clause(text, (), behaves=False) or tuple(_read_each(text, (), behaves=False))
    if any(fact.what == "only" for clause in clauses for fact in clause.facts) and not read_scope(strip_markup(text)):
        return (Clause(text, StatementKind.UNMAPPED),)
    return clauses


_OF_BEHAVIOUR = frozenset({"fix", "bugfix", "feat", "feature", "perf", "security"})
_PART = re.compile(r"(?P<part>[A-Za-z_][\w./-]{1,40}):\s+(?=\S)")
"""The part of a project that a line is about, before a colon: ``hooks/slog: add level adapters``."""

_NEXT = re.compile(
    rf"\s*(?:[;.]\s+(?:and )?|,\s+(?:and |then |& )?|\s(?:and|&|\+)\s)(?={words.ACTIONS}\b)", re.IGNORECASE
)
"""Where another clause begins."""


_PLACED = re.compile(
    r"(?:\*\*)?(?:`(?P<code>[^`\s]{1,120})`|(?P<path>(?:[\w.@-]+/)*[\w.-]+\.[A-Za-z]\w{0,4}|[A-Z][a-z]+[A-Z]\w+))(?:\*\*)?"
    r"(?::| [\u2014\u2013-]{1,2})\s+(?=\S)"
)
"""The file or symbol that an item of a list is about: ``models/spec.rs`` - removed ``notes``."""


def _read_placed(text: str) -> tuple[Clause, ...]:
    """Read an item that names a place and what became of names there; () for any other."""
    found = _PLACED.match(text)
    if found is None:
        return ()
    place = (found["code"] or found["path"]).removesuffix("()")
    facts = _read_phrases(text[found.end() :])
    if not facts or any(not fact.what.startswith("name:") for fact in facts):
        return ()
    placed = tuple(replace(fact, value=f"{fact.value} {place}") if fact.value in _MOVED else fact for fact in facts)
    near = StatedFact(CHANGES, f"name:{place}", Relation.EQ, "near")
    return (Clause(text, StatementKind.CLAIM, placed if placed != facts else (near, *facts)),)


_MOVED = frozenset({"added", "defined", "implemented", "removed"})


def _state_part(name: str) -> StatedFact:
    return StatedFact(CHANGES, f"part:{name}", Relation.EQ, "changed")


def _names_file(fact: StatedFact) -> bool:
    """Whether a fact about a path is about a file: a name with a slash may be that of a package, or an account."""
    return fact.artifact != "diff_names.json" or re.search(r"\.[A-Za-z]\w*$|/$", fact.what) is not None


def _read_clause(text: str, typed: tuple[Clause, ...], *, behaves: bool) -> tuple[Clause, ...]:
    """Read a text that is one clause; () if no phrase has all of its words.

    ``behaves``: the line is about behaviour, so that what it removes in prose may stand in no line.
    """
    facts = _read_phrases(text)
    if facts:
        return (Clause(text, StatementKind.CLAIM, facts),)
    plain = read_statement(text)
    if plain.facts and plain.kind is StatementKind.CLAIM and all(map(_names_file, plain.facts)):
        return plain.clauses
    about = read_description(text, typed) or read_documented(text) or (() if behaves else read_moved(text))
    return (Clause(text, StatementKind.CLAIM, about),) if about else ()


def _read_each(text: str, typed: tuple[Clause, ...], *, behaves: bool) -> Iterator[Clause]:
    """Read the clauses of a text that is none, each for itself."""
    parts = _NEXT.split(text)
    for part in parts:
        read = _read_clause(part, typed, behaves=behaves) if len(parts) > 1 else ()
        # Of which kind a change is, one clause of many doesn't say.
        whole = any(fact.what == "only" for clause in read for fact in clause.facts)
        yield from (Clause(part, StatementKind.UNMAPPED),) if whole or not read else read


def _read_type(line: SubjectLine) -> Iterator[Clause]:
    what = OF_TYPE.get(line.type)
    if what is not None:
        said = f"{line.type}({line.scope}):" if line.scope else f"{line.type}:"
        yield Clause(said, StatementKind.CLAIM, (only(what),))


def _read_phrases(text: str) -> tuple[StatedFact, ...]:
    for pattern, made in list_phrases(text):
        if (found := _compile(pattern).fullmatch(text)) is not None and (facts := tuple(made(found))):
            return facts
    return ()


class _Conditions(Struct, frozen=True):
    """What a line has that a phrase matches: one of the beginnings, and a name if it needs one."""

    beginnings: tuple[str, ...]
    named: bool
    phrase: Phrase


def list_phrases(text: str) -> Iterator[Phrase]:
    """List the phrases that may match a text. To compile all of them takes a quarter of a second."""
    lower, named, plain = text.lower(), has_name(text), is_plain(text)
    for each in _list_conditions():
        if (named or not each.named) and (not plain or lower.startswith(each.beginnings)):
            yield each.phrase


@cache
def _list_conditions() -> tuple[_Conditions, ...]:
    return tuple(
        _Conditions(tuple(list_beginnings(phrase[0])), requires(phrase[0], NAME), phrase)
        for group in _GROUPS
        for phrase in group
    )


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?:{pattern})", re.IGNORECASE)
