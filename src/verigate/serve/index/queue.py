"""Ask the index for the queue: what fails first, by facets, in pages."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from verigate.serve.task_state import TaskState

PAGE_SIZE = 50
MOST_VALUES = 20
"""Values of a facet that are offered, the most frequent first."""

_MOST_WORDS = 10
_DAY_S = 86_400
AGES: Mapping[str, int | None] = MappingProxyType(
    {"day": _DAY_S, "week": 7 * _DAY_S, "month": 30 * _DAY_S, "older": None}
)
"""Age -> at most so many seconds; ``older`` is more than those of a month."""

_COLUMNS = {"status": "task.state", "type": "task.type", "author": "task.author", "agent": "task.agent"}
FACETS = ("status", "type", "adapter", "author", "agent", "age", "repository")
_TASKS = "FROM task JOIN repository ON repository.id = task.repository WHERE "


class QueueFilter(Struct, frozen=True):
    """What is asked for: a value for some facets, words, whether ended tasks too, and a page from 1."""

    facets: Mapping[str, str] = {}
    words: str = ""
    ended: bool = False
    page: int = 1


class QueueRow(Struct, frozen=True):
    """One task of the queue. ``moment`` is in seconds since 1970; ``finished`` is None without a verdict."""

    repository: str
    task_id: str
    state: TaskState
    type: str
    author: str
    agent: str
    finished: str | None
    moment: int
    note: str
    checks: int
    problems: int
    statements: int
    refuted: int
    marked: bool
    ended: bool


class FacetValue(Struct, frozen=True):
    """A value of a facet, how many tasks it would leave, and whether it is chosen."""

    value: str
    count: int
    chosen: bool


class Facet(Struct, frozen=True):
    """A facet with its values; ``left_out`` counts those beyond MOST_VALUES."""

    name: str
    values: tuple[FacetValue, ...]
    left_out: int = 0


class Queue(Struct, frozen=True):
    """A page of the queue. ``total`` counts the tasks that match, ``tasks`` all that are known."""

    rows: tuple[QueueRow, ...]
    facets: tuple[Facet, ...]
    total: int
    tasks: int
    page: int
    pages: int


def read_queue(connection: sqlite3.Connection, wanted: QueueFilter, now: float | None = None) -> Queue:
    """Read a page of the queue. ``now`` is in seconds since 1970, and ages count back from it."""
    moment = int(time.time() if now is None else now)
    where, values = _build_where(wanted, moment, leave=None)
    total = int(connection.execute(f"SELECT count(*) {_TASKS}{where}", values).fetchone()[0])
    pages = max(1, -(-total // PAGE_SIZE))
    page = min(max(wanted.page, 1), pages)
    rows = connection.execute(
        f"SELECT repository.name AS repository, task.* {_TASKS}{where} "
        "ORDER BY task.rank, task.moment DESC, task.name, task.id LIMIT :limit OFFSET :offset",
        {**values, "limit": PAGE_SIZE, "offset": PAGE_SIZE * (page - 1)},
    )
    listed = tuple(map(_make_row, rows))
    facets = tuple(_read_facet(connection, name, wanted, moment) for name in FACETS)
    tasks = int(connection.execute("SELECT count(*) FROM task").fetchone()[0])
    return Queue(listed, facets, total, tasks, page, pages)


def _make_row(row: sqlite3.Row) -> QueueRow:
    return QueueRow(
        row["repository"],
        row["name"],
        TaskState(row["state"]),
        row["type"],
        row["author"],
        row["agent"],
        row["finished"],
        row["moment"],
        row["note"],
        row["checks"],
        row["problems"],
        row["statements"],
        row["refuted"],
        bool(row["marked"]),
        bool(row["ended"]),
    )


def _build_where(wanted: QueueFilter, now: int, leave: str | None) -> tuple[str, dict[str, Any]]:
    """Build a condition and its values; the facet ``leave`` is left out, so that its other values can be counted."""
    parts: list[str] = ["1"]
    values: dict[str, Any] = {"now": now}
    if not wanted.ended:
        parts.append("task.ended = 0")
    for name, value in wanted.facets.items():
        if name == leave or name not in FACETS:
            continue
        values[name] = value
        parts.append(_condition(name, value))
    if wanted.words.strip():
        parts.append(_search(wanted.words, values))
    return " AND ".join(parts), values


def _condition(name: str, value: str) -> str:
    if name in _COLUMNS:
        return f"{_COLUMNS[name]} = :{name}"
    if name == "repository":
        return "repository.name = :repository"
    if name == "adapter":
        return "EXISTS (SELECT 1 FROM run WHERE run.task = task.id AND run.adapter = :adapter)"
    return _age_condition(value)


def _age_condition(value: str) -> str:
    limit = AGES.get(value, 0)
    if value not in AGES:
        return "0"
    # A moment of the future, by a clock that was wrong, is of today.
    return f"task.moment < :now - {30 * _DAY_S}" if limit is None else f"task.moment >= :now - {limit}"


def _search(words: str, values: dict[str, Any]) -> str:
    """Each word begins a word of one statement, or the text is in the task's name or note, or is one of its reasons."""
    from verigate.serve.index.layout import MOST_STATEMENTS

    values["like"] = f"%{_escape_like(words.strip())}%"
    values["reason"] = words.strip()
    found = "task.name LIKE :like ESCAPE '\\' OR task.note LIKE :like ESCAPE '\\'"
    found = f"{found} OR task.id IN (SELECT task FROM finding WHERE reason = :reason)"
    terms = re.findall(r"\w+", words)[:_MOST_WORDS]
    if terms:
        values["match"] = " ".join(f'"{term}"*' for term in terms)
        listed = f"SELECT rowid / {MOST_STATEMENTS} FROM statement WHERE statement MATCH :match"
        found = f"{found} OR task.id IN ({listed})"
    return f"({found})"


