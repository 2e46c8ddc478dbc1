"""Convert a tool's report to the standard artifact that the rules read."""

from __future__ import annotations

from typing import Any

from tool_adapter.tool_call import ToolCall
from verigate.sdk import Request, path_text, write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun, coverage_summary
from verigate.sdk.reports.line_digests import LineDigests
from verigate.sdk.reports.lint import LintRun, lint_summary
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.tests import SuiteRun, tests_summary
from verigate.sdk.reports.untrusted import add_tool_output
from verigate.sdk.subject import Subject
from verigate.tools.model import Report, ReportFormat


def write_report(request: Request, called: ToolCall, folder: str, subject: Subject) -> None:
    """Write lint.json, tests.json or coverage.json; all counts are zero if the tool is missing or had no file."""
    report = called.capability.report
    if report is None:
        return
    name = report.artifact[0]
    texts = Texts(request.repo_root)
    document: dict[str, Any]
    if name == "lint.json":
        document = lint_summary(_make_lint_run(report, called, subject, texts), LineDigests(subject))
    elif name == "tests.json":
        document = tests_summary(_make_suite_runs(report, called), texts)
    else:
        document = coverage_summary(_make_coverage_runs(called), texts) | {"base": None}
    write_json(request.task_dir, f"{folder}/{name}", document)


def _make_lint_run(report: Report, called: ToolCall, subject: Subject, texts: Texts) -> list[LintRun]:
    """Merge all invocations into one run; each file counts once."""
    if not called.found:
        return []
    findings: list[LintFinding] = []
    examined: set[str] = set()
    for run, raw in zip(called.runs, called.reports, strict=True):
        with add_tool_output(run):
            found, listed = _read_findings(report, raw, called.tool.alias, called.given)
        if run.exit_code not in report.clean and not found:
            raise run.as_failure(f"{run.argv[0]} ended with {run.ended}, but its report has no finding")
        findings += found
        examined |= {path for text in listed if (path := texts.path(text)) is not None}
    clean = tuple(sorted(_normalise(finding, texts) for finding in findings))
    # A file with a finding was examined, even if the tool doesn't list it.
    examined |= {finding.path for finding in clean if finding.path in subject.known}
    files = examined | {path_text(path) for path in called.examined}
    argv = called.argv[0] if called.argv else ()
    code = max((run.exit_code or 0 for run in called.runs), default=0)
    return [LintRun(called.tool.alias, called.version, "", tuple(sorted(files)), clean, argv, code)]


def _read_findings(
    report: Report, raw: bytes, tool: str, files: tuple[str, ...]
) -> tuple[tuple[LintFinding, ...], tuple[str, ...]]:
    if report.format is ReportFormat.SARIF:
        from verigate.sdk.reports.sarif import parse_sarif

        sarif = parse_sarif(raw, tool)
        return sarif.findings, sarif.examined
    from tool_adapter.findings import read_json_findings, read_line_findings

    if report.format is ReportFormat.JSON:
        return read_json_findings(report, raw, tool), ()
    return read_line_findings(report, raw, tool, files), ()


def _normalise(finding: LintFinding, texts: Texts) -> LintFinding:
    path = texts.path(finding.path) or texts.message(finding.path)
    rule, message = texts.message(finding.rule), texts.message(finding.message)
    return LintFinding(path, finding.line, finding.column, rule, finding.severity, message, finding.tool)


def _make_suite_runs(report: Report, called: ToolCall) -> list[SuiteRun]:
    from verigate.sdk.reports.junit import parse_junit
    from verigate.sdk.reports.tap import parse_tap
    from verigate.sdk.reports.trx import parse_trx

    parse = {ReportFormat.JUNIT: parse_junit, ReportFormat.TAP: parse_tap, ReportFormat.TRX: parse_trx}[report.format]
    suites = []
    for run, raw, argv in zip(called.runs, called.reports, called.argv, strict=True):
        with add_tool_output(run):
            outcomes = parse(raw, called.tool.alias)
        if run.exit_code not in report.clean and not outcomes.failed:
            raise run.as_failure(f"{run.argv[0]} ended with {run.ended}, but its report has no failed test")
        suites.append(SuiteRun(called.tool.alias, called.version, "", outcomes, argv, run.exit_code or 0))
    return suites


def _make_coverage_runs(called: ToolCall) -> list[CoverageRun]:
    from verigate.sdk.reports.lcov import parse_lcov

    measured = []
    for run, raw, argv in zip(called.runs, called.reports, called.argv, strict=True):
        with add_tool_output(run):
            files = parse_lcov(raw, called.tool.alias)
        measured.append(CoverageRun(called.tool.alias, called.version, "", files, argv, run.exit_code or 0))
    return measured
