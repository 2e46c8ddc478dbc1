from __future__ import annotations

from typing import Any

import pytest

from verigate.domain.invariants import find_violations

_LINES = {"covered": 93, "total": 100}
_NONE = {"covered": 0, "total": 0}
_GROUPS = {"added": [], "changed": [], "removed": []}

SOUND: dict[str, Any] = {
    "verigate:diff.v1": {"files_modified": ["a"], "files_created": ["b"], "files_deleted": [], "total_changes": 2},
    "verigate:diff-names.v1": {"added": ["b"], "modified": ["a"], "deleted": []},
    "verigate:lint.v1": {
        "errors": 1,
        "warnings": 1,
        "files_checked": 1,
        "issues": [{"severity": "error"}, {"severity": "warning"}, {"severity": "info"}],
        "tool": "ruff",
        "tools": [{"name": "ruff", "errors": 1, "warnings": 1}],
    },
    "verigate:tests.v1": {
        "passed": 1,
        "failed": 1,
        "skipped": 1,
        "total": 3,
        "failures": [{}],
        "tools": [{"passed": 1, "failed": 1, "skipped": 1, "total": 3}],
    },
    "verigate:coverage.v1": {
        "pct": 0.93,
        "lines": _LINES,
        "functions": _NONE,
        "branches": _NONE,
        "files": [{"covered": 93, "total": 100}],
        "base": {"pct": 0.5, "lines": {"covered": 1, "total": 2}},
    },
    "verigate:build.v1": {"success": False, "errors": [], "warnings": [], "tool": None},
    "verigate:functions.v1": {"functions": {**_GROUPS, "added": [{}]}, "endpoints": _GROUPS, "total": 1},
    "verigate:integrity.v1": {"findings": [], "files_examined": 1, "total": 2},
    "verigate:urlset.v1": ["a", "b"],
    "verigate:api-schema.v1": {"ok": False, "errors": ["x"]},
    "verigate:auth.v1": {"methods": [], "endpoints_protected": ["a"], "endpoints_public": ["b"]},
    "verigate:scan.v1": {"files": [{"path": "a"}, {"path": "b"}]},
    "verigate:wordcount.v1": {"files": [{"path": "a", "word_count": 2}, {"path": "b", "word_count": 3}], "total": 5},
}


@pytest.mark.parametrize("spec", sorted(SOUND))
def test_what_adds_up_is_accepted(spec: str) -> None:
    assert find_violations(spec, SOUND[spec]) == ()


@pytest.mark.parametrize(
    ("spec", "change", "pointer"),
    [
        ("diff", {"total_changes": 3}, "/total_changes"),
        ("diff", {"files_created": ["a"]}, "/files_created/0"),
        ("diff-names", {"deleted": ["a"]}, "/deleted/0"),
        ("lint", {"errors": 0}, "/errors"),
        ("lint", {"warnings": 2}, "/warnings"),
        ("lint", {"tools": [], "issues": [{"severity": "error"}]}, "/issues"),
        ("lint", {"tools": [], "errors": 0, "warnings": 0, "issues": [{"severity": "fatal"}]}, "/issues"),
        ("lint", {"tools": [], "errors": 0, "warnings": 0, "issues": [{}]}, "/issues"),
        ("lint", {"tools": [], "tool": None}, "/files_checked"),
        ("tests", {"total": 4, "tools": []}, "/total"),
        ("tests", {"passed": 2, "total": 4}, "/passed"),
        ("tests", {"failed": 0, "passed": 2, "tools": []}, "/failures"),
        ("tests", {"tool": None}, "/total"),
        ("tests", {"selected": [{"what": "a", "path": ".", "unit": "files", "chosen": 3, "of": 2}]}, "/selected/0"),
        ("tests", {"top_level": {"passed": 1, "failed": 1, "skipped": 0, "total": 3}}, "/top_level/total"),
        ("tests", {"top_level": {"passed": 2, "failed": 1, "skipped": 0, "total": 3}}, "/top_level/passed"),
        (
            "tests",
            {"tools": [{"failed": 1, "top_level": {"passed": 0, "failed": 2, "skipped": 0, "total": 2}}]},
            "/tools/0/top_level/failed",
        ),
        ("coverage", {"pct": 0.95}, "/pct"),
        ("coverage", {"lines": {"covered": 101, "total": 100}}, "/lines/covered"),
        ("coverage", {"branches": {"covered": 1, "total": 0}}, "/branches/covered"),
        ("coverage", {"lines": _NONE}, "/pct"),
        ("coverage", {"base": {"pct": 1, "lines": {"covered": 1, "total": 2}}}, "/base/pct"),
        ("coverage", {"files": [{"covered": 2, "total": 1}]}, "/files/0/covered"),
        ("build", {"success": True}, "/success"),
        ("build", {"success": True, "errors": ["x"], "tool": "make"}, "/success"),
        ("functions", {"total": 0}, "/total"),
        ("integrity", {"files_examined": 3}, "/files_examined"),
        ("api-schema", {"ok": True}, "/ok"),
        ("auth", {"endpoints_public": [{"method": "", "path": "a"}]}, "/endpoints_protected/0"),
        ("scan", {"files": [{"path": "a"}, {"path": "a"}]}, "/files"),
        ("wordcount", {"total": 4}, "/total"),
        ("wordcount", {"total_doubtful": 1}, "/total_doubtful"),
    ],
)
def test_what_contradicts_itself_is_named(spec: str, change: dict[str, Any], pointer: str) -> None:
    found = find_violations(f"verigate:{spec}.v1", {**SOUND[f"verigate:{spec}.v1"], **change})
    assert pointer in [place for place, _ in found]


@pytest.mark.parametrize("value", [["b", "a"], ["a", "a"]])
def test_urls_are_sorted_and_there_once(value: list[str]) -> None:
    assert find_violations("verigate:urlset.v1", value)


def test_a_bare_list_of_changed_paths_names_each_once() -> None:
    assert find_violations("verigate:diff-names.v1", ["a", "b"]) == ()
    assert find_violations("verigate:diff-names.v1", ["a", "a"])


def test_an_adapter_that_only_counts_is_believed() -> None:
    assert find_violations("verigate:lint.v1", {"errors": 3, "warnings": 0, "files_checked": 1, "issues": []}) == ()


def test_other_media_specs_have_no_invariants() -> None:
    assert find_violations("media:object", {"total": -1}) == ()
