from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_adapter.findings import read_json_findings, read_line_findings
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid
from verigate.tools.model import Report, ReportFormat

FIELDS = {"path": "/file", "line": "/at/line", "severity": "/level", "message": "/text", "rule": "/rules/0"}


def _json(findings: str, fields: dict[str, str], errors: tuple[str, ...] = ()) -> Report:
    return Report(ReportFormat.JSON, findings=findings, fields=fields, errors=errors)


def _lines(pattern: str | None = None, skip: str | None = None) -> Report:
    return Report(ReportFormat.LINES, pattern=pattern, skip=skip)


ONE = {"file": "a.py", "at": {"line": 3}, "level": "LOW", "text": "odd", "rules": ["R1", "R2"]}


@pytest.mark.parametrize(
    ("report", "document", "found"),
    [
        (_json("/results/*", FIELDS), {"results": [ONE]}, [("a.py", 3, 0, "R1", "error", "odd")]),
        (_json("/results/*", FIELDS, ("high",)), {"results": [ONE]}, [("a.py", 3, 0, "R1", "warning", "odd")]),
        (_json("/results/*", FIELDS, ("low",)), {"results": [ONE]}, [("a.py", 3, 0, "R1", "error", "odd")]),
        # a table of files, as of detect-secrets: the name of the list that the finding is in
        (
            _json("/results/*/*", {"path": "1#", "line": "/n"}),
            {"results": {"b.py": [{"n": 2}, {"n": "4"}], "c.py": []}},
            [("b.py", 2, 0, "", "error", ""), ("b.py", 4, 0, "", "error", "")],
        ),
        # a list of files with messages, as of ESLint: a key two levels up
        (
            _json("/*/messages/*", {"path": "2/filePath", "column": "0/column", "message": "/m"}),
            [{"filePath": "j.js", "messages": [{"column": 7, "m": {"x": 1}}]}],
            [("j.js", 0, 7, "", "error", '{"x": 1}')],
        ),
        (_json("", {"path": "/file", "rule": "9/none", "line": "/no/such"}), ONE, [("a.py", 0, 0, "", "error", "")]),
        (_json("/results/*", FIELDS), {"results": []}, []),
        (_json("/none/*", FIELDS), {"results": [ONE]}, []),
        (_json("/results/1", {"path": "/file"}), {"results": [{}, ONE]}, [("a.py", 0, 0, "", "error", "")]),
    ],
)
def test_findings_stand_where_the_pointers_say(report: Report, document: Any, found: list[tuple[Any, ...]]) -> None:
    expected = tuple(LintFinding(*each, "t") for each in found)
    assert read_json_findings(report, json.dumps(document).encode(), "t") == expected


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a.c:3:7: warning: odd", ("a.c", 3, 7, "", "warning", "odd")),
        ("a.c:3: error: bad", ("a.c", 3, 0, "", "error", "bad")),
        ("dir/a b.c:3: simply bad", ("dir/a b.c", 3, 0, "", "error", "simply bad")),
        ("a.c:3:7:", ("a.c", 3, 7, "", "error", "")),
        ("C:3: x", ("C", 3, 0, "", "error", "x")),
    ],
)
def test_lines_are_those_of_compilers(line: str, found: tuple[Any, ...]) -> None:
    assert read_line_findings(_lines(), f"\n{line}\n".encode(), "t") == (LintFinding(*found, "t"),)


def test_lines_may_have_a_pattern_and_lines_that_are_none() -> None:
    report = _lines(r"(?P<rule>\w+) in (?P<path>\S+)", skip=r"^Checked ")
    assert read_line_findings(report, b"X1 in a.py\nChecked 3 files\n", "t") == (
        LintFinding("a.py", 0, 0, "X1", "error", "", "t"),
    )
    with pytest.raises(ReportInvalid, match="isn't a finding"):
        read_line_findings(_lines(r"(?P<path>\S+)"), b"two words\n", "t")


@pytest.mark.parametrize("raw", [b"", b"{", b"NaN", b'{"a":1,"a":2}', b"[" * 5000])
def test_what_is_not_json_is_no_report(raw: bytes) -> None:
    with pytest.raises(ReportInvalid):
        read_json_findings(_json("/x", {}), raw, "t")


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    ),
    st.sampled_from(["", "/*", "/*/*", "/a", "/*/0/*"]),
    st.sampled_from(["/a", "1#", "2/*", "0#", "3/x/0", "0", "1"]),
)
def test_any_document_is_read(document: Any, findings: str, pointer: str) -> None:
    fields = dict.fromkeys(("path", "line", "column", "rule", "severity", "message"), pointer)
    for finding in read_json_findings(_json(findings, fields), json.dumps(document).encode(), "t"):
        assert isinstance(finding.path, str)
        assert finding.line >= 0


WHITESPACE = _lines(r"(?P<path>[^\n]+?):(?P<line>\d+): (?P<message>[^\n]*)", skip="^[+-]")


@pytest.mark.parametrize(
    ("said", "files", "found"),
    [
        # Names with line ends, of which one begins as another does.
        (
            "b\nc\nd.txt:1: odd\nb\nc.txt:2: odd\n",
            ("b\nc.txt", "b\nc\nd.txt"),
            [("b\nc\nd.txt", 1), ("b\nc.txt", 2)],
        ),
        # A line that is understood by itself is never part of a name.
        ("a:1: odd\nb:2: odd\n", ("a", "b", "a:1: odd\nb"), [("a", 1), ("b", 2)]),
        # A file whose name begins like a line that is to be skipped is not hidden by that.
        ("+a.txt:1: odd\n+text:7: of a line\n", ("+a.txt",), [("+a.txt", 1)]),
        ("-\nx.txt:1: odd\n", ("-\nx.txt",), [("x.txt", 1)]),
        ("\\xff.txt:1: odd\n", ("\udcff.txt",), [("\\xff.txt", 1)]),
    ],
)
def test_names_of_any_kind_are_told_apart_from_lines(
    said: str, files: tuple[str, ...], found: list[tuple[str, int]]
) -> None:
    told = read_line_findings(WHITESPACE, said.encode(), "t", files)
    assert [(finding.path, finding.line) for finding in told] == found


@pytest.mark.parametrize("said", ["b\nc.txt", "b\nc.txt: odd\n", "b\n", "b\nother.txt:1: odd\n"])
def test_a_piece_of_a_name_is_no_finding(said: str) -> None:
    with pytest.raises(ReportInvalid, match="isn't a finding: 'b'"):
        read_line_findings(WHITESPACE, said.encode(), "t", ("b\nc.txt",))
