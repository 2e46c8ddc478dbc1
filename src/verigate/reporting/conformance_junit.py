"""Render the report of the conformance kit as JUnit XML (junit-10.xsd of the Jenkins xUnit plug-in)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from verigate.domain.conformance import Conformance, ConformanceAnswer, ConformanceCheck
from verigate.reporting.escape import escape

_COUNTED = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def render(reports: Sequence[Conformance]) -> str:
    """Render one test suite per adapter and one per capability.

    A finding is a failure, a check that was not run is an error, a check that doesn't apply is skipped, a note is
    output.
    """
    named = escape(reports[0].adapter, limit=64) if len(reports) == 1 else f"({len(reports)} adapters)"
    root = ET.Element("testsuites", {"name": f"gate adapter check {named}"})
    for report in reports:
        _add_suites(root, report)
    for attribute in ("tests", "failures", "errors"):
        root.set(attribute, str(sum(int(suite.get(attribute, "0")) for suite in root)))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add_suites(root: ET.Element, report: Conformance) -> None:
    for capability in (None, *report.capabilities):
        name = escape(capability or report.adapter, limit=100)
        cases = [checked for checked in report.checked if checked.capability == capability]
        suite = ET.SubElement(root, "testsuite", {"name": name, "tests": str(len(cases))})
        for checked in cases:
            _add_case(
                ET.SubElement(suite, "testcase", {"classname": name, "name": checked.check, "time": "0.000"}), checked
            )
        for attribute, kind in _COUNTED:
            suite.set(attribute, str(sum(case.find(kind) is not None for case in suite.findall("testcase"))))
    for name in report.left_out:
        suite = ET.SubElement(root, "testsuite", {"name": escape(name, limit=100), "tests": "1", "skipped": "1"})
        case = ET.SubElement(suite, "testcase", {"classname": escape(name), "name": "program", "time": "0.000"})
        ET.SubElement(case, "skipped", {"message": "left out: its program needn't be there"})


def _add_case(case: ET.Element, checked: ConformanceCheck) -> None:
    if checked.answer is ConformanceAnswer.NOT_ASKED:
        ET.SubElement(case, "skipped", {"message": escape(checked.why)})
    elif checked.answer is ConformanceAnswer.NOT_RUN:
        error = ET.SubElement(case, "error", {"type": "NOT_RUN", "message": escape(checked.why)})
        error.text = escape(checked.hint)
    elif checked.findings:
        first = checked.findings[0]
        failure = ET.SubElement(case, "failure", {"type": first.code, "message": escape(first.message, limit=600)})
        lines = (f"{each.code} {each.fixture or ''}: {each.message}; try: {each.fix}" for each in checked.findings)
        failure.text = "\n".join(escape(line, limit=2000) for line in lines)
    if checked.notes:
        noted = (f"{each.code} {each.fixture or ''}: {each.message}; try: {each.fix}" for each in checked.notes)
        ET.SubElement(case, "system-out").text = "\n".join(escape(line, limit=2000) for line in noted)
