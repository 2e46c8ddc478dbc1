"""What the cells of tests say of units, commitments and statements about fixes, behaviour and rewritten tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.verdict import CheckOutcome, Status
from verigate.gate.decision import decide_verdict

Cell = Mapping[str, Any]

KEPT, UNPROVEN = lf.cell("test_a"), lf.cell("test_new", "unproven", "NNPP", weakens="no")
FOLLOWED = lf.cell("test_a", "followed", "PFFP", weakens="expectations")
LOOSENED = lf.cell("test_a", "loosened", "PFPP", weakens="yes")
GREENED = lf.cell("test_a", "greened", "FFPP", weakens="yes")
BLINDED = lf.cell("test_a", "blinded", "FPPP", weakens="yes")
FIXED = lf.cell("test_fix", "fixed", "FPFP", weakens="no", proof=lf.proof())
PROVEN = lf.proven("test_fix")
BY_NAME = lf.proven("test_fix", new=["tax"])
"""It fails on base without a function that the change added."""

ADDED = lf.cell("test_fix", "added", "NNXP", weakens="no")
LOST = lf.cell("test_a", "lost", "PPNN")
LOST_FAILING = lf.cell("test_a", "lost", "PFNN", weakens="yes")
FLAKY = lf.cell("test_fix", "flaky", "NNFP", weakens="text")
OPEN = lf.cell("test_a", "not_comparable", "XPPP", weakens="text", why="no")
GONE = lf.cell("test_a", "followed", "PXFP", weakens="expectations", gone=["shop.half"])
RENAMED = lf.cell("test_b", was={"path": "t.py", "test": "test_a"})
RENAMED_PLAIN = lf.cell("rounds_up", was={"path": "t.py", "test": "rounds"})
MOVED = lf.cell("test_a", path="tests/unit/t.py", was={"path": "t.py", "test": "test_a"})
SPLIT = (lf.cell("test_a_one", was={"path": "t.py", "test": "test_a"}), lf.cell("test_a_two", "unproven", "NNPP"))


def outcome(
    *cells: Cell,
    units: Sequence[str] = (),
    statements: Sequence[str] = (),
    control: str = "FFFF",
    rules: Mapping[str, Any] | None = None,
    **more: Any,
) -> tuple[str, str]:
    """The outcome of the only unit or statement, and why."""
    found = {**lf.GOOD, "counterfactual.json": {**lf.counterfactual(*cells, control=control), **more}}
    claim = lf.claim_document(*units, statements=statements)
    verdict = decide_verdict(lf.facts({"lint_errors_max": 0, **(rules or {})}, found, claim=claim))
    (unit,) = verdict.units.per_unit
    check = verdict.check(unit.check)
    assert check is not None
    assert check.outcome is not CheckOutcome.HOLDS or check.evidence
    return check.outcome.value, check.message


UNITS: list[tuple[str, tuple[Cell, ...], str]] = [
    ("fix:test_fix", (PROVEN,), "holds"),
    ("fix:test_fix", (BY_NAME,), "unknown"),
    ("fix:t.py::test_fix", (FIXED,), "holds"),
    ("fix:./t.py::test_fix[1]", (FIXED,), "holds"),
    ("FIX:test_fix()", (PROVEN, KEPT), "holds"),
    ("fix:other.py::test_fix", (PROVEN,), "unknown"),
    ("fix:fix", (PROVEN,), "unknown"),
    ("fix:test_b", (lf.proven("TestA.test_b"),), "holds"),
    ("fix:TestA::test_b", (lf.proven("TestA.test_b"),), "holds"),
    ("fix:TestC::test_b", (lf.proven("TestA.test_b"),), "unknown"),
    ("fix:shop > total", (lf.proven("shop total"),), "holds"),
    ("fix:test_b", (lf.proven("A.test_b"), lf.proven("B.test_b")), "holds"),
    ("fix:test_b", (lf.proven("A.test_b"), lf.cell("B.test_b")), "unknown"),
    ("fix:test_b", (lf.proven("test_b"), lf.cell("B.test_b")), "holds"),
    ("fix:test_a", (lf.proven("test_b", was={"path": "t.py", "test": "test_a"}),), "holds"),
    ("fix:test_a", (KEPT,), "refuted"),
    ("fix:test_new", (UNPROVEN,), "refuted"),
    ("fix:test_a", (LOOSENED,), "refuted"),
    ("fix:test_a", (GREENED,), "refuted"),
    ("fix:test_a", (BLINDED,), "refuted"),
    ("fix:test_a", (LOST,), "refuted"),
    ("fix:test_a", (lf.cell("test_a", "broken", "PPFF", weakens="tests"),), "refuted"),
    ("fix:test_a", (lf.cell("test_a", "not_run", "NNNN", weakens="no"),), "refuted"),
    ("fix:test_fix", (ADDED,), "unknown"),
    ("fix:test_fix", (FLAKY,), "unknown"),
    ("fix:test_a", (OPEN,), "unknown"),
    ("fix:test_a", (FOLLOWED,), "unknown"),
    ("fix:test_fix", (lf.proven("test_fix", proof=None),), "unknown"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(executes=False)),), "refuted"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(executes=None)),), "unknown"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(control="F")),), "refuted"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(control="FF", executes=None)),), "refuted"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(control="FP")),), "unknown"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(control="X")),), "unknown"),
    ("fix:test_fix", (lf.proven("test_fix", proof=lf.proof(control=None)),), "unknown"),
    ("fix:test_fix", (), "unknown"),
]


@pytest.mark.parametrize(("unit", "cells", "expected"), UNITS)
def test_a_fix_is_decided_by_the_cells_of_its_test(unit: str, cells: tuple[Cell, ...], expected: str) -> None:
    assert outcome(*cells, units=[unit])[0] == expected


def test_a_test_that_is_not_there_refutes_a_fix_and_one_that_was_not_looked_for_does_not() -> None:
    absent = {"named": [{"test": "test_x", "found": 0, "why": ""}]}
    assert outcome(units=["fix:test_x"], **absent) == ("refuted", "no test is called test_x")
    unread = {"named": [{"test": "test_x", "found": 0, "why": "its language isn't run"}]}
    assert outcome(units=["fix:test_x"], **unread)[0] == "unknown"


@pytest.mark.parametrize("control", ["PFFF", "FFFP", "FFFN", "FXFF"])
def test_nothing_is_supported_by_a_false_report(control: str) -> None:
    assert outcome(PROVEN, units=["fix:test_fix"], control=control)[0] == "unknown"
    for text in ("No behaviour change", "Existing tests pass unchanged", "Fixed a bug", "Renamed the tests"):
        assert outcome(PROVEN, KEPT, RENAMED, statements=[text], control=control)[0] == "unknown"


def test_another_adapter_proves_nothing() -> None:
    other = lf.artifact(
        "mine.json", lf.counterfactual(PROVEN), media_spec="verigate:counterfactual.v1", producer="my:cells"
    )
    claim = lf.claim_document("fix:test_fix")
    found = [lf.artifact("lint.json", lf.GOOD["lint.json"]), other]
    verdict = decide_verdict(lf.facts({"lint_errors_max": 0}, found, claim=claim))
    assert verdict.units.per_unit[0].outcome.value == "undecided"


def test_a_test_that_reads_the_source_is_tampering_that_nothing_accounts_for() -> None:
    cells = lf.counterfactual(lf.proven("test_fix", proof=lf.proof(control="FF")))
    found = {**lf.GOOD, "counterfactual.json": cells}
    verdict = decide_verdict(lf.facts({"integrity": True, "weakening": "allow"}, found, implicit=True))
    check = verdict.check("code.integrity")
    assert check is not None
    assert (check.outcome, check.reason) == (CheckOutcome.REFUTED, "INTEGRITY_FAIL")
    assert "a test reads the source of what it tests in t.py: test_fix" in check.message
    assert verdict.status is Status.FAIL


ELSEWHERE = [{"from_path": "a.py", "from": "f", "to_path": "b.py", "to": "f"}]
WITH_OTHERS = {
    "written": [
        *(
            lf.written("test_a", "base"),
            lf.written("test_b", "head"),
            lf.written("test_a", "head", path="tests/unit/t.py"),
        ),
        lf.written("test_c", same=True),
    ]
}
SHARED = {
    "written": [
        lf.written("test_a", "base", parts=["t.py::test_a_one", "t.py::test_a_two"]),
        *(lf.written(name, "head") for name in ("test_a_one", "test_a_two")),
    ]
}
SHARED_AND_MORE = {"written": [*SHARED["written"], lf.written("test_c")]}
TABLED = {"written": [lf.written("test_a", table="head")]}
TABLED_AND_MORE = {"written": [lf.written("test_a", table="head"), lf.written("test_c")]}
TABLED_OF_TWO = {"written": [lf.written("test_a", table="head"), lf.written("test_b", "base")]}
TABLED_BESIDES = {"written": [lf.written("test_a", table="head"), lf.written("test_c", same=True)]}
ROWS = (
    lf.cell("test_total", "unproven", "NNPP", weakens="no"),
    *(
        lf.cell(f"test_total_{name}", "lost", "PPNN", was={"path": "t.py", "test": f"test_total_{name}"})
        for name in "ab"
    ),
)
"""Two tests that became rows of a new one, as they are reported: each was itself."""

FAILING_ROW = lf.cell("test_total_c", "lost", "PFNN", weakens="yes")
ROWS_WITHOUT_TABLE = {
    "written": [lf.written("test_total", "head"), *(lf.written(f"test_total_{n}", "base") for n in "ab")]
}
ROWS_WRITTEN = {"written": [lf.written("test_total", "head", table="head"), *ROWS_WITHOUT_TABLE["written"][1:]]}
IN_FOO = lf.proven("test_fix", proof={**lf.proof(), "lines": ["a.py:1"]})
OUTSIDE_FOO = lf.proven("test_fix", proof={**lf.proof(), "lines": ["a.py:90", "b.py:1"]})
STRICTER = lf.cell("test_a", "proven", "PPFP", weakens="no", proof=lf.proof())
NOTHING_CHANGED: Mapping[str, Any] = {"changed": [], "files": [], "same": 2}
UNEXAMINED = {"unexamined": [{"path": "Test.java", "why": "the test files of this language aren't run one by one"}]}
STATEMENTS: list[tuple[str, tuple[Cell, ...], Mapping[str, Any], str]] = [
    ("No behaviour change", (KEPT,), {}, "holds"),
    ("No behaviour change", (KEPT, UNPROVEN, ADDED), {}, "holds"),
    ("No behaviour change", (LOST,), {}, "holds"),
    ("No behaviour change", (), NOTHING_CHANGED, "holds"),
    ("No behaviour change", (), {"same": 0}, "unknown"),
    ("No behaviour change", (), {}, "unknown"),
    ("No behaviour change", (PROVEN, ADDED), {"same": 1}, "refuted"),
    ("No behaviour change", (UNPROVEN, ADDED), {"same": 1}, "holds"),
    ("Existing tests pass unchanged", (UNPROVEN, PROVEN), {"same": 1}, "holds"),
    ("Existing tests pass unchanged", (UNPROVEN, PROVEN), {"same": 0}, "unknown"),
    ("No behaviour change", (UNPROVEN,), {}, "unknown"),
    ("No behaviour change", (KEPT,), UNEXAMINED, "unknown"),
    ("No behaviour change", (KEPT, OPEN), {}, "unknown"),
    ("No behaviour change", (KEPT, FLAKY), {}, "unknown"),
    ("No behaviour change", (KEPT, FOLLOWED), {}, "refuted"),
    ("No behaviour change", (GONE,), {}, "refuted"),
    ("No behaviour change", (LOOSENED,), {}, "refuted"),
    ("No behaviour change", (BLINDED,), {}, "refuted"),
    ("No behaviour change", (LOST_FAILING,), {}, "refuted"),
    ("No behaviour change", (FIXED,), {}, "refuted"),
    ("No behaviour change", (PROVEN,), {}, "refuted"),
    ("No behaviour change", (BY_NAME,), {"same": 1}, "holds"),
    ("This is a pure refactoring", (KEPT, FOLLOWED), {}, "refuted"),
    ("This is a pure refactoring", (KEPT,), {}, "holds"),
    ("I refactored `foo()`", (KEPT,), {}, "holds"),
    # Before: not read. Its form is nothing that a fact decides.
    ("I refactored `foo()` to one expression", (KEPT,), {}, "unknown"),
    ("I refactored `nothing()` to one expression", (KEPT,), {}, "refuted"),
    ("I refactored `foo()` without behaviour change", (KEPT, FOLLOWED), {}, "unknown"),
    ("I refactored the function `nothing`", (KEPT,), {}, "refuted"),
    ("Existing tests pass unchanged", (KEPT, PROVEN), {}, "holds"),
    ("Existing tests pass unchanged", (), NOTHING_CHANGED, "holds"),
    ("Existing tests pass unchanged", (KEPT,), {"renamed": [{"from": "a", "to": "b"}]}, "unknown"),
    ("Existing tests pass unchanged", (KEPT,), {"moved": ELSEWHERE}, "unknown"),
    ("No behaviour change", (KEPT,), {"moved": ELSEWHERE}, "holds"),
    ("Existing tests pass unchanged", (FOLLOWED,), {}, "refuted"),
    ("Existing tests pass unchanged", (GONE,), {}, "refuted"),
    ("Existing tests pass unchanged", (LOOSENED, KEPT), {}, "refuted"),
    ("Existing tests pass unchanged", (GREENED,), {}, "refuted"),
    ("Existing tests pass unchanged", (LOST, KEPT), {}, "unknown"),
    ("Existing tests pass unchanged", (UNPROVEN,), {}, "unknown"),
    ("Existing tests pass unchanged", (KEPT,), UNEXAMINED, "unknown"),
    ("Fixed a bug", (PROVEN, KEPT), {}, "holds"),
    ("Fixed a bug", (FIXED,), {}, "holds"),
    ("Fixed two bugs", (FIXED, PROVEN), {}, "holds"),
    ("Fixed two bugs", (PROVEN,), {}, "unknown"),
    ("Fixed a bug", (KEPT, UNPROVEN, ADDED), {}, "unknown"),
    ("Fixed a bug", (GREENED,), {}, "refuted"),
    ("Fixed a bug", (PROVEN, GREENED), {}, "refuted"),
    ("Fixed a bug", (lf.proven("test_fix", proof=lf.proof(control="F")),), {}, "refuted"),
    ("Fixed a bug", (lf.proven("test_fix", proof=lf.proof(executes=None)),), {}, "unknown"),
    ("Fixed the rounding bug", (PROVEN,), {}, "unknown"),
    ("Fixed the rounding bug", (GREENED,), {}, "refuted"),
    ("Fixed `test_fix`", (PROVEN,), {}, "holds"),
    ("Fixed the failing test `test_fix`", (FIXED,), {}, "holds"),
    ("Fixed `test_a`", (KEPT,), {}, "refuted"),
    ("Added a regression test", (PROVEN,), {}, "holds"),
    ("Added a regression test `test_fix`", (PROVEN,), {}, "holds"),
    ("Added a regression test", (BY_NAME,), {}, "unknown"),
    ("Fixed `test_fix`", (BY_NAME,), {}, "unknown"),
    ("Fixed a bug", (BY_NAME,), {}, "unknown"),
    ("Added a regression test", (UNPROVEN,), {}, "refuted"),
    ("Added a regression test", (KEPT,), {}, "refuted"),
    ("Added a regression test", (), NOTHING_CHANGED, "refuted"),
    ("Added a regression test", (ADDED,), {}, "unknown"),
    ("Added a regression test", (FIXED,), {}, "refuted"),
    ("Added a regression test", (UNPROVEN,), UNEXAMINED, "unknown"),
    ("Added two regression tests", (PROVEN, UNPROVEN), {}, "unknown"),
    ("Added a regression test, `test_fix`", (PROVEN,), {}, "holds"),
    ("Added a regression test, `test_fix`", (BY_NAME,), {}, "unknown"),
    ("Added a regression test, `test_a`", (PROVEN, KEPT), {}, "refuted"),
    ("Added a regression test, `test_fix`, on Linux", (PROVEN,), {}, "unknown"),
    ("Added a regression test, `checked`", (PROVEN,), {}, "unknown"),
    ("Added a regression test, `test_fix`, and skipped `test_a`", (PROVEN,), {}, "unknown"),
    ("`test_fix` is the regression test", (PROVEN,), {}, "holds"),
    ("`test_fix` is a new regression test", (BY_NAME,), {}, "unknown"),
    ("`test_a` is the regression test", (PROVEN, KEPT), {}, "refuted"),
    ("`test_fix` is not the regression test", (PROVEN,), {}, "unknown"),
    ("`checked` is the regression test", (PROVEN,), {}, "unknown"),
    ("`test_fix` is the regression test on Linux", (PROVEN,), {}, "unknown"),
    ("Renamed the tests", (RENAMED,), {}, "holds"),
    ("Renamed `test_a` to `test_b`", (RENAMED,), {}, "holds"),
    # Before: undecided.
    ("Renamed `test_a` to `test_c`", (RENAMED,), {}, "refuted"),
    ("Renamed `test_z` to `test_c`", (RENAMED,), {}, "unknown"),
    ("Renamed the test `rounds` to `rounds_up`", (RENAMED_PLAIN,), {}, "holds"),
    ("Renamed the test `rounds` to `rounds_off`", (RENAMED_PLAIN,), {}, "refuted"),
    ("Renamed `rounds` to `rounds_up`", (RENAMED_PLAIN,), {}, "unknown"),
    ("Renamed the test helper `rounds` to `rounds_up`", (RENAMED_PLAIN,), {}, "unknown"),
    ("Renamed the tests", (KEPT,), {}, "unknown"),
    ("Renamed the tests", ({**RENAMED, **LOOSENED, "test": "test_b"},), {}, "refuted"),
    ("Renamed the tests", ({**RENAMED, **FOLLOWED, "test": "test_b"},), {}, "refuted"),
    ("Renamed the tests", (RENAMED,), UNEXAMINED, "unknown"),
    ("Moved the tests", (MOVED,), {}, "holds"),
    ("Moved the tests to `tests/unit/`", (MOVED,), {}, "holds"),
    ("Moved the tests to `tests/other/`", (MOVED,), {}, "unknown"),
    ("Moved the tests", (RENAMED,), {}, "unknown"),
    ("Renamed all tests", (RENAMED,), {}, "holds"),
    ("Renamed all tests", (RENAMED,), WITH_OTHERS, "refuted"),
    ("Renamed the tests", (RENAMED,), WITH_OTHERS, "unknown"),
    ("Renamed `test_a` to `test_b`", (RENAMED,), WITH_OTHERS, "holds"),
    ("Moved all tests to `tests/unit/`", (MOVED,), {}, "holds"),
    ("Moved all tests to `tests/unit/`", (MOVED,), WITH_OTHERS, "refuted"),
    ("Moved the tests to `tests/unit/`", (MOVED,), WITH_OTHERS, "unknown"),
    ("Moved `test_a`", (MOVED,), WITH_OTHERS, "holds"),
    ("Moved all tests to `tests/unit/`", (MOVED,), {"same_files": 1}, "unknown"),
    ("Moved the tests to `tests/unit/`", (MOVED,), {"same_files": 1}, "holds"),
    ("Moved all tests to `tests/unit/`", (MOVED, lf.cell("test_c", path="u.py")), {}, "unknown"),
    ("Moved all tests to `tests/unit/`", (MOVED, lf.cell("test_c", path="tests/unit/t.py")), {}, "holds"),
    ("Moved the tests to `tests/unit/`", (MOVED, lf.cell("test_c", "lost", "PPNN")), {}, "unknown"),
    ("Moved the tests", (MOVED,), {"written": []}, "unknown"),
    ("Split `test_a`", SPLIT, SHARED, "holds"),
    ("Split the tests", SPLIT, SHARED, "holds"),
    ("Split `test_a`", SPLIT, {}, "unknown"),
    ("Split `test_a`", (KEPT, UNPROVEN), {}, "unknown"),
    ("Split the tests", (*SPLIT, lf.cell("test_c")), SHARED_AND_MORE, "unknown"),
    ("Split `test_a`", (RENAMED,), {}, "unknown"),
    ("Split the tests", (LOST_FAILING, UNPROVEN), {}, "refuted"),
    ("Parametrised the tests", (KEPT,), TABLED, "holds"),
    ("Parametrised `test_a`", (KEPT,), TABLED, "holds"),
    ("Parametrised `test_c`", (KEPT, lf.cell("test_c")), TABLED_AND_MORE, "unknown"),
    ("Parametrised the tests", (KEPT,), {}, "unknown"),
    ("Parametrised the tests", (KEPT,), {"written": [lf.written("test_a", table="both")]}, "unknown"),
    ("Parametrised the tests", (KEPT,), {"written": [lf.written("test_a", table="base")]}, "unknown"),
    ("Parametrised the tests", (KEPT, lf.cell("test_c")), TABLED_AND_MORE, "unknown"),
    ("Parametrised the tests", (KEPT, lf.cell("test_b", "lost", "PPNN")), TABLED_OF_TWO, "holds"),
    ("Parametrised the tests", (lf.cell("test_b", "lost", "PPNN"),), {}, "unknown"),
    ("Parametrised the tests", (KEPT,), TABLED_BESIDES, "holds"),
    ("Parametrised all tests", (KEPT,), TABLED_BESIDES, "unknown"),
    ("Parametrised all tests", (KEPT,), TABLED, "holds"),
    ("Made the tests table-driven", (KEPT,), TABLED, "holds"),
    ("Made the tests table-driven", (KEPT,), {}, "unknown"),
    ("Made one test table-driven", (KEPT,), TABLED, "holds"),
    ("Parametrised two tests", (KEPT, lf.cell("test_b", "lost", "PPNN")), TABLED_OF_TWO, "holds"),
    ("Parametrised one test", (KEPT, lf.cell("test_b", "lost", "PPNN")), TABLED_OF_TWO, "unknown"),
    ("Parametrised three tests", (KEPT, lf.cell("test_b", "lost", "PPNN")), TABLED_OF_TWO, "refuted"),
    ("Parametrised three tests", (KEPT,), TABLED | UNEXAMINED, "unknown"),
    ("Made three tests table-driven on Linux", (KEPT,), TABLED, "unknown"),
    ("Fixed a bug: the total was rounded down", (PROVEN,), {}, "unknown"),
    ("Fixed a bug: the total was rounded down", (GREENED,), {}, "refuted"),
    # Before: undecided, since tests that became rows of a new one counted as tests of their own.
    ("Parametrised the tests", ROWS, ROWS_WRITTEN, "holds"),
    ("Parametrised two tests", ROWS, ROWS_WRITTEN, "holds"),
    ("Parametrised three tests", ROWS, ROWS_WRITTEN, "refuted"),
    ("Parametrised the tests", ROWS, ROWS_WITHOUT_TABLE, "unknown"),
    ("Parametrised the tests", (*ROWS, FAILING_ROW), ROWS_WRITTEN, "refuted"),
    # Before: not read.
    ("Parametrised the tests of `total()`", ROWS, ROWS_WRITTEN, "holds"),
    ("Parametrised the tests of `total()` on Linux", ROWS, ROWS_WRITTEN, "unknown"),
    ("Parametrised the tests of `price()`", ROWS, ROWS_WRITTEN, "unknown"),
    ("Parametrised the tests of `total()`", (*ROWS, FAILING_ROW), ROWS_WRITTEN, "refuted"),
    ("Fixed a bug in `foo()`", (IN_FOO,), {}, "holds"),
    ("Fixed a bug in `foo`", (IN_FOO,), {}, "holds"),
    ("Fixed a bug in `foo()` and added a regression test, `test_fix`", (IN_FOO,), {}, "holds"),
    ("Fixed a bug in `foo()`", (OUTSIDE_FOO,), {}, "unknown"),
    ("Fixed a bug in `bar()`", (IN_FOO,), {}, "unknown"),
    ("Fixed a bug in `foo()` on Linux", (IN_FOO,), {}, "unknown"),
    ("Fixed two bugs in `foo()`", (IN_FOO,), {}, "unknown"),
    ("Fixed a bug in `foo()`", (IN_FOO, GREENED), {}, "refuted"),
    ("Fixed a bug in `foo()`", (lf.proven("test_fix", proof=lf.proof(executes=None)),), {}, "unknown"),
    ("The regression test is `test_fix`", (PROVEN,), {}, "holds"),
    ("The regression test is `test_a`", (PROVEN, KEPT), {}, "refuted"),
    ("The regression test is `test_fix`", (BY_NAME,), {}, "unknown"),
    ("Regression test: `test_fix`", (PROVEN,), {}, "holds"),
    ("Regression test: `rounds half up`", (lf.proven("cart > rounds half up"),), {}, "holds"),
    ('Regression test: "rounds half up"', (lf.proven("cart > rounds half up"),), {}, "holds"),
    ("Regression test: `rounds half up`", (PROVEN, lf.cell("rounds half up")), {}, "refuted"),
    ("Regression test: `rounds half down`", (PROVEN,), {}, "unknown"),
    ("`test_fix` fails without the fix", (PROVEN,), {}, "holds"),
    ("`test_a` fails without the fix", (PROVEN, KEPT), {}, "refuted"),
    ("`test_fix` fails without the fix", (BY_NAME,), {}, "unknown"),
    ("`test_fix` fails without the fix, and with it", (PROVEN,), {}, "unknown"),
    ("`test_fix` fails with and without the fix", (PROVEN,), {}, "unknown"),
    ("`test_fix` doesn't fail without the fix", (PROVEN,), {}, "unknown"),
    ("The regression test is `test_fix`; it fails without the fix", (PROVEN,), {}, "holds"),
    ("Made `test_a` stricter", (STRICTER,), {}, "holds"),
    ("Tightened `test_a`", (STRICTER,), {}, "holds"),
    ("Made `test_a` stricter", (KEPT,), {}, "unknown"),
    ("Made `test_a` stricter", (LOOSENED,), {}, "refuted"),
    ("Made `test_c` stricter", (KEPT,), TABLED_BESIDES, "refuted"),
    ("Made `test_a` stricter on Linux", (STRICTER,), {}, "unknown"),
    ("Changed the expected values of test_a", (FOLLOWED,), {}, "holds"),
    ("Updated the expectations of `test_a`", (FOLLOWED,), {}, "holds"),
    ("Changed the expected values of test_a", (KEPT,), {}, "unknown"),
    ("Changed the expected values of test_a", (LOOSENED,), {}, "refuted"),
    ("Changed the expected values of test_a and test_c", (FOLLOWED,), TABLED_BESIDES, "refuted"),
    ("We expect other values of test_a", (FOLLOWED,), {}, "unknown"),
    ("Parametrised the tests", (FOLLOWED,), {}, "refuted"),
    ("Parametrised the tests", (UNPROVEN,), {}, "unknown"),
]


@pytest.mark.parametrize(("text", "cells", "more", "expected"), STATEMENTS)
def test_a_statement_is_decided_by_the_cells(
    text: str, cells: tuple[Cell, ...], more: Mapping[str, Any], expected: str
) -> None:
    found = dict(more) if more or cells else {"changed": []}
    assert outcome(*cells, statements=[text], **found)[0] == expected


@pytest.mark.parametrize("text", ["No behaviour change", "Existing tests pass unchanged"])
def test_a_test_that_followed_is_a_fact_against_it_even_where_the_profile_allows_it(text: str) -> None:
    rules = {"integrity": True, "weakening": "allow", "expectations": "allow"}
    assert outcome(KEPT, FOLLOWED, statements=[text], rules=rules)[0] == "refuted"


def test_a_rewriting_whose_text_seems_weaker_is_undecided() -> None:
    finding = {
        "kind": "assertion_removed",
        "path": "t.py",
        "test": "test_b",
        "id": "ba9876543210",
        "weight": "weakening",
    }
    found = {
        **lf.GOOD,
        "counterfactual.json": lf.counterfactual(RENAMED),
        "integrity.json": {"findings": [finding], "files_examined": 1, "total": 1, "checks": ["tests"]},
    }
    claim = lf.claim_document(statements=["Renamed the tests"])
    verdict = decide_verdict(lf.facts({"integrity": True, "weakening": "allow"}, found, claim=claim))
    assert verdict.units.per_unit[0].outcome.value == "undecided"


COMMITTED: list[tuple[tuple[Cell, ...], str, str | None]] = [
    ((PROVEN, KEPT), "holds", None),
    ((UNPROVEN, KEPT), "unknown", "CLAIM_UNSUPPORTED"),
    ((lf.cell("test_fix"),), "refuted", "FIX_UNPROVEN"),
    ((ADDED,), "unknown", "CLAIM_UNSUPPORTED"),
]


@pytest.mark.parametrize(("cells", "expected", "reason"), COMMITTED)
@pytest.mark.parametrize("place", ["requirements", "scope"])
def test_what_a_commitment_names_must_be_proven(
    place: str, cells: tuple[Cell, ...], expected: str, reason: str | None
) -> None:
    named: dict[str, Any] = {"requirements": {"fixes": ["test_fix"]}}
    if place == "scope":
        named = {"commitments": {"scope": {"fixes": ["fix:t.py::test_fix"]}}}
    commitment = {"task_id": "T1", "type": "every", **named}
    found = {**lf.GOOD, "counterfactual.json": lf.counterfactual(*cells)}
    verdict = decide_verdict(
        lf.facts({"fixes_proven": True}, found, claim=lf.claim_document("file:a.py"), commitment=commitment)
    )
    check = verdict.check("code.fixes_proven")
    assert check is not None
    assert (check.outcome.value, check.reason) == (expected, reason)


def test_a_commitment_that_names_no_fix_asks_for_none() -> None:
    commitment = {"task_id": "T1", "type": "every"}
    verdict = decide_verdict(
        lf.facts({"fixes_proven": True}, lf.GOOD, claim=lf.claim_document("file:a.py"), commitment=commitment)
    )
    check = verdict.check("code.fixes_proven")
    assert check is not None
    assert check.outcome is CheckOutcome.NOT_APPLICABLE


@pytest.mark.parametrize("text", ["No behaviour change", "Existing tests pass unchanged"])
def test_what_rests_on_tests_that_are_weakened_is_undecided(text: str) -> None:
    finding = {"kind": "test_skipped", "path": "t.py", "test": "test_z", "id": "ba9876543210", "weight": "weakening"}
    found = {
        **lf.GOOD,
        "counterfactual.json": lf.counterfactual(KEPT),
        "integrity.json": {"findings": [finding], "files_examined": 1, "total": 1, "checks": ["tests"]},
    }
    rules = {"integrity": True, "weakening": "allow"}
    verdict = decide_verdict(lf.facts(rules, found, claim=lf.claim_document(statements=[text])))
    assert verdict.units.per_unit[0].outcome.value == "undecided"
