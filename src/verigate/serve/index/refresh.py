"""Bring the index up to date with the task folders."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.which_task import list_task_ids
from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.serve.index.authors import read_authors
from verigate.serve.index.database import IndexFile
from verigate.serve.index.entry import TaskEntry, make_entry
from verigate.serve.index.layout import MOST_STATEMENTS
from verigate.serve.index.signature import sign_folder
from verigate.serve.repositories import ServedRepository
from verigate.serve.task_state import TaskState

_AHEAD_S = 86_400
_WRITTEN_AT_ONCE = 200
"""Tasks that are written in one transaction: readers see the first of many before the last is read."""


class Refreshed(Struct, frozen=True):
    """What a refresh did: tasks read as (repository, task), the number of those removed, and how long it took."""

    read: tuple[tuple[str, str], ...]
    removed: int
    tasks: int
    duration_s: float

    @property
    def is_change(self) -> bool:
        """Whether the index is another one than before."""
        return bool(self.read) or self.removed > 0


class IndexRefresher:
    """Refreshes one index, one refresh at a time.

    ``environ`` is for git, which knows the authors of commits. ``is_over`` is asked between tasks: true ends it early.
    """

    def __init__(
        self, index: IndexFile, environ: Mapping[str, str], is_over: Callable[[], bool] = lambda: False
    ) -> None:
        self.index = index
        self._environ = environ
        self._is_over = is_over
        self._lock = threading.Lock()

    def refresh(self, repositories: Sequence[ServedRepository]) -> Refreshed:
        """Read every task folder that changed, and forget those that are gone."""
        with self._lock:
            began, read, removed, tasks = time.monotonic(), [], 0, 0
            numbers, removed = self._keep_only(repositories)
            for repository in repositories:
                there = list_task_ids(repository.root)
                tasks += len(there)
                removed += self._forget(numbers[repository.name], frozenset(there))
                read += self._read_changed(repository, numbers[repository.name], there)
            return Refreshed(tuple(read), removed, tasks, time.monotonic() - began)

    def refresh_task(self, repository: ServedRepository, task_id: str) -> Refreshed:
        """Read one task again, if its folder changed."""
        with self._lock:
            began = time.monotonic()
            with self.index.writing() as connection:
                number = _number_repository(connection, repository)
            read = self._read_changed(repository, number, [task_id])
            return Refreshed(tuple(read), 0, 1, time.monotonic() - began)

    def _keep_only(self, repositories: Sequence[ServedRepository]) -> tuple[dict[str, int], int]:
        """Return the number of each repository, and how many tasks of others were removed."""
        roots = {str(repository.root) for repository in repositories}
        with self.index.writing() as connection:
            gone = [
                row["id"] for row in connection.execute("SELECT id, root FROM repository") if row["root"] not in roots
            ]
            removed = 0
            for number in gone:
                tasks = connection.execute("SELECT id FROM task WHERE repository = ?", (number,)).fetchall()
                for row in tasks:
                    _remove_task(connection, row["id"])
                removed += len(tasks)
                connection.execute("DELETE FROM repository WHERE id = ?", (number,))
            return {each.name: _number_repository(connection, each) for each in repositories}, removed

    def _forget(self, repository: int, there: frozenset[str]) -> int:
        with self.index.reading() as connection:
            rows = connection.execute("SELECT id, name FROM task WHERE repository = ?", (repository,)).fetchall()
        gone = [row["id"] for row in rows if row["name"] not in there]
        if gone:
            with self.index.writing() as connection:
                for number in gone:
                    _remove_task(connection, number)
        return len(gone)

    def _read_changed(
        self, repository: ServedRepository, number: int, task_ids: Sequence[str]
    ) -> list[tuple[str, str]]:
        with self.index.reading() as connection:
            rows = connection.execute("SELECT name, signature FROM task WHERE repository = ?", (number,))
            known = {row["name"]: row["signature"] for row in rows}
        read: list[tuple[str, str]] = []
        batch: list[tuple[str, str, TaskEntry]] = []
        for task_id, signature in self._find_changed(repository.root, task_ids, known):
            batch.append((task_id, signature, _read_entry(repository.root, task_id)))
            if len(batch) >= _WRITTEN_AT_ONCE:
                self._write(repository, number, batch)
                read += [(repository.name, task_id) for task_id, _, _ in batch]
                batch = []
        if batch:
            self._write(repository, number, batch)
        return read + [(repository.name, task_id) for task_id, _, _ in batch]

    def _find_changed(self, root: Path, task_ids: Sequence[str], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for task_id in task_ids:
            if self._is_over():
                return
            # Before it is read: what is written meanwhile gives another signature the next time.
            signature = sign_folder(root / ARTIFACTS_FOLDER / task_id)
            if known.get(task_id) != signature:
                yield task_id, signature

    def _write(self, repository: ServedRepository, number: int, batch: Sequence[tuple[str, str, TaskEntry]]) -> None:
        authors = read_authors(repository.root, self._environ, {entry.revision for _, _, entry in batch})
        with self.index.writing() as connection:
            for task_id, signature, entry in batch:
                author = authors.get(entry.revision, entry.author)
                moment = _choose_moment(entry.moment, repository.root, task_id)
                _write_task(connection, number, task_id, signature, replace(entry, author=author, moment=moment))


def _read_entry(root: Path, task_id: str) -> TaskEntry:
    """Read a task. Whatever its folder holds, the others are read."""
    try:
        return make_entry(root, task_id)
    except Exception as problem:  # noqa: BLE001 - as above: a page of it says what is wrong
        return TaskEntry(TaskState.BROKEN, note=f"it can't be read: {type(problem).__name__}: {problem}"[:500])


def _choose_moment(finished: int | None, root: Path, task_id: str) -> int:
    """Return when the verdict was made, else when its folder was written; never more than a day from now.

    Whoever writes a time that is still to come would be the first in the queue until then.
    """
    latest = int(time.time()) + _AHEAD_S
    if finished is not None and finished <= latest:
        return finished
    return min(_folder_moment(root, task_id), latest)


def _folder_moment(root: Path, task_id: str) -> int:
    try:
        return int((root / ARTIFACTS_FOLDER / task_id).lstat().st_mtime)
    except OSError:
        return 0


def _number_repository(connection: sqlite3.Connection, repository: ServedRepository) -> int:
    connection.execute(
        "INSERT INTO repository(name, root) VALUES (?, ?) ON CONFLICT(root) DO UPDATE SET name = excluded.name",
        (repository.name, str(repository.root)),
    )
    found = connection.execute("SELECT id FROM repository WHERE root = ?", (str(repository.root),)).fetchone()
    return int(found["id"])


def _remove_task(connection: sqlite3.Connection, number: int) -> None:
    first = number * MOST_STATEMENTS
    connection.execute("DELETE FROM statement WHERE rowid >= ? AND rowid < ?", (first, first + MOST_STATEMENTS))
    connection.execute("DELETE FROM task WHERE id = ?", (number,))


def _write_task(connection: sqlite3.Connection, repository: int, name: str, signature: str, entry: TaskEntry) -> None:
    """Write a task in place of what was known of it."""
    old = connection.execute("SELECT id FROM task WHERE repository = ? AND name = ?", (repository, name)).fetchone()
    if old is not None:
        _remove_task(connection, old["id"])
    values = {
        "id": None if old is None else old["id"],
        "repository": repository,
        "name": name,
        "signature": signature,
        "state": entry.state.value,
        "rank": entry.state.rank,
        "type": entry.type,
        "author": entry.author,
        "agent": entry.agent,
        "finished": entry.finished,
        "moment": entry.moment or 0,
        "duration_s": entry.duration_s,
        "note": entry.note,
        "checks": len(entry.findings),
        "problems": entry.problems,
        "statements": len(entry.statements),
        "refuted": sum(outcome == "refuted" for _, outcome in entry.statements),
        "tree": entry.tree,
        "revision": entry.revision,
        "marked": entry.marked,
        "ended": entry.ended,
    }
    named = ", ".join(f":{column}" for column in values)
    shown = {column: _storable(value) for column, value in values.items()}
    number = connection.execute(f"INSERT INTO task({', '.join(values)}) VALUES ({named})", shown).lastrowid
    assert number is not None  # noqa: S101 - a row was added
    rows = [(number, *map(_storable, finding)) for finding in entry.findings]
    connection.executemany("INSERT INTO finding VALUES (?, ?, ?, ?)", rows)
    runs = [
        (number, _storable(r.capability), _storable(r.adapter), r.duration_s, r.cached, _storable(r.failure))
        for r in entry.runs
    ]
    connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?)", runs)
    connection.executemany(
        "INSERT INTO test VALUES (?, ?, ?)", [(number, *map(_storable, test)) for test in entry.tests]
    )
    first = number * MOST_STATEMENTS
    texts = [(first + at, _storable(text), outcome) for at, (text, outcome) in enumerate(entry.statements)]
    connection.executemany("INSERT INTO statement(rowid, words, outcome) VALUES (?, ?, ?)", texts)


def _storable(value: object) -> object:
    """SQLite takes no lone surrogates."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
