"""Read a line of a commit message: its clauses, and the facts that would have to hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from verigate.domain.statement_reading import (
    MAX_CHARACTERS,
    Clause,
    StatedFact,
    StatementKind,
    StatementReading,
)
from verigate.statements.commits.dependency_phrases import DEPENDENCIES, RUNTIMES, VERSIONS
from verigate.statements.commits.descriptions import read_description
from verigate.statements.commits.kind_phrases import KINDS, OF_SCOPE, OF_TYPE, only
from verigate.statements.commits.name_phrases import NAMED
from verigate.statements.commits.phrase import Facts
from verigate.statements.commits.subject_line import SubjectLine, parse_subject
from verigate.statements.reading import read_statement

_GROUPS = (VERSIONS, RUNTIMES, KINDS, NAMED, DEPENDENCIES)


def read_commit_line(text: str) -> StatementReading:
    """Read a subject, or an item of a body. Never raises; what isn't understood is unmapped."""
    if len(text) >= MAX_CHARACTERS:
        return read_statement(text)
    line = parse_subject(text)
    typed = tuple(_read_type(line))
    facts = _read_phrases(line)
    if facts:
        return StatementReading(StatementKind.CLAIM, (*typed, Clause(line.text, StatementKind.CLAIM, facts)))
    plain = read_statement(line.text)
    if plain.facts and plain.kind is StatementKind.CLAIM:
        return StatementReading(StatementKind.CLAIM, (*typed, *plain.clauses))
    if about := read_description(line.text, typed):
        return StatementReading(StatementKind.CLAIM, (*typed, Clause(line.text, StatementKind.CLAIM, about)))
    rest = Clause(line.text, StatementKind.UNMAPPED)
    return StatementReading(StatementKind.CLAIM if typed else StatementKind.UNMAPPED, (*typed, rest))


def _read_type(line: SubjectLine) -> Iterator[Clause]:
    what = OF_TYPE.get(line.type) or OF_SCOPE.get(line.scope.lower())
    if what is not None:
        said = f"{line.type}({line.scope}):" if line.scope else f"{line.type}:"
        yield Clause(said, StatementKind.CLAIM, (only(what),))


def _read_phrases(line: SubjectLine) -> tuple[StatedFact, ...]:
    for pattern, made in _compile():
        if (found := pattern.fullmatch(line.text)) is not None and (facts := tuple(made(found))):
            return facts
    return ()


@cache
def _compile() -> tuple[tuple[re.Pattern[str], Facts], ...]:
    return tuple((re.compile(f"(?:{pattern})", re.IGNORECASE), made) for group in _GROUPS for pattern, made in group)
