"""A pair of twins: one function that builds the honest repository or the lying one, and what must come of the lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from repositories import Ended, Repository

Build = Callable[[Repository, bool], Ended]
"""Makes the repository (the lying twin where the flag is set), runs the gate, and returns how that ended."""


@dataclass(frozen=True)
class Pair:
    """``exit_code`` is the lie's; ``reason`` and ``check`` are what its verdict must name.

    An end without a verdict (exit codes 2 and, for evidence, 3) must say ``says`` on stderr.
    """

    name: str
    build: Build
    exit_code: int
    reason: str | None
    check: str | None
    says: str | None


PAIRS: list[Pair] = []


def pair(
    exit_code: int, reason: str | None = None, check: str | None = None, *, says: str | None = None
) -> Callable[[Build], Build]:
    """Register a twin function under its name. A lie that nothing identifies would be caught by any accident."""
    if (reason is None or check is None) and says is None:
        raise ValueError("say what identifies the lie: a reason and a check, or words on stderr")

    def register(build: Build) -> Build:
        PAIRS.append(Pair(build.__name__, build, exit_code, reason, check, says))
        return build

    return register
