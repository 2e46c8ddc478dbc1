"""Find programs outside of the repository, by names alone. It loads nothing: hooks need it before anything else."""

from __future__ import annotations

import os


def find_outside_program(name: str, path: str, outside: str) -> str | None:
    """Find the first program ``name`` on ``path`` (as in PATH) outside the folder ``outside``; None without one.

    A repository must not bring the program that judges it; relative entries of PATH could point to one.
    """
    fence = os.path.realpath(outside)
    for folder in path.split(os.pathsep):
        candidate = os.path.join(folder, name)
        if not os.path.isabs(folder) or not os.access(candidate, os.X_OK):
            continue
        if not is_below(os.path.realpath(candidate), fence) and not is_below(os.path.realpath(folder), fence):
            return candidate
    return None


def is_below(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or lies in it, by text alone; both absolute and normalised."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
