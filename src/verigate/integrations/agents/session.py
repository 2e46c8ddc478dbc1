"""What the gate remembers of an agent's session between two hooks, outside the repository."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import asdict

_BEGUN = "begun"
_KEPT_S = 30 * 24 * 3600.0


class Session(Struct, frozen=True):
    """One session, or one subagent of it.

    ``commitment`` is that of the task when the turn began; ``given`` is set when somebody else made both, ``in_force``
    which task somebody had begun then. ``tree`` is the working tree at that time, "" where nobody saw the turn begin.
    ``attempts`` counts how often the end of this turn was blocked, ``reason`` is the last answer to that, ``said`` the
    agent's last message. ``marks`` are the tasks of this session that were released unverified, with their bases.
    ``origin`` is HEAD as the session began, "" where nobody saw it; ``refs`` are the branches and the stash, and the
    commits that they were when the turn began.
    """

    task_id: str
    commitment: Mapping[str, Any]
    given: bool = False
    in_force: str | None = None
    tree: str = ""
    attempts: int = 0
    reason: str = ""
    said: str = ""
    marks: tuple[tuple[str, str | None], ...] = ()
    origin: str = ""
    refs: Mapping[str, str] = {}


def short(text: str, length: int = 8) -> str:
    """A few hexadecimal digits that stand for ``text``, whatever it holds."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


class Sessions:
    """The sessions of one host in one repository. ``folder`` is made when first written to."""

    def __init__(self, folder: Path, host: str) -> None:
        self._folder = folder / "sessions"
        self._host = host

    def read(self, session: str, agent: str | None = None) -> Session | None:
        """What is remembered; None for nothing, or for what can't be read."""
        try:
            return convert(json.loads(self._path(session, agent).read_bytes()), Session)
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, session: str, agent: str | None, state: Session) -> None:
        """Remember. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(session, agent)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(asdict(state)), "ascii")
        part.replace(path)

    def begun_tasks(self) -> frozenset[str]:
        """The tasks that were begun during a turn of an agent."""
        try:
            return frozenset((self._folder / _BEGUN).read_text("ascii", "replace").split())
        except OSError:
            return frozenset()

    def add_begun(self, task_id: str) -> None:
        """Remember one. Raises OSError."""
        if task_id not in self.begun_tasks():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with (self._folder / _BEGUN).open("a", encoding="ascii") as file:
                file.write(f"{task_id}\n")

    def forget_old(self) -> None:
        """Remove what nobody came back to in a month. Raises OSError."""
        if not self._folder.is_dir():
            return
        for path in self._folder.glob("*.json"):
            if path.stat().st_mtime < time.time() - _KEPT_S:
                path.unlink(missing_ok=True)

    def _path(self, session: str, agent: str | None) -> Path:
        tail = f"-{short(agent)}" if agent is not None else ""
        return self._folder / f"{self._host}-{short(session, 16)}{tail}.json"
