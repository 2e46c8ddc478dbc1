"""What a test run said, whatever tool said it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from verigate.sdk.reports.bounded import ReportInvalid

Outcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Case:
    """One test. ``id`` is the tool's own name for it, ``path`` relative to the folder the tool ran in."""

    id: str
    outcome: Outcome
    path: str | None = None
    line: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Outcomes:
    """All tests of one report. ``duration_ms`` is the tool's own measurement, 0 where it gives none."""

    cases: tuple[Case, ...] = ()
    duration_ms: float = field(default=0.0, compare=False)

    @cached_property
    def counts(self) -> Counter[str]:
        """Outcome -> how many."""
        return Counter(case.outcome for case in self.cases)

    @property
    def passed(self) -> int:
        """How many passed."""
        return self.counts["passed"]

    @property
    def failed(self) -> int:
        """How many failed, errors included."""
        return self.counts["failed"]

    @property
    def skipped(self) -> int:
        """How many were skipped, are to do, or were expected to fail and did."""
        return self.counts["skipped"]


def agree(tool: str, said: int, counted: int, what: str) -> None:
    """Raise ReportInvalid unless the report's own total is what its entries add up to."""
    if said != counted:
        raise ReportInvalid(f"the report of {tool} says {said} {what}, but lists {counted}")


def merged(reports: Iterable[Outcomes]) -> Outcomes:
    """Several reports as one."""
    listed = list(reports)
    return Outcomes(tuple(case for r in listed for case in r.cases), sum(r.duration_ms for r in listed))
