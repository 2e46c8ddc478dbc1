"""Find whether the git that runs a hook amends HEAD, by its command line: git passes nothing else that shows it.

Read from /proc, proc(5). Where nothing is found there, the commit counts as a new one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

_MOST_ANCESTORS = 16
_MOST_BYTES = 1_000_000
_OPTION = "--amend"
_SHORTEST = "--am"
"""git takes every beginning of an option that no other one has."""


def is_amending(pid: int | None = None, proc: Path = Path("/proc")) -> bool:
    """Whether the nearest ``git commit`` among the ancestors of the process amends."""
    for _ in range(_MOST_ANCESTORS):
        pid = os.getppid() if pid is None else _read_parent(proc, pid)
        if pid <= 1:
            return False
        if (amends := amends_head(_read_arguments(proc, pid))) is not None:
            return amends
    return False


def amends_head(arguments: Sequence[str]) -> bool | None:
    """Whether this command line of git amends HEAD; None if it isn't one of ``git commit``."""
    if not arguments:
        return None
    program, *words = arguments
    name = program.rpartition("/")[2]
    if name == "git" and "commit" in words:
        words = words[words.index("commit") + 1 :]
    elif name != "git-commit":
        return None
    options = words[: words.index("--")] if "--" in words else words
    return any(word.startswith(_SHORTEST) and _OPTION.startswith(word) for word in options)


def _read_arguments(proc: Path, pid: int) -> list[str]:
    try:
        with (proc / str(pid) / "cmdline").open("rb") as stream:
            return os.fsdecode(stream.read(_MOST_BYTES)).split("\0")[:-1]
    except OSError:
        return []


def _read_parent(proc: Path, pid: int) -> int:
    """Return the parent's id; 0 if it can't be read. The name in parentheses may hold anything."""
    try:
        with (proc / str(pid) / "stat").open("rb") as stream:
            return int(stream.read(_MOST_BYTES).rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
