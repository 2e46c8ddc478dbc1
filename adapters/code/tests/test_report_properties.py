"""Whatever a report holds, a reader gives facts or says that it can't: it never dies of it.

Each valid report is spoilt in every place with every kind of wrong value.
"""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trx_samples import Result, write_trx

from code_adapter.reports.cobertura import parse_cobertura
from code_adapter.reports.coverage_py import parse_coverage_py
from code_adapter.reports.go_test import parse_go_test
from code_adapter.reports.jest import parse_jest
from code_adapter.reports.libtest import parse_libtest
from code_adapter.reports.own_json import parse_own
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.lcov import parse_lcov
from verigate.sdk.reports.sarif import parse_sarif
from verigate.sdk.reports.tap import parse_tap
from verigate.sdk.reports.trx import parse_trx
from verigate.sdk.reports.untrusted import ReportInvalid

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

WRONG: list[Any] = [None, True, -1, 0, 10**30, 1e300, "", "x", [], [None], ["x"], [[]], {}, {"": None}, {"x": []}]
GONE = object()

JEST = {
    "numTotalTests": 2,
    "numPassedTests": 1,
    "numFailedTests": 1,
    "startTime": 5,
    "testResults": [
        {
            "name": "/a",
            "status": "failed",
            "message": "m",
            "endTime": 7,
            "assertionResults": [
                {"status": "passed", "fullName": "a", "location": {"line": 3}, "failureMessages": []},
                {"status": "failed", "title": "b", "location": None, "failureMessages": ["no"]},
            ],
        }
    ],
}
COVERAGE = {
    "files": {
        "a.py": {
            "summary": {"covered_lines": 1, "num_statements": 2, "covered_branches": 1, "num_branches": 2},
            "functions": {"": {"summary": {"covered_lines": 1}}, "f": {"summary": {"covered_lines": 0}}},
        }
    },
    "totals": {"covered_lines": 1, "num_statements": 2},
}
OWN = {
    "complete": True,
    "total": 1,
    "duration_ms": 3.5,
    "cases": [{"id": "a", "outcome": "failed", "path": "p", "line": 1, "message": "m"}],
}
SARIF = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {
                "driver": {
                    "name": "x",
                    "version": "1",
                    "rules": [{"id": "R", "defaultConfiguration": {"level": "error"}}],
                }
            },
            "invocations": [{"executionSuccessful": True}],
            "artifacts": [{"location": {"uri": "a"}}],
            "results": [
                {
                    "ruleId": "R",
                    "message": {"text": "m"},
                    "suppressions": [],
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 1}}},
                    ],
                },
                {"rule": {"id": "R"}, "level": "note", "message": {"text": "m"}},
            ],
        }
    ],
}
LIBTEST = [
    {"type": "suite", "event": "started", "test_count": 2},
    {"type": "test", "name": "a", "event": "ok"},
    {"type": "test", "name": "b", "event": "failed", "stdout": "no"},
    {"type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 0, "exec_time": 0.1},
]
GO = [
    {"Action": "start", "Package": "p"},
    {"Action": "run", "Package": "p", "Test": "A"},
    {"Action": "output", "Package": "p", "Test": "A", "Output": "x"},
    {"Action": "fail", "Package": "p", "Test": "A", "Elapsed": 0.1},
    {"Action": "fail", "Package": "p", "Elapsed": 0.2},
]
JUNIT = """<testsuites><testsuite tests="2" failures="1" errors="0" time="1.5"><testcase classname="c" name="a" file="f"
line="3" time="1"/><testcase name="b"><failure message="m" type="t">x</failure></testcase></testsuite></testsuites>"""
COBERTURA = """<coverage lines-covered="1" lines-valid="2"><class filename="a"><methods><method name="f"><lines>
<line number="1" hits="1"/></lines></method></methods><lines><line number="1" hits="1" condition-coverage="50% (1/2)"/>
<line number="2" hits="0"/></lines></class></coverage>"""


def spoilt(document: Any) -> Iterator[Any]:
    """``document`` with one place at a time replaced by each wrong value, or removed."""
    for place in places(document):
        for wrong in [*WRONG, GONE]:
            changed = copy.deepcopy(document)
            holder = changed
            for step in place[:-1]:
                holder = holder[step]
            if not place:
                changed = None if wrong is GONE else wrong
            elif wrong is GONE:
                del holder[place[-1]]
            else:
                holder[place[-1]] = wrong
            yield changed


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*above, key))


