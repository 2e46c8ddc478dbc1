"""Parse the JSON of ``jest --json``, also of vitest. Source: https://jestjs.io/docs/configuration#testresultsprocessor."""

from __future__ import annotations

import re
from typing import Any

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes, check_count
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object, reject_malformed

_OUTCOMES: dict[str, Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}

_SEARCHED = 20_000
_POSITION = re.compile(r"(\d{1,9}):\d")


@reject_malformed
def parse_jest(raw: bytes, tool: str) -> Outcomes:
    """Read every assertion result; a file that couldn't run is a failed case. Raises ReportInvalid."""
    report = parse_json_object(raw, tool)
    cases: list[Case] = []
    broken = 0
    start = report.get("startTime", 0)
    end = start
    for suite in _list(report, "testResults", tool):
        path = suite.get("name")
        path = path if isinstance(path, str) else None
        found = [_case(item, path, tool) for item in _list(suite, "assertionResults", tool)]
        cases += found
        if suite.get("status") == "failed" and not any(case.outcome == "failed" for case in found):
            broken += 1
            cases.append(Case(path or "a test file", "failed", path, message=str(suite.get("message") or "")))
        if isinstance(suite.get("endTime"), int | float):
            end = max(end, suite["endTime"])
    listed = Outcomes(tuple(cases), float(max(end - start, 0)))
    check_count(tool, count_of(report.get("numTotalTests"), "numTotalTests", tool), len(cases) - broken, "tests")
    check_count(tool, count_of(report.get("numPassedTests"), "numPassedTests", tool), listed.passed, "passed tests")
    check_count(
        tool, count_of(report.get("numFailedTests"), "numFailedTests", tool), listed.failed - broken, "failed tests"
    )
    return listed


def _case(item: dict[str, Any], path: str | None, tool: str) -> Case:
    status = item.get("status")
    if status not in _OUTCOMES:
        raise ReportInvalid(f"the report of {tool} has a test with the status {status!r}")
    name = item.get("fullName") or item.get("title") or ""
    messages = item.get("failureMessages") or []
    location = item.get("location") or {}
    line = location.get("line") if isinstance(location, dict) else None
    message = "\n".join(str(message) for message in messages) if status == "failed" else ""
    # Neither runner gives locations unless it is asked to; where an assertion failed is in the stack.
    line = line if isinstance(line, int) else _find_line(path or "", message)
    return Case(str(name), _OUTCOMES[status], path, line, message)


def _find_line(path: str, message: str) -> int | None:
    """Find the first line of a stack that is in the test's own file: ``at Object.<anonymous> (/x/a.test.js:4:20)``."""
    name = path.rpartition("/")[2]
    for line in message[:_SEARCHED].split("\n") if name else ():
        before, found, after = line.rpartition(f"{name}:")
        number = _POSITION.match(after)
        folder = before.rpartition("(")[2].rpartition(" ")[2].removeprefix("file://")
        if found and number is not None and path.endswith(f"{folder}{name}"):
            return int(number[1]) or None
    return None


def _list(holder: dict[str, Any], name: str, tool: str) -> list[dict[str, Any]]:
    value = holder.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ReportInvalid(f"the report of {tool} has no list {name!r}")
    return value
