"""Which task a command is about: the argument, GATE_TASK_ID, ``.artifacts/current``, a trailer, the branch, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.domain.task import TASK_ID
from verigate.domain.task_folder import ARTIFACTS_FOLDER, COMMITMENT_FILE, CURRENT_FILE
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name


class TaskChoice(Struct, frozen=True):
    """The task that was chosen and by what. ``task_id`` None: nothing names one, the task is implicit."""

    task_id: str | None
    origin: str


def check_task_id(task_id: str, origin: str) -> str:
    """``task_id`` if it can be one. Raises UsageError: with a slash or a dot it could leave the folder."""
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
    """The first source that names a task wins; a branch counts only if it has a commitment.

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
    """What ``.artifacts/current`` names; None where there is no such file."""
    content = read_bytes(root / CURRENT_FILE, shown=CURRENT_FILE, max_bytes=4096)
    if content is None:
        return None
    return check_task_id(content.decode("utf-8", "replace").strip(), CURRENT_FILE)


def has_commitment(root: Path, task_id: str) -> bool:
    """Whether a task has been begun."""
    return (root / ARTIFACTS_FOLDER / task_id / COMMITMENT_FILE).is_file()


def list_task_ids(root: Path) -> tuple[str, ...]:
    """The ids of all task folders, sorted."""
    folder = root / ARTIFACTS_FOLDER
    if not folder.is_dir():
        return ()
    names = (entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink())
    return tuple(sorted(name for name in names if TASK_ID.fullmatch(name)))


def suggest_task(root: Path, task_id: str) -> str:
    """A hint for an id that has no task: the nearest known ones, or what is known, and how to begin it."""
    begin = f"begin it with `gate start {task_id}`"
    known = suggest_name(task_id, [name for name in list_task_ids(root) if name != task_id], 3)
    return f"{known}; or {begin}" if known else begin
