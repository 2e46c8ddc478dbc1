"""Patterns of files in a folder, as sh expands them: ``test/*.py``."""

from __future__ import annotations

from fnmatch import fnmatchcase


def matches_place(path: str, pattern: str) -> bool:
    """Whether ``path`` has the folder of ``pattern``, and a name that its last part matches; hidden files don't."""
    folder, _, name = path.rpartition("/")
    place, _, wanted = pattern.rpartition("/")
    return folder == place and fnmatchcase(name, wanted) and name.startswith(".") is wanted.startswith(".")
