"""Choose the task of a command: by argument, GATE_TASK_ID, a commit's trailer, ``.artifacts/current`` or branch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.domain.task import IMPLICIT_TASK_ID, TASK_ID
from verigate.domain.task_folder import ARTIFACTS_FOLDER, COMMITMENT_FILE, CURRENT_FILE, ENDED_FILE, task_path
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name

_RANGE_HINT = "a range of commits is given with --range BASE..HEAD"


class Obstacle(Struct, frozen=True):
    """Why the present work can't be a task's. ``is_brought``: the change brings its files, so it is verified anyway."""

    why: str
    is_brought: bool = False


class History(Protocol):
    """What git says about tasks; see ``task_history``. Asked only when nothing before it answers."""

    @property
    def is_commit(self) -> bool:
        """Whether a commit is verified, whose own trailer comes before everything of the work tree."""

    def trailer(self) -> str | None:
        """Return the task that the trailer of the commit names."""

    def branch(self) -> str | None:
        """Return the last part of the branch's name."""

    def has_file(self, path: str) -> bool:
        """Whether git has ``path`` in what is verified."""

    def find_obstacle(self, task_id: str) -> Obstacle | None:
        """Return why the present work can't be this task's; None if it can."""


class TaskChoice(Struct, frozen=True):
    """The chosen task and its source. ``task_id`` None: no source names one, the task is implicit.

    ``left_aside`` says in a line each which tasks were named, and why the present work can't be theirs. ``objection``:
    why it can't be the chosen one's either, which the change itself brings; empty without one.
    """

    task_id: str | None
    origin: str
    left_aside: tuple[str, ...] = ()
    objection: str = ""

    @property
    def folder_name(self) -> str:
        """The name of the task's folder: its id, also that of the implicit task."""
        return self.task_id or IMPLICIT_TASK_ID


def check_task_id(task_id: str, origin: str) -> str:
    """Return a valid ``task_id``. Raises UsageError for any other: a slash or a dot could lead out of the folder."""
    if not TASK_ID.fullmatch(task_id):
        raise UsageError(
            f"{task_id[:80]!r} is not a task id",
            where=origin,
            hint=_RANGE_HINT if ".." in task_id.lstrip(".") else "use 1 to 64 of the characters A-Z a-z 0-9 _ -",
        )
    return task_id


def choose_task(argument: str | None, environ: Mapping[str, str], root: Path, history: History) -> TaskChoice:
    """Choose the task that the first source names; a branch counts only if it has a commitment that hasn't ended.

    A task of ``.artifacts/current`` or the branch is left aside where the present work can't be its own. What the
    caller or the commit itself names never is.
    """
    given = choose_given_task(argument, environ, root) if argument is not None or "GATE_TASK_ID" in environ else None
    if given is not None:
        return given
    if history.is_commit and (found := _read_trailer(history)) is not None:
        return found
    left: list[str] = []
    current = read_current_task(root)
    if current is not None and history.has_file(CURRENT_FILE):
        left.append(f"{CURRENT_FILE} is in git, and can't say who works here: `git rm --cached {CURRENT_FILE}`")
        current = None
    if current is not None and (found := _choose_unless_obstacle(current, CURRENT_FILE, history, left)) is not None:
        return found
    if not history.is_commit and (found := _read_trailer(history)) is not None:
        return TaskChoice(found.task_id, found.origin, tuple(left))
    name = history.branch()
    if (
        name
        and name != current
        and TASK_ID.fullmatch(name)
        and has_commitment(root, name)
        and not has_ended(root, name)
        and (found := _choose_unless_obstacle(name, "branch name", history, left)) is not None
    ):
        return found
    return TaskChoice(None, "implicit", tuple(left))


def choose_given_task(argument: str | None, environ: Mapping[str, str], root: Path) -> TaskChoice:
    """Choose the task of the argument, GATE_TASK_ID or ``.artifacts/current``, whatever git says."""
    if argument is not None:
        return TaskChoice(check_task_id(argument, "the command line"), "argument")
    if (named := environ.get("GATE_TASK_ID")) is not None:
        return TaskChoice(check_task_id(named, "GATE_TASK_ID"), "GATE_TASK_ID")
    current = read_current_task(root)
    return TaskChoice(current, "implicit" if current is None else CURRENT_FILE)


def _read_trailer(history: History) -> TaskChoice | None:
    found = history.trailer()
    return None if found is None else TaskChoice(check_task_id(found, "the Gate-Task trailer"), "Gate-Task trailer")


def _choose_unless_obstacle(task_id: str, origin: str, history: History, left: list[str]) -> TaskChoice | None:
    obstacle = history.find_obstacle(task_id)
    if obstacle is None:
        return TaskChoice(task_id, origin, tuple(left))
    if obstacle.is_brought:
        unstage = f"`git restore --staged {ARTIFACTS_FOLDER}/{task_id}`"
        objection = f"the change brings files of the task {task_id}, but {obstacle.why}; leave them out with {unstage}"
        return TaskChoice(task_id, origin, tuple(left), f"{objection}, or end the task with `gate end {task_id}`")
    left.append(f"the task {task_id} is left aside: {obstacle.why}; end it with `gate end {task_id}`")
    return None


def read_current_task(root: Path) -> str | None:
    """Read the task that ``.artifacts/current`` names; None without that file. Raises UsageError for an invalid id."""
    content = read_bytes(root / CURRENT_FILE, shown=CURRENT_FILE, max_bytes=4096)
    if content is None:
        return None
    return check_task_id(content.decode("utf-8", "replace").strip(), CURRENT_FILE)


def has_commitment(root: Path, task_id: str) -> bool:
    """Return whether a task has a commitment."""
    return (root / ARTIFACTS_FOLDER / task_id / COMMITMENT_FILE).is_file()


def has_ended(root: Path, task_id: str) -> bool:
    """Return whether ``gate end`` closed the task."""
    return TASK_ID.fullmatch(task_id) is not None and (root / task_path(task_id, ENDED_FILE)).is_file()


def list_task_ids(root: Path) -> tuple[str, ...]:
    """List the ids of all task folders, sorted."""
    folder = root / ARTIFACTS_FOLDER
    if not folder.is_dir():
        return ()
    names = (entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink())
    return tuple(sorted(name for name in names if TASK_ID.fullmatch(name)))


def suggest_task(root: Path, task_id: str) -> str:
    """Make a hint for an unknown id: the nearest known ones, and how to start the task."""
    begin = f"begin it with `gate start {task_id}`"
    known = suggest_name(task_id, [name for name in list_task_ids(root) if name != task_id], 3)
    return f"{known}; or {begin}" if known else begin
