"""Look at the task folders again and again, and tell when one changed."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from verigate.serve.index.refresh import IndexRefresher, Refreshed
from verigate.serve.live.events import EventLog
from verigate.serve.repositories import ServedRepository

TASKS = "tasks"
"""The topic, and the kind, of events about task folders."""

_SHORTEST_S = 1.0
_SHARE = 20
"""A look that takes a second of a processor is followed by so many without one: looking takes 5 % of it at most."""

_AFTER_FAILURE_S = 10.0
_MOST_NAMED = 50


class Watcher:
    """A thread that keeps the index up to date. ``find`` returns the repositories as they are now."""

    def __init__(
        self, refresher: IndexRefresher, events: EventLog, find: Callable[[], Sequence[ServedRepository]]
    ) -> None:
        self._refresher = refresher
        self._events = events
        self._find = find
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.repositories: tuple[ServedRepository, ...] = tuple(find())
        self.looked = 0
        self.problem = ""

    def start(self) -> None:
        """Begin to look."""
        self._thread = threading.Thread(target=self._watch, name="verigate-serve-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a look that is under way is left after the task that it reads."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(timeout=10)

    @property
    def is_over(self) -> bool:
        """Whether it was asked to end."""
        return self._over.is_set()

    def find_repository(self, name: str) -> ServedRepository | None:
        """Return the repository of a name in addresses."""
        return next((each for each in self.repositories if each.name == name), None)

    def find_root(self, root: Path) -> ServedRepository | None:
        """Return the repository at a folder."""
        return next((each for each in self.repositories if each.root == root.resolve()), None)

    def find_again(self) -> None:
        """Find the repositories as they are now."""
        self.repositories = tuple(self._find())

    def look(self) -> Refreshed:
        """Look once, and tell what changed."""
        self.find_again()
        done = self._refresher.refresh(self.repositories)
        if not self.is_over:
            self.looked += 1
        self.tell(done)
        return done

    def tell(self, done: Refreshed) -> None:
        """Publish what a refresh read, if it read anything."""
        if done.is_change:
            named = [f"{repository}/{task_id}" for repository, task_id in done.read[:_MOST_NAMED]]
            more = len(done.read) - len(named)
            self._events.publish(TASKS, TASKS, {"tasks": named, "more": more, "removed": done.removed})

    def _watch(self) -> None:
        pause = 0.0
        while not self._over.wait(pause):
            began = time.thread_time()  # on a busy machine a look takes longer, and is no more work
            try:
                self.look()
                self.problem, pause = "", max(_SHORTEST_S, _SHARE * (time.thread_time() - began))
            except sqlite3.DatabaseError as problem:
                self.problem, pause = f"the index is made again: {problem}", _SHORTEST_S
                with contextlib.suppress(sqlite3.Error, OSError):
                    self._refresher.index.repair()
            except Exception as problem:  # noqa: BLE001 - a full disk must not end the look for good
                self.problem, pause = f"the index can't be refreshed: {problem}", _AFTER_FAILURE_S
