"""The folder that a command is about."""

from __future__ import annotations

from pathlib import Path

_MARKS = (
    "config/adapter-plan.json",
    "config/verification.profiles.json",
    "config/adapters.json",
    "adapters",
    ".artifacts",
)


def find_root(start: Path) -> Path:
    """The git toplevel above ``start``, else the nearest folder that has configuration, else ``start``; resolved.

    A ``.git`` file (worktrees, submodules) counts like a folder. git isn't started: a start costs more than the rest.
    """
    here = start.resolve()
    folders = (here, *here.parents)
    for folder in folders:
        if _is_git(folder / ".git"):
            return folder
    for folder in folders:
        if any((folder / mark).exists() for mark in _MARKS):
            return folder
    return here


def _is_git(entry: Path) -> bool:
    """An empty folder called ``.git`` is none to git either, which goes on looking above it."""
    if entry.is_file():
        return True
    return entry.is_dir() and (entry / "HEAD").exists()