def outcome(parse: Any, raw: bytes) -> str:
    try:
        parse(raw, "t")
    except ReportInvalid:
        return "refused"
    return "read"


@pytest.mark.parametrize(
    ("parse", "document"),
    [(parse_jest, JEST), (parse_coverage_py, COVERAGE), (parse_own, OWN), (parse_sarif, SARIF)],
    ids=["jest", "coverage", "own", "sarif"],
)
def test_json_reports(parse: Any, document: Any) -> None:
    assert outcome(parse, json.dumps(document).encode()) == "read"
    seen = {outcome(parse, json.dumps(changed).encode()) for changed in spoilt(document)}
    assert "refused" in seen


@pytest.mark.parametrize(("parse", "events"), [(parse_libtest, LIBTEST), (parse_go_test, GO)], ids=["libtest", "go"])
def test_event_reports(parse: Any, events: Any) -> None:
    def written(items: Any) -> bytes:
        return b"\n".join(json.dumps(item, separators=(",", ":")).encode() for item in items)

    assert outcome(parse, written(events)) == "read"
    seen = {outcome(parse, written(items)) for items in spoilt(events) if isinstance(items, list)}
    assert "refused" in seen


TRX = write_trx([Result("A.B", "c"), Result("A.B", "d", "Failed", rows=(Result("A.B", "d", "Failed", "d (1)", "no"),))])


@pytest.mark.parametrize(
    ("parse", "text"),
    [(parse_junit, JUNIT), (parse_cobertura, COBERTURA), (parse_trx, TRX)],
    ids=["junit", "cobertura", "trx"],
)
def test_xml_reports(parse: Any, text: str) -> None:
    assert outcome(parse, text.encode()) == "read"
    seen = set()
    for index, element in enumerate(ET.fromstring(text).iter()):  # noqa: S314 - our own text
        for name in element.attrib:
            for wrong in ("", "x", "-1", "1.5", "nan", "1e999", "²", "9" * 30, None):
                root = ET.fromstring(text)  # noqa: S314
                attributes = list(root.iter())[index].attrib
                if wrong is None:
                    del attributes[name]
                else:
                    attributes[name] = wrong
                seen.add(outcome(parse, ET.tostring(root)))
    assert "refused" in seen


LCOV_LINES = [
    "SF:a",
    "SF:",
    "DA:1,1",
    "DA:1",
    "DA:,",
    "DA:1,nan",
    "DA:1,inf",
    "DA:9,1e999",
    "FN:1",
    "FN:1,f",
    "FN:",
    "FNDA:",
    "FNDA:1,f",
    "FNDA:x,f",
    "BRDA:1,0,0,-",
    "BRDA:",
    "BRDA:1",
    "LF:x",
    "LF:1",
    "LH:1",
    "LH:",
    "end_of_record",
]
TAP_LINES = [
    "1..2",
    "1..0 # SKIP",
    "1..x",
    "ok",
    "ok 1",
    "not ok 2 - x # TODO",
    "Bail out!",
    "TAP version 13",
    "TAP version x",
]
TAP_LINES += ["  ok 1", "pragma +strict", "\x00", "# x", "ok 99999999999999999999999", "ok 2 # SKIP", "---", "..."]


@pytest.mark.parametrize(("parse", "known"), [(parse_lcov, LCOV_LINES), (parse_tap, TAP_LINES)], ids=["lcov", "tap"])
@settings(max_examples=500, deadline=None)
@given(choice=st.data())
def test_line_reports(parse: Any, known: list[str], choice: st.DataObject) -> None:
    lines = choice.draw(st.lists(st.sampled_from(known) | st.text(max_size=12), max_size=10))
    assert outcome(parse, "\n".join(lines).encode("utf-8", "replace")) in {"read", "refused"}
