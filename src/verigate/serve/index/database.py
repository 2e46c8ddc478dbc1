"""The file of the index: opened, made again where it is of no use, read and written."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from verigate.serve.index.layout import TABLES, VERSION

_WAIT_S = 30.0
_SUFFIXES = ("", "-wal", "-shm")


class IndexFile:
    """An SQLite file at ``path``, in a folder that exists. A file of another layout, or a broken one, is made again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self.repair()

    def remove(self) -> None:
        """Remove the index, and make an empty one."""
        for suffix in _SUFFIXES:
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self.repair()

    def repair(self) -> None:
        """Make an empty index unless there is one that is of use."""
        with self._lock:
            self._prepare()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection that sees one state of the index, whatever is written meanwhile."""
        connection = self._open()
        try:
            connection.execute("PRAGMA query_only=ON")
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a connection whose changes are kept together at the end, or not at all."""
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        # It is safe to delete, also while it is in use.
        if not self.path.exists():
            self.repair()
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _prepare(self) -> None:
        try:
            if self._is_usable():
                return
        except sqlite3.DatabaseError:
            pass  # whatever it is, it is no index, and everything in one can be made again
        for suffix in _SUFFIXES:
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                connection.execute(table)
            connection.execute("INSERT INTO about VALUES ('version', ?)", (VERSION,))
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _is_usable(self) -> bool:
        if not self.path.exists():
            return False
        connection = self._connect()
        try:
            found = connection.execute("SELECT value FROM about WHERE name = 'version'").fetchone()
            intact = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
        return found is not None and found[0] == VERSION and intact == "ok"
