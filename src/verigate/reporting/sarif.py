"""Render SARIF 2.1.0 (OASIS Standard) for code scanning: one log with one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verigate.domain.verdict import Status, Verdict
from verigate.reporting.addresses import address_reason
from verigate.reporting.check_lines import MAX_EVIDENCE, CheckLines
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.fallback_location import fallback_path
from verigate.reporting.findings import ReportFinding, ReportFindings, collect_findings
from verigate.reporting.json_report import ascii_json
from verigate.reporting.locations import relative_uri
from verigate.reporting.reasons import REASONS
from verigate.reporting.report import Report
from verigate.reporting.status_summary import summarise_status
from verigate.reporting.text import format_evidence

if TYPE_CHECKING:
    from verigate.domain.baseline import BaselineEntry

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def render(report: Report) -> str:
    """Render a SARIF log. The rule of a result is its reason code; its fingerprint survives moved lines.

    Each result has one location, a relative URI below ``%SRCROOT%``: GitHub requires one. Results that aren't about a
    file point at the claim or the verdict; an unknown line is 1.
    """
    verdict = report.verdict
    found = collect_findings(report)
    codes = sorted({finding.code for finding in (*found.listed, *found.covered)})
    numbers, accounts = {code: number for number, code in enumerate(codes)}, CheckLines(verdict)
    invocation = {
        "executionSuccessful": verdict.status is not Status.ERROR,
        "exitCode": 0 if report.advisory else verdict.status.exit_code,
        "exitCodeDescription": f"{verdict.status.value}: {summarise_status(verdict)}",
        "toolExecutionNotifications": _build_notifications(report, found),
    }
    return _format_log(
        {
            "tool": {"driver": _build_driver(report, codes)},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
            "invocations": [invocation],
            "results": [
                _build_result(finding, numbers[finding.code], report, accounts)
                for finding in (*found.listed, *found.covered)
            ],
            "properties": {
                "status": verdict.status.value,
                "task_id": escape(verdict.task_id),
                "type": escape(verdict.type),
                "profile": escape(str(verdict.policy.get("profile", "none"))),
                "subject": escape(str(verdict.subject.get("tree") or "")),
            },
        }
    )


def render_nothing(why: str) -> str:
    """Render a log without results."""
    notification = {"level": "note", "message": {"text": escape(why)}}
    invocation = {"executionSuccessful": True, "exitCode": 0, "toolExecutionNotifications": [notification]}
    return _format_log(
        {"tool": {"driver": {"name": "verigate", "rules": []}}, "invocations": [invocation], "results": []}
    )


def _format_log(run: dict[str, Any]) -> str:
    return ascii_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _build_driver(report: Report, codes: list[str]) -> dict[str, Any]:
    driver: dict[str, Any] = {"name": "verigate"}
    if isinstance(version := report.verdict.metadata.get("gate_version"), str):
        driver["version"] = escape(version, limit=60)
    driver["rules"] = [_build_rule(code, report.documentation) for code in codes]
    return driver


def _build_rule(code: str, documentation: str) -> dict[str, Any]:
    known = REASONS.get(code)
    meaning = known.meaning.replace("`", "") if known else "a reason code unknown to this version"
    sentence = f"{meaning[0].upper()}{meaning[1:]}."
    address = address_reason(code, documentation) if known else ""
    return {
        "id": escape(code, limit=60),
        **({"helpUri": address} if address else {}),
        "name": "".join(word.capitalize() for word in code.split("_") if word.isalnum()) or "Reason",
        "shortDescription": {"text": sentence},
        "fullDescription": {"text": sentence},
        "help": {"text": f"{sentence} Each result names the command that shows its rule, evidence and location."},
        "defaultConfiguration": {"level": "error"},
    }


def _build_notifications(report: Report, found: ReportFindings) -> list[dict[str, Any]]:
    notices = [escape(notice, limit=1000) for notice in report.sentences]
    if found.left_out:
        notices.append(f"{found.left_out} more findings are not listed")
    return [{"level": "warning", "message": {"text": _break_links(text)}} for text in notices]


def _build_result(finding: ReportFinding, rule: int, report: Report, accounts: CheckLines) -> dict[str, Any]:
    check = finding.check
    again = accounts.reproduction(check)
    properties: dict[str, Any] = {
        "check": escape(check.id),
        "outcome": check.outcome.value,
        "expected": escape_value(check.expected),
        "actual": escape_value(check.actual),
        "reproduce": again,
    }
    if finding.message == check.message:
        properties["evidence"] = [format_evidence(ref) for ref in check.evidence[:MAX_EVIDENCE]]
    if finding.rule:
        properties["rule"] = escape(finding.rule, limit=100)
    if finding.weight is not None:
        properties |= {"weight": escape(finding.weight, limit=20), "id": escape(finding.id or "", limit=20)}
    return {
        "ruleId": escape(finding.code, limit=60),
        "ruleIndex": rule,
        "level": finding.level.value,
        "message": {"text": _break_links(f"{finding.sentence or escape(check.id)}. Reproduce: {again}")},
        "locations": [_build_location(finding, report.verdict)],
        "partialFingerprints": {"verigateFinding/v2": finding.fingerprint},
        # Either all results of a run have suppressions or none (section 3.27.23).
        **({"suppressions": _build_suppressions(finding.entry)} if report.baseline is not None else {}),
        "properties": properties,
    }


def _build_suppressions(entry: BaselineEntry | None) -> list[dict[str, Any]]:
    """Build the suppression of a baseline entry (section 3.35): external and accepted.

    Not a ``baselineState``, which compares with an earlier run.
    """
    if entry is None:
        return []
    suppression = {
        "kind": "external",
        "status": "accepted",
        "justification": f"{escape(entry.reason, limit=1000)} (dated {entry.created}, expiring {entry.expires})",
        "properties": {"created": entry.created, "expires": entry.expires, "fingerprint": entry.key.fingerprint},
    }
    return [suppression]


def _build_location(finding: ReportFinding, verdict: Verdict) -> dict[str, Any]:
    path = finding.path or fallback_path(finding.check, verdict)
    region = {"startLine": finding.line or 1}
    if finding.line and finding.column:
        region["startColumn"] = finding.column
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": relative_uri(path), "uriBaseId": _ROOT},
            "region": region,
        },
        "logicalLocations": [{"fullyQualifiedName": escape(finding.check.id), "kind": "check"}],
    }


def _break_links(text: str) -> str:
    """Break embedded links, ``[text](target)`` (section 3.11.6): messages contain foreign text."""
    return text.replace("](", "] (")
