"""Ask the index what all tasks show together: shares by week, frequent reasons, slow capabilities, flaky tests."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from verigate.serve.task_state import TaskState

MOST_WEEKS = 26
MOST_LISTED = 20
_JUDGED = tuple(state.value for state in (TaskState.PASS, TaskState.FAIL, TaskState.ERROR, TaskState.INCONCLUSIVE))
_WEEK_S = 7 * 86_400
_FIRST_MONDAY_S = 4 * 86_400
"""1970 began on a Thursday."""


class WeekShares(Struct, frozen=True):
    """The verdicts of a week, which begins on ``monday`` in UTC; ``counts`` by state."""

    monday: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        """All verdicts of the week."""
        return sum(self.counts.values())


class ReasonCount(Struct, frozen=True):
    """A reason code, how many checks have it, and in how many tasks."""

    code: str
    checks: int
    tasks: int


class CapabilityTime(Struct, frozen=True):
    """How long the runs of a capability took, in seconds; those from a cache don't count."""

    capability: str
    runs: int
    mean_s: float
    longest_s: float
    failures: int


class FlakyTest(Struct, frozen=True):
    """A test that doesn't do the same each time: in repeated runs of a task, or in verdicts about one tree."""

    test: str
    repeated: int
    trees: int


class History(Struct, frozen=True):
    """What the verdicts that are published show. ``approved`` counts tasks that a person let pass by an approval."""

    tasks: int
    judged: int
    weeks: tuple[WeekShares, ...]
    reasons: tuple[ReasonCount, ...]
    capabilities: tuple[CapabilityTime, ...]
    flaky: tuple[FlakyTest, ...]
    failing: tuple[tuple[str, int], ...]


def read_history(connection: sqlite3.Connection, repository: str | None = None) -> History:
    """Read the history of one repository, or of all."""
    of, values = _restrict(repository)
    tasks = int(connection.execute(f"SELECT count(*) FROM task WHERE {of}", values).fetchone()[0])
    weeks = _read_weeks(connection, of, values)
    marks = ", ".join(f"'{state}'" for state in _JUDGED)
    judged = int(
        connection.execute(f"SELECT count(*) FROM task WHERE {of} AND state IN ({marks})", values).fetchone()[0]
    )
    return History(
        tasks,
        judged,
        weeks,
        _read_reasons(connection, of, values),
        _read_capabilities(connection, of, values),
        _read_flaky(connection, of, values),
        _read_failing(connection, of, values),
    )


def _restrict(repository: str | None) -> tuple[str, dict[str, str]]:
    if repository is None:
        return "1", {}
    return "task.repository IN (SELECT id FROM repository WHERE name = :name)", {"name": repository}


def _read_weeks(connection: sqlite3.Connection, of: str, values: dict[str, str]) -> tuple[WeekShares, ...]:
    week = f"(moment - {_FIRST_MONDAY_S}) / {_WEEK_S}"
    marks = ", ".join(f"'{state}'" for state in _JUDGED)
    rows = connection.execute(
        f"SELECT {week} AS week, state, count(*) AS number FROM task WHERE {of} AND state IN ({marks}) "
        "AND finished IS NOT NULL GROUP BY week, state ORDER BY week DESC",
        values,
    )
    found: dict[int, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["week"], dict.fromkeys(_JUDGED, 0))[row["state"]] = row["number"]
    newest = sorted(found, reverse=True)[:MOST_WEEKS]
    return tuple(WeekShares(_name_week(number), found[number]) for number in newest)


def _name_week(number: int) -> str:
    try:
        monday = datetime(1970, 1, 5, tzinfo=UTC) + timedelta(weeks=number)
    except OverflowError:
        return "?"
    return monday.date().isoformat()


def _read_reasons(connection: sqlite3.Connection, of: str, values: dict[str, str]) -> tuple[ReasonCount, ...]:
    rows = connection.execute(
        "SELECT reason, count(*) AS checks, count(DISTINCT task.id) AS tasks FROM finding "
        f"JOIN task ON task.id = finding.task WHERE {of} AND reason <> '' "
        f"GROUP BY reason ORDER BY tasks DESC, checks DESC, reason LIMIT {MOST_LISTED}",
        values,
    )
    return tuple(ReasonCount(row["reason"], row["checks"], row["tasks"]) for row in rows)


def _read_capabilities(connection: sqlite3.Connection, of: str, values: dict[str, str]) -> tuple[CapabilityTime, ...]:
    rows = connection.execute(
        "SELECT capability, sum(run.cached = 0) AS runs, "
        "avg(CASE WHEN run.cached = 0 THEN run.duration_s END) AS mean, "
        "max(CASE WHEN run.cached = 0 THEN run.duration_s END) AS longest, sum(failure <> '') AS failures FROM run "
        f"JOIN task ON task.id = run.task WHERE {of} GROUP BY capability "
        f"ORDER BY mean DESC NULLS LAST, capability LIMIT {MOST_LISTED}",
        values,
    )
    return tuple(
        CapabilityTime(row["capability"], row["runs"], row["mean"] or 0.0, row["longest"] or 0.0, row["failures"])
        for row in rows
    )


def _read_flaky(connection: sqlite3.Connection, of: str, values: dict[str, str]) -> tuple[FlakyTest, ...]:
    """A test that failed in a task, and not in another of the same tree whose tests ran, is no test of that tree."""
    rows = connection.execute(
        "WITH ran AS (SELECT task.id, task.repository, task.tree FROM task WHERE "
        f"{of} AND tree <> '' AND EXISTS (SELECT 1 FROM run WHERE run.task = task.id AND capability = 'code:tests' "
        "AND failure = '')), "
        "unlike AS (SELECT test.name AS test, ran.tree FROM test JOIN ran ON ran.id = test.task "
        "WHERE test.outcome = 'failed' GROUP BY test.name, ran.repository, ran.tree "
        "HAVING count(DISTINCT ran.id) < (SELECT count(*) FROM ran AS every "
        "WHERE every.tree = ran.tree AND every.repository = ran.repository)), "
        "every AS (SELECT test, 0 AS repeated, 1 AS trees FROM unlike UNION ALL "
        f"SELECT test.name, 1, 0 FROM test JOIN task ON task.id = test.task WHERE {of} AND test.outcome = 'flaky') "
        "SELECT test, sum(repeated) AS repeated, sum(trees) AS trees FROM every GROUP BY test "
        f"ORDER BY sum(repeated) + sum(trees) DESC, test LIMIT {MOST_LISTED}",
        values,
    )
    return tuple(FlakyTest(row["test"], row["repeated"], row["trees"]) for row in rows)


def _read_failing(connection: sqlite3.Connection, of: str, values: dict[str, str]) -> tuple[tuple[str, int], ...]:
    rows = connection.execute(
        "SELECT test.name AS name, count(DISTINCT task.id) AS tasks FROM test JOIN task ON task.id = test.task "
        f"WHERE {of} AND test.outcome = 'failed' GROUP BY test.name "
        f"ORDER BY tasks DESC, name LIMIT {MOST_LISTED}",
        values,
    )
    return tuple((row["name"], row["tasks"]) for row in rows)
