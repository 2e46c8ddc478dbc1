"""Readers of coverage reports and of SARIF."""

from __future__ import annotations

import json
from typing import Any

import pytest

from code_adapter.reports.cobertura import parse_cobertura
from code_adapter.reports.coverage_py import parse_coverage_py
from verigate.sdk.reports.file_coverage import FileCoverage, Ratio, merge_by_path, sum_ratios
from verigate.sdk.reports.lcov import parse_lcov
from verigate.sdk.reports.sarif import LintFinding, parse_sarif
from verigate.sdk.reports.untrusted import ReportInvalid

LCOV = b"""TN:one
SF:src/a.js
FN:1,first
FN:9,12,second
FNDA:3,first
FNDA:0,second
BRDA:1,0,0,1
BRDA:1,0,1,-
DA:1,3
DA:2,0
DA:3,0,checksum
LF:3
LH:1
end_of_record
TN:two
SF:src/a.js
DA:2,5
LF:1
LH:1
end_of_record
"""


def test_lcov_unites_the_tests_of_a_file() -> None:
    (found,) = parse_lcov(LCOV, "t")
    lines = (frozenset({1, 2}), frozenset({3}))
    assert found == FileCoverage("src/a.js", Ratio(2, 3), Ratio(1, 2), Ratio(1, 2), *lines)


def test_lcov_with_two_functions_of_one_name() -> None:
    text = b"SF:a\nFN:1,f\nFN:5,f\nFNDA:1,f\nFNDA:0,f\nend_of_record\n"
    (found,) = parse_lcov(text, "t")
    assert found.functions == Ratio(1, 2)


@pytest.mark.parametrize(
    "text",
    [
        b"SF:a\nDA:1,1\n",
        b"end_of_record\n",
        b"SF:a\nSF:b\nend_of_record\n",
        b"SF:a\nDA:x,1\nend_of_record\n",
        b"SF:a\nDA:1\nend_of_record\n",
        b"SF:a\nDA:1,1\nLF:2\nLH:1\nend_of_record\n",
    ],
)
def test_lcov_that_is_no_report(text: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_lcov(text, "t")


def test_an_empty_lcov_measured_nothing() -> None:
    assert parse_lcov(b"", "t") == ()


COBERTURA = """<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage lines-valid="{valid}" lines-covered="2"><packages><package><classes>
<class filename="a.py"><methods>
  <method name="f"><lines><line number="1" hits="1"/></lines></method>
  <method name="g"><lines><line number="3" hits="0"/></lines></method></methods>
 <lines><line number="1" hits="1" branch="true" condition-coverage="50% (1/2)"/>
 <line number="2" hits="4"/><line number="3" hits="0"/></lines></class>
</classes></package></packages></coverage>"""


def test_cobertura() -> None:
    (found,) = parse_cobertura(COBERTURA.format(valid=3).encode(), "t")
    lines = (frozenset({1, 2}), frozenset({3}))
    assert found == FileCoverage("a.py", Ratio(2, 3), Ratio(1, 2), Ratio(1, 2), *lines)


@pytest.mark.parametrize(
    "text",
    [
        COBERTURA.format(valid=4),
        "<coverage",
        "<report/>",
        '<!DOCTYPE c [<!ENTITY e "x">]><coverage>&e;</coverage>',
        '<coverage><class filename="a"><lines><line number="x" hits="1"/></lines></class></coverage>',
        "<coverage><class/></coverage>",
    ],
)
def test_cobertura_that_is_no_report(text: str) -> None:
    with pytest.raises(ReportInvalid):
        parse_cobertura(text.encode(), "t")


def coverage_json(covered: int, statements: int, **more: Any) -> bytes:
    entry = {"summary": {"covered_lines": 1, "num_statements": 2}, **more}
    totals = {"covered_lines": covered, "num_statements": statements}
    return json.dumps({"files": {"a.py": entry}, "totals": totals}).encode()


def test_coverage_json() -> None:
    functions = {
        "": {"summary": {"covered_lines": 1}},
        "f": {"summary": {"covered_lines": 1}},
        "g": {"summary": {"covered_lines": 0}},
    }
    (found,) = parse_coverage_py(coverage_json(1, 2, functions=functions), "t")
    assert found == FileCoverage("a.py", Ratio(1, 2), Ratio(1, 2), Ratio())


@pytest.mark.parametrize(
    "raw", [b"{}", coverage_json(2, 2), coverage_json(1, 3), coverage_json(1, 2, functions={"f": {}}), b"[]"]
)
def test_coverage_json_that_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_coverage_py(raw, "t")


def test_more_covered_than_there_is_cannot_be() -> None:
    with pytest.raises(ReportInvalid):
        Ratio(2, 1)


def test_nothing_adds_up_to_nothing() -> None:
    assert sum_ratios([]) == Ratio(0, 0)
    assert merge_by_path([FileCoverage("b", Ratio(1, 2)), FileCoverage("a"), FileCoverage("b", Ratio(1, 1))]) == (
        FileCoverage("a"),
        FileCoverage("b", Ratio(2, 3)),
    )


def sarif(*results: dict[str, Any], **run: Any) -> bytes:
    driver = {"name": "lint", "version": "1", "rules": [{"id": "R", "defaultConfiguration": {"level": "error"}}]}
    return json.dumps(
        {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results), **run}]}
    ).encode()


def test_sarif_findings() -> None:
    place = {"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 2, "startColumn": 3}}}
    found = parse_sarif(
        sarif(
            {"ruleId": "R", "message": {"text": "by default"}, "locations": [place]},
            {"ruleId": "S", "level": "note", "message": {"text": "a note"}},
            {"ruleId": "R", "suppressions": [{"kind": "inSource"}], "message": {"text": "hidden"}},
            {"ruleId": "R", "kind": "pass", "message": {"text": "fine"}},
            artifacts=[{"location": {"uri": "src/a%20b.py"}}, {"location": {"uri": "file:///x/c.py"}}],
        ),
        "t",
    )
    assert found.findings == (
        LintFinding("", 0, 0, "S", "warning", "a note", "lint"),
        LintFinding("src/a b.py", 2, 3, "R", "error", "by default", "lint"),
    )
    assert found.tools == (("lint", "1"),)
    assert found.examined == ("/x/c.py", "src/a b.py")


@pytest.mark.parametrize("raw", [b"{}", sarif(invocations=[{"executionSuccessful": False}]), b'{"version":"2.1.0"}'])
def test_sarif_that_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_sarif(raw, "t")
