"""Read a task as it stands on disk: its verdict if that is genuine, and why there is none if not."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from verigate.config.which_task import has_ended
from verigate.domain.task_folder import UNVERIFIED_FILE, VERDICT_FILE
from verigate.domain.verdict import Status
from verigate.errors import EvidenceError
from verigate.evidence.store import Published, task_folder
from verigate.usecases.replay import read_genuine

LARGEST = 512 * 1024 * 1024
"""Bytes of a task that a server reads: whoever can write to ``.artifacts`` could fill its memory else."""


class TaskState(StrEnum):
    """What a task shows, in the order in which it wants to be looked at.

    ``broken``: there is a verdict, and it or its evidence was changed, or is incomplete. ``open``: there is none yet.
    """

    BROKEN = "broken"
    FAIL = "fail"
    ERROR = "error"
    INCONCLUSIVE = "inconclusive"
    OPEN = "open"
    PASS = "pass"  # noqa: S105 - a verdict, not a password

    @property
    def rank(self) -> int:
        """Its place in the queue, from 0."""
        return list(TaskState).index(self)

    @property
    def words(self) -> str:
        """The state in the words of the pages."""
        return {"broken": "seal broken", "open": "no verdict yet"}.get(self.value, self.value)


class TaskReading(Struct, frozen=True):
    """A task as read. ``published`` is None where the state is ``broken`` or ``open``, and ``problem`` says why.

    ``marked``: it carries a mark of work that was not verified. ``ended``: ``gate end`` closed it.
    """

    state: TaskState
    published: Published | None = None
    problem: str = ""
    marked: bool = False
    ended: bool = False


def read_task(root: Path, task_id: str) -> TaskReading:
    """Read a task, with all digests checked and the verdict decided again. Never raises for what its files hold."""
    try:
        folder = task_folder(root, task_id)
    except EvidenceError as problem:
        return TaskReading(TaskState.BROKEN, problem=f"{problem.message}: {problem.where}")
    marked, ended = (folder / UNVERIFIED_FILE).is_file(), has_ended(root, task_id)
    if (size := _measure(os.fspath(folder))) > LARGEST:
        why = f"not checked: its files have {size:,} bytes, more than {LARGEST:,}; `gate show {task_id}` reads them"
        return TaskReading(TaskState.BROKEN, problem=why, marked=marked, ended=ended)
    try:
        published = read_genuine(root, folder)
        state = TaskState(Status(published.verdict["status"]).value)
    except (EvidenceError, KeyError, TypeError, ValueError, RecursionError) as problem:
        begun = not (folder / VERDICT_FILE).exists() and not (folder / VERDICT_FILE).is_symlink()
        if begun:
            return TaskReading(TaskState.OPEN, problem="no verdict yet", marked=marked, ended=ended)
        return TaskReading(TaskState.BROKEN, problem=str(problem), marked=marked, ended=ended)
    return TaskReading(state, published, "", marked, ended)


def _measure(folder: str) -> int:
    """Sum the sizes of the files below a folder, as far as LARGEST. No link is followed."""
    pending, total = [folder], 0
    while pending and total <= LARGEST:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue  # what can't be looked at can't be read either
    return total
