"""What ``gate doctor`` says of a baseline: what it leaves out, and what is about to count again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.baseline import Baseline

SOON = timedelta(days=14)
_HINT = "mend them, then gate baseline prune; or gate baseline write --renew, for somebody else to review"


def examine_baseline(baseline: Baseline) -> Iterable[DoctorFinding]:
    """What is in force, what ends within SOON, what has ended."""
    soon = (date.fromisoformat(baseline.judged_on) + SOON).isoformat()
    expired = [entry for entry in baseline.entries if baseline.has_expired(entry)]
    expiring = [entry for entry in baseline.entries if not baseline.has_expired(entry) and entry.expires <= soon]
    in_force = sum(entry.count for entry in baseline.entries) - sum(entry.count for entry in expired)
    yield DoctorFinding(
        "baseline", Level.INFO, f"{_count_findings(in_force)} left out, each until the date of its entry"
    )
    if expiring:
        first = min(entry.expires for entry in expiring)
        number = sum(entry.count for entry in expiring)
        message = f"entries of {_count_findings(number)} expire within {SOON.days} days, the first on {first}"
        yield DoctorFinding("baseline.expiring", Level.WARN, message, _HINT)
    if expired:
        last = max(entry.expires for entry in expired)
        number = sum(entry.count for entry in expired)
        message = f"entries of {_count_findings(number)} have expired and leave nothing out, the last on {last}"
        yield DoctorFinding("baseline.expired", Level.WARN, message, _HINT)


def _count_findings(number: int) -> str:
    return f"{number} lint finding{'' if number == 1 else 's'}"
