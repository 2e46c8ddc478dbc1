"""Readers of test reports: what adds up is read, what doesn't is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from code_adapter.reports.go_test import parse_go_test
from code_adapter.reports.jest import parse_jest
from code_adapter.reports.libtest import parse_libtest
from code_adapter.reports.own_json import parse_own
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports import untrusted
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tap import parse_tap
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.tests import tests_summary as summarise
from verigate.sdk.reports.untrusted import ReportInvalid, parse_json, read_report

ROOT = Path("/r")


def counts(outcomes: Outcomes) -> tuple[int, int, int, int]:
    return outcomes.passed, outcomes.failed, outcomes.skipped, len(outcomes.cases)


def suite(tests: int, failures: int = 0, errors: int = 0, body: str = "", more: str = "") -> bytes:
    return f'<testsuite tests="{tests}" failures="{failures}" errors="{errors}" {more}>{body}</testsuite>'.encode()


PASSED = '<testcase classname="m.C" name="a" file="m.py" line="3"/>'
FAILED = '<testcase classname="m.C" name="b"><failure message="no">no\nat line 3</failure></testcase>'
ERROR = '<testcase name="c"><error message="boom"/></testcase>'
SKIPPED = '<testcase name="d"><skipped/></testcase>'


def test_junit_outcomes() -> None:
    found = parse_junit(suite(4, 1, 1, PASSED + FAILED + ERROR + SKIPPED, 'time="0.25"'), "t")
    assert counts(found) == (1, 2, 1, 4)
    assert found.duration_ms == 250
    assert (found.cases[0].id, found.cases[0].path, found.cases[0].line) == ("m.C.a", "m.py", 3)
    assert [case.message for case in found.cases] == ["", "no\nat line 3", "boom", ""]


PYTEST_TRACE = """def test_a():
&gt;       check(1)

tests/test_a.py:15:
_ _ _
tests/test_a.py:5: AssertionError"""
PYTEST_CASES = (
    '<testcase classname="tests.test_a" name="plain" file="tests/test_a.py" line="0"/>'
    '<testcase classname="tests.test_a" name="in_a_helper" file="tests/test_a.py" line="12">'
    f'<failure message="AssertionError: no">{PYTEST_TRACE}</failure></testcase>'
    '<testcase classname="tests.test_a" name="elsewhere" file="tests/test_a.py" line="22">'
    '<error message="no">shop/cart.py:7: ValueError\nxtests/test_a.py:9: x\ntests/test_a.py:0: x</error></testcase>'
    '<testcase classname="tests.test_a" name="unknown"/>'
)


@pytest.mark.parametrize(("tool", "name"), [("pytest", "own name"), ("declared", "pytest")])
def test_lines_of_pytest_count_from_zero_and_the_assertion_is_found(tool: str, name: str) -> None:
    """As pytest 7.4, 8.4 and 9.0 write them."""
    found = parse_junit(suite(4, 1, 1, PYTEST_CASES, f'name="{name}"'), tool)
    assert [case.line for case in found.cases] == [1, 15, 23, None]


def test_a_file_that_pytest_can_not_load_has_its_cause() -> None:
    body = 'a.py:1: in &lt;module&gt;\nE     File "b.py", line 4\nE       1.0.0\nE   SyntaxError: invalid syntax'
    broken = f'<testcase name="a"><error message="collection failure">{body}</error></testcase>'
    (case,) = parse_junit(suite(1, 0, 1, broken), "pytest").cases
    assert (case.broken, case.message.split("\n")[0]) == (True, "SyntaxError: invalid syntax")


def test_lines_of_others_are_as_they_say() -> None:
    found = parse_junit(suite(4, 1, 1, PYTEST_CASES, 'name="phpunit"'), "t")
    assert [case.line for case in found.cases] == [0, 12, 22, None]


def test_junit_nested_and_bare_cases() -> None:
    inner = suite(1, body=PASSED).decode()
    assert counts(
        parse_junit(f"<testsuites><testsuite>{inner}{inner}</testsuite>{PASSED}</testsuites>".encode(), "t")
    ) == (
        3,
        0,
        0,
        3,
    )
    assert counts(parse_junit(b"<testsuites/>", "t")) == (0, 0, 0, 0)


def test_junit_of_a_test_that_passes_and_breaks_in_its_teardown() -> None:
    # pytest 9: tests="2" failures="0" errors="1", one testcase.
    assert counts(parse_junit(suite(2, 0, 1, ERROR), "t")) == (0, 1, 0, 1)


def test_junit_of_subtests() -> None:
    """As pytest 9.0 writes them: two tests with five subtests, of which one fails."""
    twice = '<testcase name="b"><failure message="no"/><failure message="contains 1 failed subtest"/></testcase>'
    assert counts(parse_junit(suite(7, 2, 0, PASSED + twice), "pytest")) == (1, 1, 0, 2)
    for tests, failures in ((1, 2), (7, 3), (7, 0)):
        with pytest.raises(ReportInvalid):
            parse_junit(suite(tests, failures, 0, PASSED + twice), "pytest")
    with pytest.raises(ReportInvalid):
        parse_junit(suite(7, 2, 0, PASSED + twice), "other")


def test_junit_to_do_of_node() -> None:
    body = '<testcase name="t"><skipped type="todo" message="true"/><failure message="x"/></testcase>'
    assert counts(parse_junit(suite(1, 1, 0, body), "t")) == (0, 0, 1, 1)


BOMB = b'<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites>&b;</testsuites>'


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<testsuite>",
        b"<html/>",
        BOMB,
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuites/>',
        suite(2, body=PASSED),
        suite(1, 1, body=PASSED),
        suite(1, 0, body=FAILED),
        suite(0, body=PASSED),
        b'<testsuite tests="many"><testcase name="a"/></testsuite>',
    ],
)
def test_junit_that_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_junit(raw, "t")


def test_tap_outcomes() -> None:
    text = b"""TAP version 14
