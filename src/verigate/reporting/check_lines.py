"""Describe one check as escaped lines, in the same words for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verigate.domain.verdict import Check, CheckOutcome, Verdict
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.explain import reproduce_commands
from verigate.reporting.finding_headline import format_headline, format_location
from verigate.reporting.findings import ReportFinding, ReportFindings, is_warning
from verigate.reporting.text import OUTCOME_WORDS, format_evidence, inspect_command, verify_command

MAX_EVIDENCE = 6
"""Most pieces of evidence listed per check."""


class CheckLines:
    """Describes the checks of one verdict."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        # A run with --only publishes nothing: only another run shows it again.
        self._published = verdict.check("gate.only") is None

    @property
    def task_id(self) -> str:
        """The verdict's task, not escaped."""
        return self._verdict.task_id

    def reproduction(self, check: Check) -> str:
        """The command that shows this check again, quoted for a shell."""
        if not self._published or check.id == "gate.verdict":
            return verify_command(self._verdict)
        return inspect_command(check, self._verdict.task_id)

    def commands(self, check: Check) -> tuple[str, ...]:
        """The commands that show this check again and that run its tools again, quoted for a shell."""
        return tuple(dict.fromkeys((self.reproduction(check), reproduce_commands(check, self._verdict)[-1])))

    def lines(self, check: Check, findings: Sequence[ReportFinding] = (), *, most: int = 100) -> Iterator[str]:
        """Message, expected and actual value, findings (at most ``most``), evidence, command to reproduce."""
        if check.message:
            yield escape(check.message, limit=2000)
        for label, value in (("expected", check.expected), ("actual", shown_actual(check))):
            if value is not None:
                yield f"{label} {escape_value(value)}"
        listed = [finding for finding in findings if finding.message != check.message]
        for finding in listed[:most]:
            yield f"- {format_finding(finding)}"
        if len(listed) > most:
            yield f"… and {len(listed) - most} more"
        for ref in check.evidence[:MAX_EVIDENCE]:
            yield f"evidence {format_evidence(ref)}"
        if len(check.evidence) > MAX_EVIDENCE:
            yield f"… and {len(check.evidence) - MAX_EVIDENCE} more pieces of evidence"
        yield f"reproduce {self.reproduction(check)}"


def format_title(check: Check) -> str:
    """Format outcome and reason: ``refuted TEST_FAIL``, with "(reported only)" if it doesn't hold the verdict back."""
    words = [check.outcome.value.replace("_", " "), escape(check.reason or "", limit=40)]
    if not check.holds_back:
        words.append("(reported only)")
    return " ".join(filter(None, words))


def list_warnings(found: ReportFindings, *, most: int = 100) -> Iterator[str]:
    """Format what was found and no check fails because of, at most ``most`` lines and a count of the others."""
    warnings = [finding for finding in found.listed if is_warning(finding)]
    yield from (f"warning {format_headline(finding)}" for finding in warnings[:most])
    if len(warnings) > most:
        yield f"… and {len(warnings) - most} more warnings"


def format_finding(finding: ReportFinding) -> str:
    """Format a finding that an artifact lists as ``path:line: rule: message``."""
    text = escape(finding.message, limit=1000)
    if finding.rule:
        text = f"{escape(finding.rule, limit=100)}: {text}"
    return f"{format_location(finding)}: {text}" if finding.path is not None else text


def format_counts(checks: Sequence[Check]) -> str:
    """Count checks by outcome: ``12 hold · 2 refuted``."""
    by_outcome = dict.fromkeys(CheckOutcome, 0)
    for check in checks:
        by_outcome[check.outcome] += 1
    return (
        " · ".join(f"{by_outcome[outcome]} {word}" for outcome, word in OUTCOME_WORDS if by_outcome[outcome]) or "none"
    )
