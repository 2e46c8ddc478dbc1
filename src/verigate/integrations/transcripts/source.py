"""What a reader of a host's transcripts is: where its files are, and what one of them says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from verigate.domain.agent_history import PastSession, Unread


class Reading:
    """Counts what could not be read."""

    def __init__(self) -> None:
        self.files = 0
        self.lines = 0

    def unread(self) -> Unread:
        """The counts."""
        return Unread(self.files, self.lines)


class Source(Protocol):
    """One host's transcripts. ``name`` is what ``--host`` calls it."""

    name: str

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """List the files of sessions, the oldest first."""
        ...

    def read(self, path: Path, reading: Reading) -> PastSession:
        """Read one of them; what can't be read is counted and left out. Raises OSError."""
        ...
