"""TRX, the report of ``dotnet test --logger trx`` and of vstest.

Source: https://github.com/microsoft/vstest/tree/main/src/Microsoft.TestPlatform.Extensions.TrxLogger and Visual
Studio's ``vstst.xsd`` (namespace http://microsoft.com/schemas/VisualStudio/TeamTest/2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_SKIPPED = frozenset({"NotExecuted", "Inconclusive", "Pending", "NotRunnable"})
_ENDED_EARLY = frozenset({"Aborted", "Timeout", "Disconnected", "InProgress", "Error"})
"""What the summary says of a run that didn't get to its end."""

_ABORTED = re.compile(r"test run was aborted|test host process (?:crashed|exited)", re.IGNORECASE)
_FAILING = ("failed", "error", "timeout", "aborted", "passedButRunAborted", "disconnected")
_FRAME = re.compile(r"\bin (?P<path>[^\n]+?\.(?:cs|fs|vb)):line (?P<line>[0-9]{1,9})\b")
_DURATION = re.compile(r"(?:(\d{1,6})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)")


@reject_malformed
def parse_trx(raw: bytes, tool: str) -> Outcomes:
    """Read each result, and the rows in place of the test that has them. An id is ``Namespace.Class.Method(row)``.

    A result without an outcome has failed. Raises ReportInvalid, also where the run was aborted or the counters
    contradict the results.
    """
    try:
        root = fromstring(check_size(raw, tool), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not TRX: {error}") from error
    if _name(root) != "TestRun":
        raise ReportInvalid(f"the report of {tool} starts with <{_name(root)}>, not with <TestRun>")
    summary = _find(root, "ResultSummary")
    if summary is None:
        raise ReportInvalid(f"the report of {tool} has no summary; it may be truncated")
    _check_end(summary, tool)
    methods = dict(_list_methods(root))
    listed = _find(root, "Results")
    results = [child for child in listed if _is_result(child)] if listed is not None else []
    cases = tuple(case for result in results for case in _read_result(result, methods))
    _check_counters(summary, results, cases, tool)
    return Outcomes(cases, 1000 * sum(_seconds(result) for result in results))


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _find(element: Any, *names: str) -> Any:
    """Find a descendant, one name a level; None without one."""
    for name in names:
        element = next((child for child in element if _name(child) == name), None) if element is not None else None
    return element


def _list_children(element: Any, name: str) -> list[Any]:
    """List what is in the child of that name; nothing without one."""
    found = _find(element, name)
    return [] if found is None else list(found)


def _is_result(element: Any) -> bool:
    return element.get("testName") is not None


def _list_methods(root: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the class and the method of each test by its id."""
    for test in _list_children(root, "TestDefinitions"):
        method = _find(test, "TestMethod")
        if method is not None and method.get("className") and method.get("name"):
            # Older versions add the assembly: ``Shop.Tests, Shop.Tests, Version=1.0.0.0``.
            yield test.get("id"), (method.get("className").partition(",")[0], method.get("name"))


def _read_result(result: Any, methods: Mapping[str, tuple[str, str]]) -> Iterator[Case]:
    inner = [row for row in _list_children(result, "InnerResults") if _is_result(row)]
    rows = [case for row in inner for case in _read_result(row, methods)]
    yield from rows
    own = _read_outcome(result)
    if not rows or (own == "failed" and not any(case.outcome == "failed" for case in rows)):
        yield _read_case(result, methods, own)


def _read_case(result: Any, methods: Mapping[str, tuple[str, str]], outcome: Outcome) -> Case:
    name = _make_id(result.get("testName"), methods.get(result.get("testId") or ""))
    if outcome != "failed":
        return Case(name, outcome)
    found = _find(result, "Output", "ErrorInfo")
    parts = (_find(found, part) for part in ("Message", "StackTrace")) if found is not None else ()
    message = "\n".join(part.text for part in parts if part is not None and part.text)
    place = _FRAME.search(message)
    return Case(name, outcome, place["path"] if place else None, int(place["line"]) or None if place else None, message)


def _make_id(reported: str, method: tuple[str, str] | None) -> str:
    """Make the id of what the frameworks report as ``Method``, ``Class.Method``, ``Method(1)`` or a title."""
    if method is None:
        return reported
    owner, name = method
    # xUnit's method has the class in its name.
    name = name.removeprefix(f"{owner}.")
    rest = reported.removeprefix(f"{owner}.")
    if re.match(rf"{re.escape(name)}(?!\w)", rest):
        return f"{owner}.{rest}"
    return f"{owner}.{name}({rest})"


def _read_outcome(result: Any) -> Outcome:
    stated = result.get("outcome")
    return "passed" if stated == "Passed" else "skipped" if stated in _SKIPPED else "failed"


def _check_end(summary: Any, tool: str) -> None:
    texts = (_find(info, "Text") for info in _list_children(summary, "RunInfos"))
    aborted = next((text.text for text in texts if text is not None and _ABORTED.search(text.text or "")), None)
    if aborted is not None or summary.get("outcome") in _ENDED_EARLY:
        why = " ".join((aborted or summary.get("outcome")).split())[:300]
        raise ReportInvalid(f"the run of {tool} didn't get to its end: {why}")


def _check_counters(summary: Any, results: list[Any], cases: tuple[Case, ...], tool: str) -> None:
    """Compare the counters with the results. Rows are in them or not, by the version of the logger."""
    counters = _find(summary, "Counters")
    if counters is None:
        raise ReportInvalid(f"the report of {tool} has no counters; it may be truncated")
    stated = int(counters.get("total"))
    failing = sum(int(counters.get(name) or 0) for name in _FAILING)
    every = [element for result in results for element in result.iter() if _is_result(element)]
    failed = [sum(_read_outcome(each) == "failed" for each in listed) for listed in (results, every)]
    listed = any(case.outcome == "failed" for case in cases)
    if stated not in {len(results), len(every)} or not min(failed) <= failing <= max(failed) or (failing > 0) != listed:
        raise ReportInvalid(
            f"the report of {tool} states {stated} tests of which {failing} failed,"
            f" but lists {len(results)} of which {failed[0]} failed"
        )


def _seconds(result: Any) -> float:
    found = _DURATION.fullmatch(result.get("duration") or "")
    if found is None:
        return 0.0
    days, hours, minutes = (int(part or 0) for part in found.groups()[:3])
    return 86400.0 * days + 3600 * hours + 60 * minutes + float(found[4])
