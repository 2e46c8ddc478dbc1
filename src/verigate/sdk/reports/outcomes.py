"""Outcomes of tests, as every test report is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from verigate.sdk.reports.untrusted import ReportInvalid

Outcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Case:
    """One test. ``id`` is the tool's name for it; ``path`` is relative to the folder the tool ran in.

    ``broken`` is whether it failed before its body: it, or its file, could not be imported, compiled or set up.
    ``nested`` is whether it is a part of another test of the report, as a subtest of Go is.
    """

    id: str
    outcome: Outcome
    path: str | None = None
    line: int | None = None
    message: str = ""
    broken: bool = False
    nested: bool = False


@dataclass(frozen=True)
class Outcomes:
    """All tests of one report. ``duration_ms`` is the tool's measurement, 0 if it reports none."""

    cases: tuple[Case, ...] = ()
    duration_ms: float = field(default=0.0, compare=False)

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of tests by outcome."""
        return Counter(case.outcome for case in self.cases)

    @property
    def passed(self) -> int:
        """Number of passed tests."""
        return self.counts["passed"]

    @property
    def failed(self) -> int:
        """Number of failed tests, including errors."""
        return self.counts["failed"]

    @property
    def skipped(self) -> int:
        """Number of tests that were skipped, are TODO, or failed as expected."""
        return self.counts["skipped"]


def check_count(tool: str, stated: int, counted: int, what: str) -> None:
    """Raise ReportInvalid unless the report's total equals the number of its entries."""
    if stated != counted:
        raise ReportInvalid(f"the report of {tool} states {stated} {what}, but lists {counted}")


def merge_outcomes(reports: Iterable[Outcomes]) -> Outcomes:
    """Merge several reports into one."""
    listed = list(reports)
    return Outcomes(tuple(case for r in listed for case in r.cases), sum(r.duration_ms for r in listed))
