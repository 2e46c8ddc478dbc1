"""Reports and output of tools, which run code of the subject and may print what it likes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from code_adapter.building.text_errors import parse_any_errors, parse_go_errors, parse_tsc_errors
from code_adapter.counterfactual.line_reports import read_profile
from code_adapter.diff import parse_numstat
from code_adapter.lint.go_vet import parse_vet
from code_adapter.reports.cobertura import parse_cobertura
from code_adapter.reports.coverage_py import parse_coverage_py
from code_adapter.reports.go_test import parse_go_test
from code_adapter.reports.jest import parse_jest
from code_adapter.reports.libtest import parse_libtest
from code_adapter.reports.own_json import parse_own
from code_adapter.reports.tap_output import parse_tap_output
from code_adapter.reports.tape_output import parse_tape_tests
from code_adapter.toolchains.cargo import read_diagnostics, read_test_targets
from code_adapter.toolchains.java_errors import parse_java_errors
from targets.target import Target
from tool_adapter.findings import read_json_findings, read_line_findings
from verigate.formats.patch import parse_patch
from verigate.sdk import AdapterError, ToolRun
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.lcov import parse_lcov
from verigate.sdk.reports.sarif import parse_sarif
from verigate.sdk.reports.tap import parse_tap
from verigate.tools.model import Report, ReportFormat

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
            "executed_lines": [1],
            "missing_lines": [2],
            "excluded_lines": [3],
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
            "tool": {"driver": {"name": "x", "rules": [{"id": "R", "defaultConfiguration": {"level": "error"}}]}},
            "invocations": [{"executionSuccessful": True}],
            "artifacts": [{"location": {"uri": "a"}}],
            "results": [
                {
                    "ruleId": "R",
                    "message": {"text": "m"},
                    "suppressions": [{"kind": "inSource"}],
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
JUNIT = b"""<testsuites><testsuite tests="2" failures="1" errors="0" time="1.5"><testcase classname="c" name="a" file="f"
line="3" time="1"/><testcase name="b"><failure message="m" type="t">x</failure><system-out>o</system-out></testcase>
</testsuite></testsuites>"""
COBERTURA = b"""<coverage lines-covered="1" lines-valid="2"><class filename="a"><methods><method name="f"><lines>
<line number="1" hits="1"/></lines></method></methods><lines><line number="1" hits="1" condition-coverage="50% (1/2)"/>
<line number="2" hits="0"/></lines></class></coverage>"""
LCOV = b"TN:x\nSF:a\nFN:1,f\nFNDA:1,f\nDA:1,1\nDA:2,0\nBRDA:1,0,0,-\nLF:2\nLH:1\nend_of_record\n"
TAP = (
    b"TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b # TODO later\n  ---\n  at: x:1\n  ...\nok 3 # SKIP\n"
    b"# Subtest: c\n    1..1\n    ok 1 - d\nok 4 - c\n"
)
TAPE = b"TAP version 13\n# adds\nok 1 should be equal\n# SKIP b\nnot ok 2 # TODO\nnot ok 3 test exited without ending: c\n1..3\n"
VET = b'# p\n{\n\t"p": {\n\t\t"printf": [{"posn": "/r/a.go:3:2", "message": "m"}],\n\t\t"x": []\n\t}\n}\n'
CARGO = [
    {
        "reason": "compiler-message",
        "message": {
            "level": "error",
            "message": "m",
            "rendered": "r",
            "spans": [{"is_primary": True, "file_name": "a.rs", "line_start": 1, "column_start": 2}],
        },
    },
    {
        "reason": "compiler-artifact",
        "target": {"kind": ["lib"], "name": "a", "doctest": True},
        "profile": {"test": True},
        "executable": "/t/a",
        "manifest_path": "/dev/null",
    },
]
PATCH = (
    b'diff --git a/a.py b/b.py\nsimilarity index 90%\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ "b/\\303\\274.py"\n'
    b"@@ -1,2 +1,3 @@ def f():\n x\n-y\n+z\n+w\n\\ No newline at end of file\ndiff --git a/i b/i\nBinary files differ\n"
)
PROFILE = b"mode: set\nm/a.go:1.2,3.4 2 1\nm/b/c.go:5.1,6.2 1 0\n"
ERRORS = (
    b"src/a.ts(3,4): error TS2322: Type 'x'\nsrc/b.ts:3:4 - error TS1: no\n./a.go:3:4: undefined: x\n"
    b"/r/A.java:2: error: cannot find symbol\n  symbol: method of(int)\n[ERROR] /r/A.java:[2,64] cannot find symbol\n"
    b"[ERROR]   symbol:   class B\ne: file:///r/A.kt:12:5 Unresolved reference\n"
)
FOUND = {"results": [{"file": "a.py", "at": {"line": 3}, "level": "LOW", "text": "odd", "rules": ["R1", "R2"]}]}

_PLACES: Mapping[str, str] = {
    "path": "/file",
    "line": "/at/line",
    "column": "1#",
    "severity": "/level",
    "message": "/text",
    "rule": "/rules/0",
}
_REPORT = Report(ReportFormat.JSON, findings="/results/*", fields=_PLACES, errors=("low",))
_LINES = Report(ReportFormat.LINES, skip="^Checked .*$")


def list_targets() -> Iterator[Target]:
    """List one target for each format."""
    readers: dict[str, tuple[Callable[[bytes, str], Any], bytes, bool]] = {
        "JUnit": (parse_junit, JUNIT, False),
        "SARIF": (parse_sarif, _json(SARIF), True),
        "TAP": (parse_tap, TAP, False),
        "TAP of programs": (parse_tap_output, TAP, False),
        "LCOV": (parse_lcov, LCOV, False),
        "Cobertura": (parse_cobertura, COBERTURA, False),
        "coverage.py": (parse_coverage_py, _json(COVERAGE), True),
        "go test": (parse_go_test, _lines(GO), False),
        "libtest": (parse_libtest, _lines(LIBTEST), False),
        "Jest": (parse_jest, _json(JEST), True),
        "own JSON": (parse_own, _json(OWN), True),
    }
    for name, (parse, seed, is_json) in readers.items():
        yield Target(name, _named(parse), (seed,), (AdapterError,), is_json=is_json)
    others: dict[str, tuple[Callable[[bytes], Any], bytes, bool]] = {
        "tape": (lambda raw: parse_tape_tests(raw, lambda title: title if len(title) < 9 else None), TAPE, False),
        "go vet": (lambda raw: list(parse_vet(raw, "t", _texts(), "")), VET, False),
        "cargo": (_read_cargo, _lines(CARGO), False),
        "patch": (lambda raw: parse_patch(raw.decode("utf-8", "replace")), PATCH, False),
        "numstat": (lambda raw: list(parse_numstat(raw.split(b"\0"))), b"1\t2\ta.py\x003\t4\t\0b.py\0c.py", False),
        "go cover profile": (lambda raw: read_profile(raw.decode("utf-8", "replace"), "m", ""), PROFILE, False),
        "errors of compilers": (_read_errors, ERRORS, False),
        "findings in JSON": (lambda raw: read_json_findings(_REPORT, raw, "t"), _json(FOUND), True),
        "findings in lines": (
            lambda raw: read_line_findings(_LINES, raw, "t"),
            b"a.c:3:7: warning: odd\nb.c:3: x\n",
            False,
        ),
    }
    for name, (read, seed, is_json) in others.items():
        yield Target(name, _plain(read), (seed,), (AdapterError,), is_json=is_json)


def _named(parse: Callable[[bytes, str], Any]) -> Callable[[Path, bytes], object]:
    return lambda _folder, raw: parse(raw, "t")


def _plain(parse: Callable[[bytes], Any]) -> Callable[[Path, bytes], object]:
    return lambda _folder, raw: parse(raw)


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _lines(values: list[dict[str, Any]]) -> bytes:
    return b"\n".join(json.dumps(value, separators=(",", ":")).encode() for value in values)


def _texts() -> Texts:
    return Texts(Path("/r"))


def _run(raw: bytes) -> ToolRun:
    return ToolRun(("t",), 1, None, timed_out=False, stdout=raw, stderr=b"")


def _read_cargo(raw: bytes) -> None:
    list(read_diagnostics(_run(raw)))
    targets, _ = read_test_targets(_run(raw))
    for target in targets:
        target.has_harness()


def _read_errors(raw: bytes) -> None:
    for parse in (parse_tsc_errors, parse_go_errors, parse_any_errors, parse_java_errors):
        list(parse(_run(raw), _texts(), ""))
