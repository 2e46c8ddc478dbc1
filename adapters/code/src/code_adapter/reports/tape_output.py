"""Read which tests of tape passed: it prints the title of a test before its assertions, as a comment of TAP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes

_TITLE = re.compile(r"# (SKIP )?(?P<title>\S.*?)\s*\Z")
_POINT = re.compile(r"(?P<bad>not )?ok\b(?P<text>[^#]*)(?P<directive>#\s*(?:SKIP|TODO)\b)?", re.IGNORECASE)
_PLAN = re.compile(r"1\.\.\d+\s*\Z")
_UNENDED = re.compile(r"not ok \d+ test exited without ending: (?P<title>.+?)\s*\Z")


def parse_tape_tests(raw: bytes, find_title: Callable[[str], str | None]) -> Outcomes:
    """Read one case for each test that makes an assertion.

    ``find_title`` names the test of a title, and is None for other comments. An exception ends the program: without a
    plan at the end, the test that ran last has failed. Assertions after a test within a test count for the inner one.
    """
    points: dict[str, list[bool]] = {}
    title, ended = "", False
    for line in _list_lines(raw):
        if (found := _TITLE.match(line)) is not None:
            title = find_title(found["title"]) or title
        elif (unended := _UNENDED.match(line)) is not None:
            points.setdefault(find_title(unended["title"]) or title, []).append(False)
        elif (point := _POINT.match(line)) is not None and title and not point["directive"]:
            points.setdefault(title, []).append(not point["bad"])
        ended = ended or _PLAN.match(line) is not None
    if title and not ended:
        points.setdefault(title, []).append(False)
    return Outcomes(tuple(Case(name, _judge(all(found))) for name, found in points.items()))


def _judge(passed: bool) -> Outcome:
    return "passed" if passed else "failed"


def _list_lines(raw: bytes) -> Iterator[str]:
    """List the lines of TAP's own, to the plan: no diagnostics, and no summary, which follows it."""
    for line in raw.decode("utf-8", "replace").splitlines():
        if line and not line[0].isspace():
            yield line
        if _PLAN.match(line):
            return
