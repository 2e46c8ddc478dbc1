"""What reports of runs say about lines: V8's, Istanbul's and go's, and reports of any shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.counterfactual.changed_lines import ChangedFile, Statement
from code_adapter.counterfactual.line_reports import find_contexts, read_istanbul, read_profile, read_v8

SOURCE = "const a = '\U0001f600';\nfunction f() {\n  return 1;\n}\n"
FILE = ChangedFile(
    "a.js", "javascript", SOURCE.encode(), (Statement(1, 1, 0), Statement(3, 3, SOURCE.encode().index(b"return")))
)
LENGTH = len(SOURCE.encode("utf-16-le")) // 2
START = len(SOURCE[: SOURCE.index("function")].encode("utf-16-le")) // 2


def script(*ranges: tuple[int, int, int], url: str = "file:///repo/a.js") -> dict[str, Any]:
    listed = [{"startOffset": start, "endOffset": end, "count": count} for start, end, count in ranges]
    return {"result": [{"url": url, "functions": [{"ranges": listed}]}]}


def test_v8_counts_units_of_utf_16_and_the_innermost_range_decides() -> None:
    whole, inner = (0, LENGTH, 1), (START, LENGTH - 1, 0)
    assert read_v8(Path("/repo"), [script(whole, inner)], [FILE]) == ({"a.js": frozenset({1})}, "")
    called = (START, LENGTH - 1, 2)
    assert read_v8(Path("/repo"), [script(whole, inner), script(whole, called)], [FILE])[0] == {
        "a.js": frozenset({1, 3})
    }


@pytest.mark.parametrize(
    "report", [None, {}, {"result": 1}, script((0, LENGTH + 9, 1)), script((0, LENGTH, 1), url="x")]
)
def test_a_script_that_is_not_the_file_leaves_open_what_ran(report: Any) -> None:
    assert read_v8(Path("/repo"), [report], [FILE]) == ({"a.js": frozenset()}, "a.js")


def test_istanbul_counts_statements() -> None:
    places = {"0": {"start": {"line": 1}}, "1": {"start": {"line": 3}}}
    report = {"/repo/a.js": {"statementMap": places, "s": {"0": 1, "1": 0}}}
    assert read_istanbul(Path("/repo"), report, [FILE]) == ({"a.js": frozenset({1})}, "")
    assert read_istanbul(Path("/repo"), {"/repo/a.js": {}}, [FILE]) == ({}, "a.js")
    assert read_istanbul(Path("/repo"), {}, [FILE]) == ({}, "a.js")


def test_a_cover_profile_has_what_ran_and_what_is_counted() -> None:
    text = "mode: set\nexample.com/shop/a/b.go:3.20,5.2 2 1\nexample.com/shop/a/b.go:7.1,7.9 1 0\n"
    ran, every = read_profile(text, "example.com/shop", "mod")
    assert (ran, every) == ({"mod/a/b.go": frozenset({3, 4, 5})}, {"mod/a/b.go": frozenset({3, 4, 5, 7})})
    assert read_profile("", "m", "") == ({}, {})


@pytest.mark.parametrize(
    ("context", "of_it"),
    [
        ("", True),
        ("tests.test_shop.test_total", True),
        ("test_shop.test_total", True),
        ("test_shop.test_totals", False),
        ("test_shop.test_half", False),
        ("test_shop.TestShop.test_total", True),
        ("test_base.Base.test_total", True),
    ],
)
def test_a_line_is_of_a_test_by_its_context(context: str, of_it: bool) -> None:
    test = cell_runs.TestName("tests/test_shop.py", "TestShop.test_total")
    found = dict(find_contexts(Path("/repo"), [{"/repo/shop.py": {"2": [context]}, "/other.py": {}}], test))
    assert found == {"shop.py": frozenset({2} if of_it else ())}
