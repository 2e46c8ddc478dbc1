"""Which findings a baseline covers: bound to path, rule, message and content of the line, as many as it counts."""

from __future__ import annotations

from typing import Any

import literal_facts as literal
import pytest

from verigate.domain import fingerprint
from verigate.domain.baseline import (
    Baseline,
    BaselineEntry,
    FindingKey,
    build_baseline,
    count_occurrences,
    count_stale,
    make_key,
    match_issues,
)
from verigate.domain.baseline_update import EntryTerms, drop_stale_entries, update_baseline

OS = "a" * 64
"""The digest of a line."""

TODAY = "2026-06-15"


def issue(**other: Any) -> dict[str, Any]:
    known = {"path": "a.py", "line": 1, "column": 8, "rule": "F401", "severity": "error", "tool": "ruff"}
    return {**known, "message": "`os` imported but unused", "line_sha256": OS, **other}


def lint(*issues: Any) -> Any:
    return literal.artifact("lint.json", {"errors": len(issues), "issues": list(issues)})


def key(**other: Any) -> FindingKey:
    found = make_key(issue(**other))
    assert found is not None
    return found


def entry(count: int = 1, expires: str = "2026-08-01", created: str = "2026-05-01", **other: Any) -> BaselineEntry:
    return BaselineEntry(key(**other), count, created, expires, "old")


def baseline(*entries: BaselineEntry) -> Baseline:
    return Baseline(entries, b"{}", TODAY)


def covered(entries: tuple[BaselineEntry, ...], *issues: Any) -> tuple[list[int], list[int]]:
    found = match_issues(baseline(*entries), lint(*issues))
    return sorted(found.covered), sorted(found.expired)


@pytest.mark.parametrize(
    "other",
    [
        {"line": 90, "column": 1},
        {"path": "./a.py"},
        {"more": 1},
    ],
)
def test_a_finding_that_moved_is_the_same(other: dict[str, Any]) -> None:
    assert key(**other) == key()


@pytest.mark.parametrize(
    "other",
    [
        {"path": "b.py"},
        {"rule": "F811"},
        {"tool": "flake8"},
        {"message": "`sys` imported but unused"},
        {"line_sha256": "b" * 64},
        {"severity": "warning"},
    ],
)
def test_a_finding_of_another_place_or_line_is_another(other: dict[str, Any]) -> None:
    assert key(**other) != key()
    assert covered((entry(),), issue(**other)) == ([], [])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("redefinition of `os` from line 3", "redefinition of `os` from line 41"),
        ("defined on lines 3-9", "defined on lines 13-19"),
        ("Already defined on line 3, column 2", "Already defined on line 4, column 2"),
    ],
)
def test_lines_that_a_message_mentions_may_move(one: str, other: str) -> None:
    assert key(message=one) == key(message=other)


def test_other_numbers_of_a_message_count() -> None:
    assert key(message="`f` is too complex (12 > 10)") != key(message="`f` is too complex (13 > 10)")


def test_the_borders_of_the_parts_count() -> None:
    assert (
        fingerprint.compute_fingerprint("ab", "c")
        != fingerprint.compute_fingerprint("a", "bc")
        != fingerprint.compute_fingerprint("a\0b", "c")
    )
    assert (
        fingerprint.number_fingerprint("x", 0)
        == "x"
        != fingerprint.number_fingerprint("x", 1)
        != fingerprint.number_fingerprint("x", 2)
    )


@pytest.mark.parametrize(
    "other",
    [
        {"line_sha256": None},
        {"line_sha256": ""},
        {"line_sha256": 7},
        {"path": None},
        {"path": ""},
        {"severity": None},
        {"severity": "note"},
        {"severity": "Error"},
        {"severity": 2},
    ],
)
def test_what_is_not_bound_to_a_line_is_never_covered(other: dict[str, Any]) -> None:
    assert make_key(issue(**other)) is None


@pytest.mark.parametrize("value", [None, "text", 3, [], {}])
def test_issues_of_any_shape_are_no_findings(value: Any) -> None:
    assert make_key(value) is None
    assert count_occurrences([literal.artifact("lint.json", value)]) == {}


