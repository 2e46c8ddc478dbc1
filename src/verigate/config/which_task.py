"""Choose the task of a command: by argument, GATE_TASK_ID, ``.artifacts/current``, trailer or branch, else none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.domain.task import IMPLICIT_TASK_ID, TASK_ID
from verigate.domain.task_folder import ARTIFACTS_FOLDER, COMMITMENT_FILE, CURRENT_FILE
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name


class TaskChoice(Struct, frozen=True):
    """The chosen task and its source. ``task_id`` None: no source names one, the task is implicit."""

    task_id: str | None
    origin: str

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
            hint="use 1 to 64 of the characters A-Z a-z 0-9 _ -",
        )
    return task_id


def choose_task(
    argument: str | None,
    environ: Mapping[str, str],
    root: Path,
    *,
    trailer: Callable[[], str | None],
    branch: Callable[[], str | None],
) -> TaskChoice:
    """Choose the task that the first source names; a branch counts only if it has a commitment.

    ``trailer`` and ``branch`` are asked only when nothing before them answers.
    """
    if argument is not None:
        return TaskChoice(check_task_id(argument, "the command line"), "argument")
    if (named := environ.get("GATE_TASK_ID")) is not None:
        return TaskChoice(check_task_id(named, "GATE_TASK_ID"), "GATE_TASK_ID")
    if (current := read_current_task(root)) is not None:
        return TaskChoice(current, CURRENT_FILE)
    if (found := trailer()) is not None:
        return TaskChoice(check_task_id(found, "the Gate-Task trailer"), "Gate-Task trailer")
    if (name := branch()) and TASK_ID.fullmatch(name) and has_commitment(root, name):
        return TaskChoice(name, "branch name")
    return TaskChoice(None, "implicit")


def read_current_task(root: Path) -> str | None:
    """Read the task that ``.artifacts/current`` names; None without that file. Raises UsageError for an invalid id."""
    content = read_bytes(root / CURRENT_FILE, shown=CURRENT_FILE, max_bytes=4096)
    if content is None:
        return None
    return check_task_id(content.decode("utf-8", "replace").strip(), CURRENT_FILE)


def has_commitment(root: Path, task_id: str) -> bool:
    """Return whether a task has a commitment."""
    return (root / ARTIFACTS_FOLDER / task_id / COMMITMENT_FILE).is_file()


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
