"""The tables of the index. Another layout has another ``VERSION``, and an index of an older one is made again."""

from __future__ import annotations

from verigate import __version__

VERSION = f"1 of gate {__version__}"
"""A verdict is decided again when it is read, so what is kept is of one version of the gate."""

MOST_STATEMENTS = 1000
"""Statements of one task that can be searched: their rows have the numbers from ``task * MOST_STATEMENTS``."""

TABLES = (
    "CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE repository(id INTEGER PRIMARY KEY, name TEXT NOT NULL, root TEXT NOT NULL UNIQUE)",
    # moment: seconds since 1970 when the verdict was made, or the newest file was written without one
    """CREATE TABLE task(
        id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
        name TEXT NOT NULL, signature TEXT NOT NULL, state TEXT NOT NULL, rank INTEGER NOT NULL, type TEXT NOT NULL,
        author TEXT NOT NULL, agent TEXT NOT NULL, finished TEXT, moment INTEGER NOT NULL, duration_s REAL,
        note TEXT NOT NULL, checks INTEGER NOT NULL, problems INTEGER NOT NULL, statements INTEGER NOT NULL,
        refuted INTEGER NOT NULL, tree TEXT NOT NULL, revision TEXT NOT NULL, marked INTEGER NOT NULL,
        ended INTEGER NOT NULL, UNIQUE(repository, name))""",
    "CREATE INDEX task_by_rank ON task(ended, rank, moment DESC)",
    """CREATE TABLE finding(
        task INTEGER NOT NULL REFERENCES task ON DELETE CASCADE, name TEXT NOT NULL, outcome TEXT NOT NULL,
        reason TEXT NOT NULL)""",
    "CREATE INDEX finding_by_task ON finding(task)",
    "CREATE INDEX finding_by_reason ON finding(reason, task)",
    """CREATE TABLE run(
        task INTEGER NOT NULL REFERENCES task ON DELETE CASCADE, capability TEXT NOT NULL, adapter TEXT NOT NULL,
        duration_s REAL NOT NULL, cached INTEGER NOT NULL, failure TEXT NOT NULL)""",
    "CREATE INDEX run_by_task ON run(task)",
    "CREATE INDEX run_by_adapter ON run(adapter, task)",
    """CREATE TABLE test(
        task INTEGER NOT NULL REFERENCES task ON DELETE CASCADE, name TEXT NOT NULL, outcome TEXT NOT NULL)""",
    "CREATE INDEX test_by_task ON test(task)",
    "CREATE INDEX test_by_name ON test(name)",
    "CREATE VIRTUAL TABLE statement USING fts5(words, outcome UNINDEXED, tokenize='unicode61')",
)
