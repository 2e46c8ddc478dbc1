"""JUnit XML, in the dialects of pytest, jest-junit, gradle, node and others.

Source: https://github.com/testmoapp/junitxml and the dialects' own output. junitparser reads the elements,
defusedxml refuses entities and external references before it does.
"""

from __future__ import annotations

from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from junitparser import Error, Failure, Skipped, TestCase

from code_adapter.reports.bounded import ReportInvalid, within_bound
from code_adapter.reports.outcomes import Case, Outcome, Outcomes


def parse_junit(raw: bytes, tool: str) -> Outcomes:
    """Every ``testcase``, wherever it stands. Raises ReportInvalid."""
    try:
        root = fromstring(within_bound(raw, tool), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not JUnit XML: {error}") from error
    if root.tag not in {"testsuites", "testsuite"}:
        raise ReportInvalid(f"the report of {tool} starts with <{root.tag}>, not with <testsuites>")
    cases = []
    for element in root.iter("testcase"):
        found: Any = TestCase.fromelem(element)  # type: ignore[no-untyped-call]
        outcome: Outcome = "passed"
        message = ""
        for answer in found.result:
            if isinstance(answer, Failure | Error):
                outcome, message = "failed", _message(answer)
                break
            if isinstance(answer, Skipped):
                outcome = "skipped"
        name = ".".join(part for part in (found.classname, found.name) if part)
        cases.append(Case(name, outcome, element.get("file"), _line(element), message))
    suites = [root] if root.tag == "testsuite" else [child for child in root if child.tag == "testsuite"]
    _check(suites, cases, tool)
    return Outcomes(tuple(cases), 1000 * sum(_seconds(suite) for suite in suites))


def _check(suites: list[Any], cases: list[Case], tool: str) -> None:
    """The counts in the suites' attributes against the listed cases.

    pytest counts a test that passes and then fails in its teardown twice in ``tests``, and lists it once.
    """
    if not all(suite.get("tests") for suite in suites):
        return
    try:
        said = sum(int(suite.get("tests")) for suite in suites)
        failing = sum(int(suite.get(name) or 0) for suite in suites for name in ("failures", "errors"))
        errors = sum(int(suite.get("errors") or 0) for suite in suites)
    except ValueError as error:
        raise ReportInvalid(f"the report of {tool} has a count that is no number: {error}") from error
    failed = sum(case.outcome == "failed" for case in cases)
    if not len(cases) <= said <= len(cases) + errors or not failed <= failing <= failed + errors:
        raise ReportInvalid(
            f"the report of {tool} says {said} tests with {failing} failures and errors,"
            f" but lists {len(cases)} tests of which {failed} failed"
        )


def _message(answer: Any) -> str:
    head, body = answer.message or "", answer.text or ""
    return body if head and body.lstrip().startswith(head) else "\n".join(part for part in (head, body) if part)


def _line(element: Any) -> int | None:
    text = element.get("line") or element.get("lineno")
    return int(text) if text and text.isdecimal() and len(text) < 10 else None


def _seconds(suite: Any) -> float:
    try:
        value = float(suite.get("time") or 0)
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0