@pytest.mark.parametrize(
    ("entries", "issues", "expected"),
    [
        ((entry(),), 1, ([0], [])),
        ((entry(),), 2, ([0], [])),
        ((entry(count=2),), 3, ([0, 1], [])),
        ((entry(count=2),), 1, ([0], [])),
        ((entry(), entry(created="2026-06-01")), 3, ([0, 1], [])),
        ((entry(expires="2026-06-15"),), 1, ([], [0])),
        ((entry(expires="2026-06-16"),), 1, ([0], [])),
        ((entry(expires="2026-06-01"), entry()), 2, ([0], [1])),
        ((entry(expires="2026-06-01"), entry()), 3, ([0], [1])),
        ((), 1, ([], [])),
    ],
)
def test_as_many_as_unexpired_entries_count_are_covered(entries: Any, issues: int, expected: Any) -> None:
    assert covered(entries, *(issue(line=n) for n in range(1, issues + 1))) == expected


def test_an_entry_whose_words_differ_from_its_fingerprint_covers_nothing() -> None:
    right = entry()
    for name, said in (("path", "harmless.py"), ("rule", "D100"), ("tool", "black")):
        words = {**right.document(), name: said}
        lying = build_baseline({"entries": [words]}, b"", TODAY)
        assert match_issues(lying, lint(issue())).covered == {}
    assert build_baseline({"entries": [right.document()]}, b"", TODAY).entries == (right,)


def test_each_artifact_is_matched_for_itself_and_counted_at_its_most() -> None:
    two, three = lint(issue(), issue()), lint(issue(), issue(), issue(path="b.py"))
    assert count_occurrences([two, three]) == {key(): 2, key(path="b.py"): 1}


@pytest.mark.parametrize(
    ("entries", "issues", "missing"),
    [
        ((entry(),), [[issue()]], 0),
        ((entry(count=3), entry(path="gone.py")), [[issue()]], 3),
        ((entry(count=3),), [[issue()], [issue(), issue()]], 1),
        ((entry(expires="2026-06-01"),), [[issue()]], 0),
        ((entry(),), [[issue(), issue()]], 0),
        ((), [[issue()]], 0),
    ],
)
def test_what_no_longer_occurs_is_stale_with_its_count(entries: Any, issues: list[Any], missing: int) -> None:
    known = baseline(*entries)
    assert count_stale(known, [match_issues(known, lint(*listed)) for listed in issues]) == missing


TERMS = EntryTerms(TODAY, "2026-09-13", "new")


def told(entries: tuple[BaselineEntry, ...]) -> list[tuple[str, int, str]]:
    return [(item.key.path, item.count, item.created) for item in entries]


@pytest.mark.parametrize(
    ("old", "found", "renew", "entries", "counts"),
    [
        ((), {"a.py": 2}, False, [("a.py", 2, TODAY)], (2, 0, 0, 0)),
        ((entry(),), {"a.py": 1}, False, [("a.py", 1, "2026-05-01")], (0, 1, 0, 0)),
        ((entry(),), {"a.py": 3}, False, [("a.py", 1, "2026-05-01"), ("a.py", 2, TODAY)], (2, 1, 0, 0)),
        ((entry(count=3),), {"a.py": 1}, False, [("a.py", 1, "2026-05-01")], (0, 1, 0, 2)),
        ((entry(),), {"b.py": 1}, False, [("b.py", 1, TODAY)], (1, 0, 0, 1)),
        ((entry(expires="2026-06-01"),), {"a.py": 1}, False, [("a.py", 1, "2026-05-01")], (0, 0, 1, 0)),
        ((entry(expires="2026-06-01"),), {"a.py": 1}, True, [("a.py", 1, TODAY)], (1, 0, 0, 0)),
        ((entry(),), {"a.py": 1, "b.py": 1}, True, [("a.py", 1, TODAY), ("b.py", 1, TODAY)], (2, 0, 0, 0)),
    ],
)
def test_writing_keeps_the_dates_of_what_is_known(
    old: Any, found: dict[str, int], renew: bool, entries: Any, counts: Any
) -> None:
    changed = update_baseline(
        old, {key(path=path): number for path, number in found.items()}, TERMS, BaselineEntry, renew=renew
    )
    assert told(changed.entries) == entries
    assert (changed.added, changed.kept, changed.expired, changed.dropped) == counts


def test_pruning_never_adds() -> None:
    old = (entry(count=2), entry(path="gone.py"))
    changed = drop_stale_entries(old, {key(): 1, key(path="new.py"): 1}, TODAY)
    assert told(changed.entries) == [("a.py", 1, "2026-05-01")]
    assert (changed.added, changed.kept, changed.dropped) == (0, 1, 2)
