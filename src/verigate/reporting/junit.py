"""Render JUnit XML as Jenkins and GitLab read it (junit-10.xsd of the Jenkins xUnit plug-in)."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from verigate.domain.verdict import Check, CheckOutcome, Verdict
from verigate.reporting.check_lines import CheckLines, format_title, list_warnings
from verigate.reporting.escape import escape
from verigate.reporting.findings import collect_findings
from verigate.reporting.grouping import CAPABILITIES, group_checks, short_name
from verigate.reporting.report import Report, holds_back
from verigate.reporting.status_summary import summarise_status


def render(report: Report) -> str:
    """Render a test suite per group of checks, a test case per check. Refuted is a failure; undecided, an error.

    Checks that don't apply or are only reported are skipped. Only capabilities have times, in seconds.
    """
    verdict = report.verdict
    accounts, found = CheckLines(verdict), collect_findings(report)
    listed = found.by_check()
    said = [*(escape(notice, limit=1000) for notice in report.sentences), *list_warnings(found)]
    times = {f"{CAPABILITIES}:{run.capability}": run.outcome.duration_s for run in report.runs if run.outcome}
    root = ET.Element("testsuites", {"name": f"gate {escape(verdict.task_id, limit=64)}"})
    for group in group_checks(report.checks):
        suite = ET.SubElement(root, "testsuite", {"name": escape(group.name, limit=60)})
        if len(root) == 1:
            _add_properties(suite, verdict)
        for check in group.checks:
            _add_case(suite, check, accounts.lines(check, listed.get(check.id, ())), times.get(check.id, 0.0))
        if len(root) == 1 and said:
            output = ET.SubElement(suite, "system-out")
            output.text = "\n".join(said)
        _set_counts(suite)
    _set_totals(root)
    return _serialise(root)


def render_nothing(why: str) -> str:
    """Render one skipped test case: readers reject a report without any."""
    root = ET.Element("testsuites", {"name": "gate"})
    suite = ET.SubElement(root, "testsuite", {"name": "gate"})
    case = ET.SubElement(suite, "testcase", {"classname": "gate", "name": "verify", "time": "0.000"})
    ET.SubElement(case, "skipped", {"message": escape(why)})
    _set_counts(suite)
    _set_totals(root)
    return _serialise(root)


def _add_properties(suite: ET.Element, verdict: Verdict) -> None:
    properties = ET.SubElement(suite, "properties")
    described = {
        "status": f"{verdict.status.value}: {summarise_status(verdict)}",
        "task": verdict.task_id,
        "type": verdict.type,
        "profile": str(verdict.policy.get("profile", "none")),
        "tree": str(verdict.subject.get("tree") or ""),
    }
    for name, value in described.items():
        ET.SubElement(properties, "property", {"name": name, "value": escape(value)})


def _add_case(suite: ET.Element, check: Check, account: Iterable[str], seconds: float) -> None:
    attributes = {
        "classname": f"gate.{suite.get('name')}",
        "name": escape(short_name(check.id)),
        "time": f"{seconds:.3f}",
    }
    case = ET.SubElement(suite, "testcase", attributes)
    if check.outcome is CheckOutcome.HOLDS:
        if check.accounted is not None:
            ET.SubElement(case, "system-out").text = escape(check.message, limit=2000)
        return
    if not holds_back(check):
        ET.SubElement(case, "skipped", {"message": escape(check.message) or format_title(check)})
        return
    kind = "failure" if check.outcome is CheckOutcome.REFUTED else "error"
    about = {"type": escape(check.reason or "CLAIM_UNSUPPORTED", limit=60), "message": escape(check.message)}
    problem = ET.SubElement(case, kind, about)
    problem.text = "\n".join((format_title(check), *account))


def _set_counts(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _set_totals(root: ET.Element) -> None:
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")


def _serialise(root: ET.Element) -> str:
    # Foreign text is escaped already and printable, so XML 1.0 can represent it.
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
