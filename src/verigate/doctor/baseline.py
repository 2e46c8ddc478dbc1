"""Examine a baseline: what it suppresses, and what will count again soon."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.baseline import Baseline

SOON = timedelta(days=14)
_HINT = "fix them, then gate baseline prune; or gate baseline write --renew, for somebody else to review"


def examine_baseline(baseline: Baseline) -> Iterable[DoctorFinding]:
    """Report the entries in force, those that expire within SOON, and those that have expired."""
    soon = (date.fromisoformat(baseline.judged_on) + SOON).isoformat()
    expired = [entry for entry in baseline.entries if baseline.has_expired(entry)]
    expiring = [entry for entry in baseline.entries if not baseline.has_expired(entry) and entry.expires <= soon]
    in_force = sum(entry.count for entry in baseline.entries) - sum(entry.count for entry in expired)
    yield DoctorFinding(
        "baseline", Level.INFO, f"{_count_findings(in_force)} suppressed, each until the date of its entry"
    )
    if expiring:
        first = min(entry.expires for entry in expiring)
        number = sum(entry.count for entry in expiring)
        message = f"entries of {_count_findings(number)} expire within {SOON.days} days, the first on {first}"
        yield DoctorFinding("baseline.expiring", Level.WARN, message, _HINT)
    if expired:
        last = max(entry.expires for entry in expired)
        number = sum(entry.count for entry in expired)
        message = f"entries of {_count_findings(number)} have expired and suppress nothing, the last on {last}"
        yield DoctorFinding("baseline.expired", Level.WARN, message, _HINT)


def _count_findings(number: int) -> str:
    return f"{number} lint finding{'' if number == 1 else 's'}"
