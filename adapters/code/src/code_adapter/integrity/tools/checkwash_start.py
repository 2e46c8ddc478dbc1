"""Start checkwash with a cache of git's output, since it lists the same commit a dozen times.

It is a program of its own: ``python checkwash_start.py ARGUMENTS`` is ``python -m checkwash ARGUMENTS``.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

_SETTLED = frozenset({"cat-file", "ls-tree", "rev-parse"})
"""What they answer can't change in a run: it compares two commits, by their ids."""


def main() -> int:
    """Run checkwash with this process's arguments; returns its exit code."""
    # What is made while loading stays; looking for garbage among it takes time.
    gc.disable()
    from checkwash.cli import main as checkwash

    gc.freeze()
    gc.enable()
    remember(_SETTLED)
    return int(checkwash())


def remember(commands: frozenset[str]) -> None:
    """Cache the result of ``subprocess.run`` for repeated git commands."""
    run = subprocess.run
    known: dict[str, subprocess.CompletedProcess[Any]] = {}

    def answer(argv: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
        if list(argv[:2]) != ["git", "-C"] or not commands.intersection(argv[3:4]):
            return run(argv, **options)
        call = repr((argv, sorted(options.items())))
        if call not in known:
            known[call] = run(argv, **options)
        return known[call]

    subprocess.run = answer  # type: ignore[assignment] # its many overloads


if __name__ == "__main__":
    sys.exit(main())
