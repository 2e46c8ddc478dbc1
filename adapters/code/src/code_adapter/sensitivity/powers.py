"""Compare what the tests of base notice with what those of the subject notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.sensitivity.mutants import Mutant, Operator

LEAST = 3
"""Fewer mutants than these, noticed by a test of base, say nothing about it."""


class Fate(StrEnum):
    """What became of a mutant."""

    NOTICED = "noticed"
    """A test of the subject notices it as well."""
    LOST = "lost"
    """No test of the subject notices it any more."""
    OPEN = "open"
    """Time was up before the subject's tests had all run."""


@dataclass(frozen=True)
class Tried:
    """A mutant that tests of base notice, and what became of it. ``head`` are the subject's tests that notice it."""

    mutant: Mutant
    line: int
    base: frozenset[TestName]
    head: frozenset[TestName]
    fate: Fate


def find_lost(tried: Sequence[Tried]) -> dict[TestName, list[Tried]]:
    """Find the tests of base that took the power with them: as few as notice all the mutants that are lost."""
    left = [item for item in tried if item.fate is Fate.LOST]
    found: dict[TestName, list[Tried]] = {}
    while left:
        counts = Counter(test for item in left for test in item.base)
        test = min(counts, key=lambda each: (-counts[each], each))
        found[test] = [item for item in left if test in item.base]
        left = [item for item in left if test not in item.base]
    return dict(sorted(found.items()))


Needed = Mapping[TestName, frozenset[Operator]]
"""The kinds of mutants of which a test of base has to have noticed one."""


def find_held(tried: Sequence[Tried], needed: Needed | None = None) -> dict[TestName, int]:
    """Find the tests of base all of whose mutants are noticed, with their number: LEAST, and the needed ones."""
    found: dict[TestName, list[Tried]] = {}
    for item in tried:
        for test in item.base:
            found.setdefault(test, []).append(item)
    return {
        test: len(own)
        for test, own in sorted(found.items())
        if len(own) >= LEAST
        and {item.fate for item in own} == {Fate.NOTICED}
        and (needed or {}).get(test, frozenset()) <= {item.mutant.operator for item in own}
    }
