"""The reader of TRX: what adds up is read, what doesn't is refused."""

from __future__ import annotations

import pytest
from trx_samples import Result, write_trx

from verigate.sdk.reports.outcomes import Case
from verigate.sdk.reports.trx import parse_trx
from verigate.sdk.reports.untrusted import ReportInvalid

OWNER = "Shop.Tests.CartTests"
STACK = "   at Shop.Tests.CartTests.Fails() in /w/Shop.Tests/CartTests.cs:line 12\n   at System.X()"


def read(*results: Result, summary: str | None = None, texts: tuple[str, ...] = ()) -> list[Case]:
    return list(parse_trx(write_trx(results, summary=summary, texts=texts).encode(), "dotnet test").cases)


def test_outcomes_places_and_time() -> None:
    failed = Result(OWNER, "Fails", "Failed", f"{OWNER}.Fails", "Expected: 3\nActual:   2", STACK)
    given = [Result(OWNER, "Adds", title=f"{OWNER}.Adds"), failed, Result(OWNER, "Later", "NotExecuted")]
    found = parse_trx(write_trx(given).encode(), "t")
    assert (found.passed, found.failed, found.skipped) == (1, 1, 1)
    assert found.duration_ms == 750
    assert found.cases[0] == Case(f"{OWNER}.Adds", "passed")
    assert (found.cases[1].path, found.cases[1].line) == ("/w/Shop.Tests/CartTests.cs", 12)
    assert found.cases[1].message.startswith("Expected: 3\nActual:   2\n   at Shop")


@pytest.mark.parametrize(
    ("method", "title", "name"),
    [
        ("Adds", f"{OWNER}.Adds(a: 1, b: 2)", f"{OWNER}.Adds(a: 1, b: 2)"),
        ("Adds", "Adds(1,2)", f"{OWNER}.Adds(1,2)"),
        ("Adds", "adds two prices", f"{OWNER}.Adds(adds two prices)"),
        ("Adds", "AddsMore", f"{OWNER}.Adds(AddsMore)"),
        (f"{OWNER}.Adds", f"{OWNER}.Adds", f"{OWNER}.Adds"),
    ],
)
def test_the_id_has_class_and_method_whatever_a_framework_reports(method: str, title: str, name: str) -> None:
    assert [case.id for case in read(Result(OWNER, method, title=title))] == [name]


def test_rows_stand_in_place_of_their_test_unless_it_fails_by_itself() -> None:
    rows = (Result(OWNER, "Adds", title="Adds (1)"), Result(OWNER, "Adds", "Failed", "Adds (2)", "no"))
    assert [case.outcome for case in read(Result(OWNER, "Adds", "Failed", rows=rows))] == ["passed", "failed"]
    assert [case.outcome for case in read(Result(OWNER, "Adds", "Failed", rows=rows[:1]))] == ["passed", "failed"]


def test_an_outcome_that_nobody_knows_is_a_failure() -> None:
    text = write_trx([Result(OWNER, "Adds", "Failed")]).replace(' outcome="Failed" testListId', " testListId")
    assert parse_trx(text.encode(), "t").failed == 1
    with pytest.raises(ReportInvalid, match="states 1 tests of which 0 failed, but lists 1 of which 1 failed"):
        read(Result(OWNER, "Adds", "Splendid"))


GOOD = write_trx([Result(OWNER, "Adds"), Result(OWNER, "Takes")])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not TRX"),
        ("<testsuites/>", "starts with <testsuites>"),
        ("<TestRun/>", "has no summary"),
        (GOOD.partition("  <ResultSummary")[0], "is not TRX"),
        (GOOD.replace('total="2"', 'total="3"'), "states 3 tests"),
        (GOOD.replace('total="2"', 'total="x"'), "does not match its format"),
        (GOOD.replace('failed="0"', 'failed="1"'), "of which 1 failed"),
        (GOOD.replace('outcome="Completed"', 'outcome="Aborted"'), "didn't get to its end: Aborted"),
        (GOOD.replace("<Counters", "<Others"), "has no counters"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><TestRun>&b;</TestRun>', "is not TRX"),
        (GOOD.replace("<Results>", f"<Results>{'<InnerResults>' * 5000}{'</InnerResults>' * 5000}", 1), ""),
    ],
)
def test_what_is_no_whole_report_is_refused(text: str, why: str) -> None:
    if not why:
        assert parse_trx(text.encode(), "t").passed == 2
        return
    with pytest.raises(ReportInvalid, match=why):
        parse_trx(text.encode(), "t")


def test_rows_without_an_end_are_refused() -> None:
    deep = '<UnitTestResult testName="a"><InnerResults>' * 3000 + "</InnerResults></UnitTestResult>" * 3000
    with pytest.raises(ReportInvalid):
        parse_trx(GOOD.replace("<Results>", f"<Results>{deep}").encode(), "t")


def test_a_run_that_was_aborted_is_no_result() -> None:
    # xUnit's own lines stand there too, of which nothing follows.
    assert len(read(Result(OWNER, "Adds"), texts=("[xUnit.net 00:00:00.50]     Shop.Adds [FAIL]",))) == 1
    text = "The active test run was aborted. Reason: Test host process crashed"
    with pytest.raises(ReportInvalid, match="didn't get to its end: The active test run was aborted"):
        read(Result(OWNER, "Adds"), texts=(text,))
