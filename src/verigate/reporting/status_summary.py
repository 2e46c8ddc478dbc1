"""Say in a few words what a status means, and what a pass leaves out."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.verdict import SOURCE, CheckOutcome, Status, UnitOutcome, Verdict
from verigate.reporting.escape import escape

SUMMARY = {
    Status.PASS: "every claim and rule is supported by facts",
    Status.FAIL: "facts refute this",
    Status.ERROR: "the facts could not be gathered",
    Status.INCONCLUSIVE: "the facts don't decide this",
}
_EVERYTHING = "every claim and rule is "
_SUMMARY_BY_MODEL = {
    Status.PASS: "facts support this, and a language model what they leave open",
    Status.FAIL: "a language model refutes this, by what it cites of the evidence",
}


def summarise_status(verdict: Verdict) -> str:
    """Explain the status in a few words; mentions the language model if its answers decided."""
    by_a_model = _SUMMARY_BY_MODEL if verdict.decided_by == SOURCE else SUMMARY
    summary = by_a_model.get(verdict.status, SUMMARY[verdict.status])
    if verdict.status is not Status.PASS:
        return summary
    refuted = sum(check.outcome is CheckOutcome.REFUTED and not check.holds_back for check in verdict.checks)
    left = verdict.units.count(UnitOutcome.UNDECIDED)
    known = _count_known_failures(verdict)
    exceptions = (
        f"{known} known failing {'test' if known == 1 else 'tests'}" if known else "",
        f"{refuted} refuted {'check' if refuted == 1 else 'checks'}, only reported" if refuted else "",
        f"{left} {'statement' if left == 1 else 'statements'} left undecided" if left else "",
    )
    said = " and ".join(filter(None, exceptions))
    # Short, so that a line of 80 cells has it all.
    return f"{summary.removeprefix(_EVERYTHING) if refuted else summary}, but for {said}" if said else summary


def _count_known_failures(verdict: Verdict) -> int:
    """Count the failing tests that the baseline covers: whoever claims that all pass means all others."""
    baseline = verdict.policy.get("baseline")
    tests = baseline.get("tests") if isinstance(baseline, Mapping) else None
    covered = tests.get("covered") if isinstance(tests, Mapping) else None
    return covered if isinstance(covered, int) else 0


def explain_status(verdict: Verdict) -> str:
    """Explain the status, and for a pass or a failure what decided it."""
    summary = summarise_status(verdict)
    if verdict.status not in {Status.PASS, Status.FAIL}:
        return summary
    return f"{summary} (decided by {escape(verdict.decided_by, limit=30)})"
