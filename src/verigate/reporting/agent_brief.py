"""Render a verdict in a few lines for a coding agent: each problem, its facts, the command that reproduces it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict
from verigate.reporting.agent_advice import WAY_OUT, cut_for_agent
from verigate.reporting.escape import escape
from verigate.reporting.explain import reproduce_commands
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.text import format_evidence

if TYPE_CHECKING:
    from verigate.reporting.findings import ReportFinding

MAX_CHECKS = 6
_MAX_EVIDENCE = 3
_MAX_FINDINGS = 5
_OUTCOME_WORDS = {
    CheckOutcome.REFUTED: "refuted",
    CheckOutcome.ERROR: "could not be checked",
    CheckOutcome.UNKNOWN: "no fact decides it",
}
_HEADLINES = {
    Status.FAIL: "facts refute that this is done",
    Status.ERROR: "NOT VERIFIED, something could not be checked",
    Status.INCONCLUSIVE: "NOT VERIFIED, something is undecided",
}


def list_problems(verdict: Verdict) -> tuple[Check, ...]:
    """List the checks that keep the verdict from passing, refuted ones first."""
    order = (CheckOutcome.REFUTED, CheckOutcome.ERROR, CheckOutcome.UNKNOWN)
    found = [check for check in verdict.checks if check.outcome in order and check.holds_back]
    return tuple(sorted(found, key=lambda check: order.index(check.outcome)))


def render_brief(verdict: Verdict, listed: Mapping[str, Sequence[ReportFinding]] | None = None) -> str:
    """Render why an agent may not stop yet: bounded, with foreign text escaped. ``listed`` are findings by check id."""
    return "\n".join(_brief_lines(verdict, listed or {}))


def _brief_lines(verdict: Verdict, listed: Mapping[str, Sequence[ReportFinding]]) -> Iterator[str]:
    head = _HEADLINES.get(verdict.status, "passed")
    yield f"verigate: {verdict.status.value.upper()} {escape(verdict.task_id, limit=64)}: {head}."
    found, advised = list_problems(verdict), set[str | None]()
    for check in found[:MAX_CHECKS]:
        reason = escape(check.reason or "", limit=40)
        message = escape(cut_for_agent(check.message) or _OUTCOME_WORDS[check.outcome], limit=400)
        yield f"- {escape(check.id, limit=120)} {_OUTCOME_WORDS[check.outcome]} ({reason}): {message}"
        findings = [line for finding in listed.get(check.id, ()) if (line := format_headline(finding))]
        for line in findings[:_MAX_FINDINGS]:
            yield f"  found: {line}"
        if len(findings) > _MAX_FINDINGS:
            yield f"  … and {len(findings) - _MAX_FINDINGS} more"
        for ref in check.evidence[: 1 if findings else _MAX_EVIDENCE]:
            yield f"  fact: {format_evidence(ref)}"
        way_out = WAY_OUT.get(check.reason or "")
        if way_out is not None and check.reason not in advised:
            advised.add(check.reason)
            yield f"  do: {way_out}"
        yield f"  reproduce: {reproduce_commands(check, verdict)[-1]}"
    if len(found) > MAX_CHECKS:
        yield f"- and {len(found) - MAX_CHECKS} more: gate explain {escape(verdict.task_id, limit=64)}"