def _escape_like(text: str) -> str:
    # SQLite would end the pattern at a NUL, and find everything.
    return re.sub(r"([\\%_])", r"\\\1", text.replace("\0", "\N{REPLACEMENT CHARACTER}"))


def _read_facet(connection: sqlite3.Connection, name: str, wanted: QueueFilter, now: int) -> Facet:
    where, values = _build_where(wanted, now, leave=name)
    chosen = wanted.facets.get(name)
    if name == "age":
        counts = [(age, _count(connection, f"{where} AND {_age_condition(age)}", values)) for age in AGES]
    else:
        counts = list(_count_values(connection, name, where, values))
    if name == "status":
        counts.sort(key=lambda pair: TaskState(pair[0]).rank)
    shown = [
        FacetValue(value, count, value == chosen) for value, count in counts[:MOST_VALUES] if count or value == chosen
    ]
    if chosen is not None and chosen not in {each.value for each in shown}:
        shown.append(FacetValue(chosen, dict(counts).get(chosen, 0), chosen=True))
    return Facet(name, tuple(shown), max(0, len(counts) - MOST_VALUES))


def _count(connection: sqlite3.Connection, where: str, values: Mapping[str, Any]) -> int:
    return int(connection.execute(f"SELECT count(*) {_TASKS}{where}", values).fetchone()[0])


def _count_values(
    connection: sqlite3.Connection, name: str, where: str, values: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    if name == "adapter":
        query = (
            "SELECT run.adapter AS value, count(DISTINCT task.id) AS number FROM run JOIN task ON task.id = run.task "
            f"JOIN repository ON repository.id = task.repository WHERE {where} AND run.adapter <> '' "
            "GROUP BY run.adapter ORDER BY number DESC, value"
        )
    else:
        column = "repository.name" if name == "repository" else _COLUMNS[name]
        query = (
            f"SELECT {column} AS value, count(*) AS number {_TASKS}{where} AND {column} <> '' "
            "GROUP BY value ORDER BY number DESC, value"
        )
    for row in connection.execute(query, values):
        yield row["value"], row["number"]
