"""JUnit XML, in the dialects of pytest, jest-junit, gradle, node and others.

Source: https://github.com/testmoapp/junitxml and the dialects' own output. junitparser reads the elements,
defusedxml refuses entities and external references before it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from junitparser import Error, Failure, Skipped, TestCase

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_NO_FIXTURE = re.compile(r"^E\s+fixture '[^'\n]{1,200}' not found$", re.MULTILINE)


@reject_malformed
def parse_junit(raw: bytes, tool: str) -> Outcomes:
    """Read every ``testcase`` at any depth. Raises ReportInvalid."""
    try:
        root = fromstring(check_size(raw, tool), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not JUnit XML: {error}") from error
    if root.tag not in {"testsuites", "testsuite"}:
        raise ReportInvalid(f"the report of {tool} starts with <{root.tag}>, not with <testsuites>")
    of_pytest = tool == "pytest" or any(suite.get("name") == "pytest" for suite in root.iter("testsuite"))
    for suite in root.iter("testsuite"):
        _check(suite, tool, of_pytest)
    cases = tuple(_case(element, of_pytest) for element in _drop_duplicates(root.iter("testcase")))
    suites = [root] if root.tag == "testsuite" else [child for child in root if child.tag == "testsuite"]
    return Outcomes(cases, 1000 * sum(_seconds(suite) for suite in suites))


def _drop_duplicates(elements: Iterable[Any]) -> list[Any]:
    """Drop duplicates: pytest lists a test that fails and then also fails in its teardown twice in a row."""
    kept: list[Any] = []
    for element in elements:
        before = kept[-1] if kept else None
        if (
            before is not None
            and element.find("error") is not None
            and before.find("failure") is not None
            and all(element.get(name) == before.get(name) for name in ("classname", "name", "file"))
        ):
            continue
        kept.append(element)
    return kept


_NOT_COLLECTED = "collection failure"
"""What pytest calls a file that it can't load; the cause is the last of the lines that it marks with ``E``."""

_CAUSE = re.compile(r"^E {1,3}(\S.*)$", re.MULTILINE)


def _case(element: Any, of_pytest: bool) -> Case:
    found: Any = TestCase.fromelem(element)  # type: ignore[no-untyped-call]  # it has no types
    failures = [answer for answer in found.result if isinstance(answer, Failure | Error)]
    skips = [answer for answer in found.result if isinstance(answer, Skipped)]
    name = ".".join(part for part in (found.classname, found.name) if part)
    outcome: Outcome = "failed" if failures else "skipped" if skips else "passed"
    if any(skip.type == "todo" for skip in skips):
        # node lists the failure of a TODO test, but doesn't count it as a failure.
        outcome = "skipped"
    message = _message(failures[0]) if outcome == "failed" else ""
    line = _line(element)
    if of_pytest and line is not None:
        line = _find_assertion_line(element.get("file"), message) or line + 1
    broken = of_pytest and outcome == "failed" and _is_broken(failures[0], message)
    return Case(name, outcome, element.get("file"), line, message, broken)


def _is_broken(answer: Any, message: str) -> bool:
    """Whether pytest could not collect the file, or didn't know a fixture. What a fixture raises is a failure."""
    if not isinstance(answer, Error):
        return False
    return answer.message == _NOT_COLLECTED or bool(_NO_FIXTURE.search(message))


def _check(suite: Any, tool: str, of_pytest: bool) -> None:
    """Compare the counts in a suite's attributes with its test cases.

    Suites with nested suites are skipped, since dialects differ in whether those count. pytest counts a test that
    passes and then fails in its teardown twice in ``tests`` and lists it once; one that fails in both counts once. From
    version 9 on it also counts each subtest, of which it lists those that fail within their test.
    """
    if not suite.get("tests") or suite.find("testsuite") is not None:
        return
    try:
        stated = int(suite.get("tests"))
        errors = int(suite.get("errors") or 0)
        failing = int(suite.get("failures") or 0) + errors
    except ValueError as error:
        raise ReportInvalid(f"the report of {tool} has a count that is not a number: {error}") from error
    cases = _drop_duplicates(suite.findall("testcase"))
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    elements = sum(len(case.findall("failure")) for case in cases) if of_pytest else failed
    most = stated if of_pytest else len(cases) + errors
    if not len(cases) <= stated <= most or not failed <= failing <= max(failed, elements) + errors:
        raise ReportInvalid(
            f"the report of {tool} states {stated} tests with {failing} failures and errors,"
            f" but lists {len(cases)} tests of which {failed} failed"
        )


def _message(answer: Any) -> str:
    head, body = answer.message or "", answer.text or ""
    if head == _NOT_COLLECTED and (causes := _CAUSE.findall(body)):
        return f"{causes[-1]}\n{body}"
    return body if head and body.lstrip().startswith(head) else "\n".join(part for part in (head, body) if part)


def _find_assertion_line(path: str | None, message: str) -> int | None:
    """Find the line of the test in which a pytest test failed: the first entry of its traceback in its own file.

    The attribute ``line`` is where the test begins, counted from 0 (pytest 7 to 9: ``lineno`` of ``report.location``).
    """
    found = re.search(rf"^{re.escape(path)}:(\d{{1,9}}): ?", message, re.MULTILINE) if path and message else None
    return int(found[1]) if found and int(found[1]) else None


def _line(element: Any) -> int | None:
    text = element.get("line") or element.get("lineno")
    return int(text) if text and text.isdecimal() and len(text) < 10 else None


def _seconds(suite: Any) -> float:
    try:
        value = float(suite.get("time") or 0)
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0
