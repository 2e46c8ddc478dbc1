"""A pair of twins: one function that builds the honest repository or the lying one, and what must come of the lie."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from repositories import Ended, Repository

Build = Callable[[Repository, bool], Ended]
"""Makes the repository (the lying twin where the flag is set), runs the gate, and returns how that ended."""

ANY = "any"
"""The language of a pair that is about the gate, whatever the code is written in."""


@dataclass(frozen=True)
class Pair:
    """``exit_code`` is the lie's; ``reason`` and ``check`` are what its verdict must name.

    An end without a verdict (exit codes 2 and, for evidence, 3) must say ``says`` on stderr. ``kind`` is the class of
    the lie, ``language`` the one language that the pair counts for. ``limit`` says why the lie may pass. ``in_suite``
    is False for one of many alike, which only ``tests/bench/twins.py`` runs.
    """

    name: str
    build: Build
    exit_code: int
    reason: str | None
    check: str | None
    says: str | None
    kind: str
    language: str
    limit: str | None = None
    in_suite: bool = True

    def find_miss(self, ended: Ended, lie: bool) -> str | None:
        """Return what is wrong with how a form ended, None if it is as it must be."""
        if not lie:
            return None if ended.exit_code == 0 else str(ended)
        if ended.exit_code != self.exit_code:
            return str(ended)
        if self.says is not None and self.says not in ended.stderr.decode() + ended.stdout.decode():
            return f"nothing says {self.says!r}: {ended}"
        if self.reason is None or self.check is None:
            return None
        check = ended.check(self.check)
        named = check is not None and check["reason"] == self.reason and self.reason in ended.reasons
        stopped = check is not None and check["outcome"] in {"refuted", "error", "unknown"}
        return None if named and stopped else f"{self.check} doesn't say {self.reason}: {check}\n{ended}"


PAIRS: list[Pair] = []


def pair(
    exit_code: int,
    reason: str | None = None,
    check: str | None = None,
    *,
    says: str | None = None,
    kind: str | None = None,
    language: str | None = None,
) -> Callable[[Build], Build]:
    """Register a twin function under its name. A lie that nothing identifies would be caught by any accident.

    ``kind`` and ``language`` are those of the module where they aren't given: its name, and its ``LANGUAGE``.
    """
    if (reason is None or check is None) and says is None:
        raise ValueError("say what identifies the lie: a reason and a check, or words on stderr")

    def register(build: Build) -> Build:
        module = sys.modules[build.__module__]
        of_kind = kind or getattr(module, "KIND", module.__name__.rpartition(".")[2].replace("_", " "))
        spoken = language or getattr(module, "LANGUAGE", ANY)
        PAIRS.append(Pair(build.__name__, build, exit_code, reason, check, says, of_kind, spoken))
        return build

    return register
