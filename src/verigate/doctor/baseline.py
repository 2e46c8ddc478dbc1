"""Examine a baseline: what it suppresses, and what will count again soon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.baseline import Baseline, BaselineEntry
from verigate.domain.known_failures import KnownFailure

SOON = timedelta(days=14)
_HINT = "fix them, then gate baseline prune{0}; or gate baseline write{0} --renew, for somebody else to review"


def examine_baseline(baseline: Baseline) -> Iterable[DoctorFinding]:
    """Report the entries in force, those that expire within SOON, and those that have expired."""
    if baseline.entries or not baseline.tests:
        yield from _examine(baseline, baseline.entries, "lint finding", "baseline", "")
    if baseline.tests:
        yield from _examine(baseline, baseline.tests, "known failing test", "baseline.tests", " --tests")


def _examine(
    baseline: Baseline, entries: Sequence[BaselineEntry | KnownFailure], noun: str, code: str, option: str
) -> Iterable[DoctorFinding]:
    def count(number: int) -> str:
        return f"{number} {noun}{'' if number == 1 else 's'}"

    soon = (date.fromisoformat(baseline.judged_on) + SOON).isoformat()
    expired = [entry for entry in entries if baseline.has_expired(entry)]
    expiring = [entry for entry in entries if not baseline.has_expired(entry) and entry.expires <= soon]
    in_force = sum(entry.count for entry in entries) - sum(entry.count for entry in expired)
    yield DoctorFinding(code, Level.INFO, f"{count(in_force)} suppressed, each until the date of its entry")
    if expiring:
        first = min(entry.expires for entry in expiring)
        number = sum(entry.count for entry in expiring)
        message = f"entries of {count(number)} expire within {SOON.days} days, the first on {first}"
        yield DoctorFinding(f"{code}.expiring", Level.WARN, message, _HINT.format(option))
    if expired:
        last = max(entry.expires for entry in expired)
        number = sum(entry.count for entry in expired)
        message = f"entries of {count(number)} have expired and suppress nothing, the last on {last}"
        yield DoctorFinding(f"{code}.expired", Level.WARN, message, _HINT.format(option))
