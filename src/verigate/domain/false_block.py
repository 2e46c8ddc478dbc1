"""A person's report that a verdict blocked what should have passed. It changes no verdict."""

from __future__ import annotations

from msgspec import Struct

MAX_FINDINGS = 200
MAX_NAME = 100


class FalseBlock(Struct, frozen=True):
    """A report about one verdict.

    ``verdict`` is the SHA-256 of its verdict.json (``sha256:HEX``), ``status`` and ``finished`` are the verdict's own.
    ``findings`` are ids of checks that held it back, ``reasons`` their reason codes. ``reason`` is one line, ``by`` the
    name of who reports, or "", and ``reported`` the moment (RFC 3339).
    """

    task_id: str
    verdict: str
    status: str
    finished: str
    findings: tuple[str, ...]
    reasons: tuple[str, ...]
    reason: str
    by: str
    reported: str


class FalseBlocks(Struct, frozen=True):
    """The reports about the tasks of one repository, the newest first; ``unreadable`` counts lines that are none."""

    reports: tuple[FalseBlock, ...] = ()
    unreadable: int = 0