# Subtest: group
    ok 1 - inner
    1..1
ok 1 - group
  ---
  duration_ms: 1
  ...
not ok 2 - b
ok 3 - c # SKIP why
not ok 4 - d # TODO later
1..4
"""
    found = parse_tap(text, "t")
    assert counts(found) == (1, 1, 2, 4)
    assert [case.id for case in found.cases] == ["group", "b", "c", "d"]
    assert counts(parse_tap(b"TAP version 13\n1..0 # SKIP nothing\n", "t")) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"ok 1\n",
        b"1..2\nok 1\n",
        b"1..1\nok 1\nok 2\n",
        b"1..1\nok 2\n",
        b"1..1\n1..1\nok 1\n",
        b"1..1\nBail out! x\nok 1\n",
    ],
)
def test_tap_that_is_no_report(text: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_tap(text, "t")


def go(*events: dict[str, Any]) -> bytes:
    return b"".join(json.dumps({"Package": "p", **event}).encode() + b"\n" for event in events)


def test_go_outcomes() -> None:
    raw = go(
        {"Action": "start"},
        {"Action": "run", "Test": "A"},
        {"Action": "output", "Test": "A", "Output": "no\n"},
        {"Action": "fail", "Test": "A"},
        {"Action": "run", "Test": "B"},
        {"Action": "skip", "Test": "B"},
        {"Action": "fail", "Elapsed": 0.5},
        {"Action": "skip", "Package": "without tests"},
        {"Action": "start", "Package": "q"},
        {"Action": "output", "Package": "q", "Output": "init failed\n"},
        {"Action": "fail", "Package": "q"},
    )
    found = parse_go_test(raw + b"FAIL\tr [build failed]\n", "t")
    assert counts(found) == (0, 3, 1, 4)
    assert [(case.id, case.message) for case in found.cases if case.outcome == "failed"] == [
        ("p.A", "no\n"),
        ("q", "init failed\n"),
        ("r", ""),
    ]
    assert found.duration_ms == 500


def test_go_subtests_are_nested_and_progress_is_no_message() -> None:
    printed = {
        "A": ["=== RUN   A\n", "=== PAUSE A\n", "=== CONT  A\n", "--- FAIL: A (0.00s)\n"],
        "A/b": ["=== RUN   A/b\n", "    a_test.go:3: got 1\n", "=== NAME  A/b\n", "    --- FAIL: A/b (0.00s)\n"],
    }
    events = [
        {"Action": "start"},
        *({"Action": "run", "Test": name} for name in printed),
        *({"Action": "output", "Test": name, "Output": line} for name, lines in printed.items() for line in lines),
        *({"Action": "fail", "Test": name} for name in printed),
        {"Action": "fail"},
    ]
    found = parse_go_test(go(*events), "t")
    assert [(case.id, case.nested, case.message) for case in found.cases] == [
        ("p.A", False, ""),
        ("p.A/b", True, "    a_test.go:3: got 1\n=== NAME  A/b\n    --- FAIL: A/b (0.00s)\n"),
    ]


def test_tests_without_subtests_are_counted_too() -> None:
    nested = Outcomes((Case("A", "passed"), Case("A/b", "passed", nested=True), Case("A/c", "skipped", nested=True)))
    flat = Outcomes((Case("t", "passed"),))
    runs = [SuiteRun(tool, None, "", found, (), 0) for tool, found in (("go test", nested), ("pytest", flat))]
    summary = summarise(runs, Texts(ROOT))
    assert [summary[key] for key in ("passed", "skipped", "total")] == [3, 1, 4]
    assert summary["top_level"] == {"passed": 2, "failed": 0, "skipped": 0, "total": 2}
    assert [tool.get("top_level") for tool in summary["tools"]] == [
        {"passed": 1, "failed": 0, "skipped": 0, "total": 1},
        None,
    ]
    assert "top_level" not in summarise(runs[1:], Texts(ROOT))


@pytest.mark.parametrize(
    "raw",
    [
        go({"Action": "run", "Test": "A"}, {"Action": "pass"}),
        go({"Action": "run", "Test": "A"}, {"Action": "pass", "Test": "A"}),
        go({"Action": "start"}),
        b"ok  \tp\t0.1s\n",
        b"[]\n",
    ],
)
def test_go_that_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_go_test(raw, "t")


def jest(results: list[dict[str, Any]], total: int, passed: int, failed: int) -> bytes:
    report = {"numTotalTests": total, "numPassedTests": passed, "numFailedTests": failed, "testResults": results}
    return json.dumps(report).encode()


def test_jest_outcomes() -> None:
    statuses = ["passed", "failed", "pending", "todo"]
    listed = [{"fullName": status, "status": status, "failureMessages": ["x"]} for status in statuses]
    results = [{"name": "/a", "status": "failed", "assertionResults": listed}]
    results.append({"name": "/b", "status": "failed", "message": "at import", "assertionResults": []})
    found = parse_jest(jest(results, 4, 1, 1), "t")
    assert counts(found) == (1, 2, 2, 5)
    assert [case.message for case in found.cases if case.outcome == "failed"] == ["x", "at import"]


@pytest.mark.parametrize(
    "raw",
    [
        b"{}",
        b"[]",
        jest([], 1, 1, 0),
        jest([{"name": "/a", "status": "passed", "assertionResults": [{"status": "failed"}]}], 1, 1, 0),
        jest([{"name": "/a", "status": "passed", "assertionResults": [{"status": "fine"}]}], 1, 1, 0),
        jest([{"name": "/a", "status": "passed"}], 0, 0, 0),
        b'{"numTotalTests": true, "numPassedTests": 0, "numFailedTests": 0, "testResults": []}',
    ],
)
def test_jest_that_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_jest(raw, "t")


STARTED = '{ "type": "suite", "event": "started", "test_count": 1 }\n'
OK = '{ "type": "test", "name": "a", "event": "ok" }\n'
END = '{ "type": "suite", "event": "ok", "passed": 1, "failed": 0, "ignored": 0, "exec_time": 0.5 }\n'


def test_libtest_outcomes() -> None:
    found, suites = parse_libtest(f"running\n{STARTED}noise\n{OK}{END}{STARTED}{OK}{END}".encode(), "t")
    assert (counts(found), suites, found.duration_ms) == ((2, 0, 0, 2), 2, 1000)


@pytest.mark.parametrize("text", [STARTED + OK, STARTED + END, END, STARTED + STARTED, STARTED + OK + OK + END])
def test_libtest_that_is_no_report(text: str) -> None:
    with pytest.raises(ReportInvalid):
        parse_libtest(text.encode(), "t")


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"complete": True, "total": 0},
        {"complete": False, "total": 0, "cases": []},
        {"complete": True, "total": 1, "cases": []},
        {"complete": True, "total": 1, "cases": [{"id": "a", "outcome": "fine"}]},
        {"complete": True, "total": -1, "cases": []},
    ],
)
def test_own_json_that_is_no_report(report: dict[str, Any]) -> None:
    with pytest.raises(ReportInvalid):
        parse_own(json.dumps(report).encode(), "t")


@pytest.mark.parametrize("raw", [b"NaN", b'{"a":1,"a":2}', b"[" * 200_000, b"\xff", b""])
def test_json_is_strict(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        parse_json(raw, "t")


def test_reports_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "MAX_REPORT_BYTES", 10)
    (tmp_path / "r").write_bytes(b"0123456789")
    assert read_report(tmp_path / "r", "t") == b"0123456789"
    (tmp_path / "r").write_bytes(b"0123456789x")
    with pytest.raises(ReportInvalid, match="larger"):
        read_report(tmp_path / "r", "t")


def test_only_regular_files_are_reports(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("absent", "link", "."):
        with pytest.raises(ReportInvalid):
            read_report(tmp_path / name, "t")


@pytest.mark.parametrize(
    ("stack", "line"),
    [
        ("Error: no\n    at toBe (/r/node_modules/x.js:1:2)\n    at Object.<anonymous> (/r/test/a.test.js:4:20)", 4),
        ("AssertionError: no\n    at /r/test/a.test.js:25:30\n    at file:///r/x.js:1:1", 25),
        ("AssertionError: no\n    at file:///r/test/a.test.js:7:3", 7),
        ("no\n    at Object.<anonymous> (test/a.test.js:9:1)", 9),
        ("no\n    at x (/elsewhere/a.test.js:9:1)", None),
        ("no\n    at x (/r/test/ba.test.js:9:1)", None),
        ("no\n    at x (/r/test/a.test.js:x)\n    (/r/test/a.test.js:0:1)", None),
        ("", None),
    ],
)
def test_the_line_of_an_assertion_of_jest_is_in_its_stack(stack: str, line: int | None) -> None:
    listed = [{"fullName": "a", "status": "failed", "failureMessages": [stack]}]
    counts = {"numTotalTests": 1, "numPassedTests": 0, "numFailedTests": 1}
    report = {**counts, "testResults": [{"name": "/r/test/a.test.js", "assertionResults": listed}]}
    assert parse_jest(json.dumps(report).encode(), "jest").cases[0].line == line
