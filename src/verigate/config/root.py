"""Find the root of the repository that a command is run in."""

from __future__ import annotations

import os

from verigate.domain.task_folder import ARTIFACTS_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_MARKS = (
    "config/adapter-plan.json",
    "config/verification.profiles.json",
    "config/adapters.json",
    "config/sandbox.json",
    "config/cache.json",
    "adapters",
    ARTIFACTS_FOLDER,
)


def find_root(start: Path) -> Path:
    """Find the git toplevel above ``start``, else the nearest folder with configuration, else ``start``; resolved.

    A ``.git`` file (worktrees, submodules) counts like a folder. git isn't run: starting it takes longer than the rest.
    """
    from pathlib import Path

    return Path(find_root_folder(os.fspath(start)))


def find_root_folder(start: str) -> str:
    """Do what ``find_root`` does without pathlib, which takes longer to load than this to run."""
    here = os.path.realpath(start)
    folders = [here]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:  # noqa: PTH120
        folders.append(parent)
    return next(filter(_is_git_root, folders), None) or next(filter(_is_configured, folders), here)


def find_surrounding_root(start: Path) -> Path | None:
    """Find what ``find_root`` finds; None where ``start`` is in no repository and below no configuration."""
    root = find_root(start)
    return root if _is_git_root(str(root)) or _is_configured(str(root)) else None


def _is_git_root(folder: str) -> bool:
    return _is_git(os.path.join(folder, ".git"))  # noqa: PTH118 - pathlib is slow to load


def _is_configured(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS)  # noqa: PTH110, PTH118 - as above


def _is_git(entry: str) -> bool:
    """Return whether this is a ``.git``. git also ignores an empty folder of that name and searches above it."""
    if os.path.isfile(entry):  # noqa: PTH113
        return True
    return os.path.isdir(entry) and os.path.exists(f"{entry}/HEAD")  # noqa: PTH110, PTH112
