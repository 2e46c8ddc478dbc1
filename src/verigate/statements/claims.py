"""Read the statements of a claim, each as what it is taken from is meant: a message to people, or that of a commit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from verigate.domain.statement_reading import MAX_READ, Clause, StatementKind, StatementReading
from verigate.domain.task import Statement, StatementSource
from verigate.statements.conjoined import read_conjoined
from verigate.statements.reading import read_statement


def read_statements(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Attach its reading to each of the first MAX_READ statements; leave the others unread. Never raises."""
    read = (replace(each, reading=_read(each.text, each.source)) for each in statements[:MAX_READ])
    return (*read, *statements[MAX_READ:])


@lru_cache(maxsize=2 * MAX_READ)
def _read(text: str, source: StatementSource) -> StatementReading:
    """Read a text. Whoever asks for the facts of one artifact after the other reads the same texts each time."""
    if source is StatementSource.MESSAGE:
        return _read_message(text)
    from verigate.statements.commits.reading import read_commit_line  # most claims are messages to people

    return read_commit_line(text, in_body=source is StatementSource.COMMIT_BODY)


_WHOLE = frozenset({StatementKind.HEDGED, StatementKind.PLAN, StatementKind.PAST, StatementKind.REPORTED})
"""Kinds of a sentence of which no part says anything for itself."""

_WITHOUT_DEED = frozenset({StatementKind.UNMAPPED, StatementKind.PART, StatementKind.NEGATED})


def _read_message(text: str) -> StatementReading:
    """Read a statement of a message to people; what was done is stated there as in a commit, in the past."""
    reading = _read_sentence(text)
    if (reading.facts and not reading.unread) or reading.kind in _WHOLE:
        return reading
    return read_conjoined(text, _read_sentence) or reading


def _read_sentence(text: str) -> StatementReading:
    reading = read_statement(text)
    if reading.facts and any(not clause.facts for clause in reading.clauses):
        return replace(reading, clauses=tuple(map(_read_deed_of, reading.clauses)))
    if reading.facts or reading.kind not in _WITHOUT_DEED:
        return reading
    from verigate.statements.commits.deeds import read_deed  # most statements are read by then

    return read_deed(text) or reading


def _read_deed_of(clause: Clause) -> Clause:
    """Read an item of a list by the phrases of commits: "renamed `a()` to `b()`" between others."""
    if clause.facts or clause.kind not in _WITHOUT_DEED:
        return clause
    from verigate.statements.commits.deeds import read_deed  # most clauses are read by then

    reading = read_deed(clause.text)
    return clause if reading is None or reading.unread else Clause(clause.text, StatementKind.CLAIM, reading.facts)


def read_text(text: str, *, of_commit: bool = False) -> tuple[Statement, ...]:
    """Split a text into its statements, and read each. Never raises."""
    if of_commit:
        from verigate.statements.commits.message import split_message  # most texts are messages to people

        texts = split_message(text)
        sources = (StatementSource.COMMIT, *([StatementSource.COMMIT_BODY] * len(texts)))[: len(texts)]
    else:
        from verigate.statements.split import split_statements  # parses Markdown, which readers of claims don't need

        texts = split_statements(text)
        sources = (StatementSource.MESSAGE,) * len(texts)
    return read_statements(
        [
            Statement(f"statement:{number}", each, source=source)
            for number, (each, source) in enumerate(zip(texts, sources, strict=True), start=1)
        ]
    )
