"""``tests_pass`` with known failing tests: which are left out, which the change touches, what is said of them."""

from __future__ import annotations

from typing import Any

import literal_facts as literal
import pytest
from msgspec.structs import replace

from verigate.config.baseline import encode_baseline, only_tightens, parse_baseline
from verigate.domain.baseline import Baseline
from verigate.domain.facts import Facts
from verigate.domain.known_failures import ChangeParts, FailureKey, KnownFailure, is_touched
from verigate.domain.subject import Change, ChangeKind
from verigate.domain.verdict import Status, Verdict
from verigate.gate.decision import decide_verdict
from verigate.reporting.baseline import summarise_baseline
from verigate.reporting.report import Report

TODAY = "2026-06-15"
PATH = "tests/test_old.py"


def failure(name: str = "tests.test_old.test_a", path: str | None = PATH) -> dict[str, Any]:
    return {"id": name, "path": path, "line": 1, "message": "no"}


def entry(
    name: str = "tests.test_old.test_a", path: str = PATH, count: int = 1, expires: str = "2026-08-01"
) -> KnownFailure:
    return KnownFailure(FailureKey(name, path), count, "2026-05-01", expires, "old")


def facts(failures: list[Any], *entries: KnownFailure, changed: tuple[str, ...] = ("a.py",), **more: Any) -> Facts:
    passed, failed = more.pop("passed", 3), more.pop("failed", len(failures))
    value = {"passed": passed, "failed": failed, "total": passed + failed, "skipped": 0, "duration": 1, **more}
    artifacts = {"tests.json": {**value, "failures": failures}, "functions.json": literal.functions()}
    made = literal.facts({"tests_pass": True}, artifacts, implicit=True)
    subject = replace(made.subject, changes=tuple(Change(path, ChangeKind.MODIFIED) for path in changed))
    return replace(made, subject=subject, baseline=Baseline((), b"{}", TODAY, entries))


def judged(made: Facts) -> tuple[Status, Any, str]:
    verdict = decide_verdict(made)
    check = verdict.check("code.tests_pass")
    assert check is not None
    return verdict.status, check.actual, check.message


B = "tests.test_old.test_b"


@pytest.mark.parametrize(
    ("failures", "entries", "status", "actual"),
    [
        ([failure()], [entry()], Status.PASS, 0),
        ([failure(), failure(B)], [entry()], Status.FAIL, 1),
        ([failure(), failure(B)], [entry(), entry(B)], Status.PASS, 0),
        ([failure(), failure()], [entry()], Status.FAIL, 1),
        ([failure(), failure()], [entry(count=2)], Status.PASS, 0),
        ([failure(path="tests/test_new.py")], [entry()], Status.FAIL, 1),
        ([failure()], [entry(expires=TODAY)], Status.FAIL, 1),
        ([{"message": "no id"}], [entry()], Status.FAIL, 1),
        ([], [entry()], Status.PASS, 0),
        ([failure()], [], Status.FAIL, 1),
    ],
)
def test_known_failing_tests_are_left_out(
    failures: list[Any], entries: list[KnownFailure], status: Status, actual: int
) -> None:
    assert judged(facts(failures, *entries))[:2] == (status, actual)


def test_failures_that_are_counted_and_not_listed_count() -> None:
    assert judged(facts([failure()], entry(), failed=2))[:2] == (Status.FAIL, 1)


def test_a_suite_in_which_nothing_passes_is_empty() -> None:
    check = decide_verdict(facts([failure()], entry(), passed=0)).check("code.tests_pass")
    assert check is not None
    assert (check.reason, check.message) == (
        "TESTS_EMPTY",
        "no test passed; 1 known failing test is left out (baseline of 2026-05-01)",
    )


def test_the_verdict_and_the_report_say_how_many() -> None:
    made = facts([failure(), failure(B)], entry(), entry(B), entry("gone"))
    status, actual, message = judged(made)
    assert (status, actual) == (Status.PASS, 0)
    assert message == "2 known failing tests are left out (baseline of 2026-05-01)"
    verdict = decide_verdict(made)
    account = verdict.policy["baseline"]["tests"]
    assert account == {
        "entries": 3,
        "created": ["2026-05-01", "2026-05-01"],
        "expires": ["2026-08-01", "2026-08-01"],
        "covered": 2,
        "expired": 0,
        "touched": [],
        "passing": 1,
    }
    said = "2 known failing tests (baseline of 2026-05-01); 1 test passes again or is gone: gate baseline prune --tests"
    assert summarise_baseline(verdict) == said
    assert said in Report(verdict).own_sentences


@pytest.mark.parametrize("changed", [PATH, "tests/test_old.py"])
def test_a_test_whose_file_the_change_touches_counts(changed: str) -> None:
    made = facts([failure()], entry(), changed=("a.py", changed))
    status, actual, message = judged(made)
    assert (status, actual) == (Status.FAIL, 1)
    assert "1 in the baseline count because the change touches them" in message
    assert decide_verdict(made).policy["baseline"]["tests"]["touched"] == ["tests.test_old.test_a"]


def test_a_test_whose_function_the_change_touches_elsewhere_counts() -> None:
    symbol = {**literal.FOO, "name": "test_a", "path": "tests/base.py"}
    made = facts([failure()], entry(), changed=("tests/base.py",))
    artifacts = {
        **{path: item.value for path, item in made.evidence.artifacts.items()},
        "functions.json": literal.functions(added=[symbol]),
    }
    again = literal.facts({"tests_pass": True}, artifacts, implicit=True)
    assert judged(replace(again, subject=made.subject, baseline=made.baseline))[0] is Status.FAIL


def parts(*paths: str, functions: tuple[str, ...] = (), unlisted: bool = False) -> ChangeParts:
    return ChangeParts(frozenset(paths), frozenset(functions), unlisted)


@pytest.mark.parametrize(
    ("test", "change", "touched"),
    [
        ("example.org/shop/pay.TestRefund/late", parts("pay/pay.go"), False),
        ("example.org/shop/pay.TestRefund/late", parts("pay/pay.go", functions=("TestRefund",)), True),
        ("example.org/shop/pay.TestRefund/late", parts("pay/cases_test.go"), True),
        ("example.org/shop/pay.TestRefund/late", parts("cart/cases_test.go"), False),
        ("example.org/shop/pay.TestRefund/late", parts("root_test.go"), True),
        ("example.org/shop/pay.TestRefund/late", parts("pay/pay.go", unlisted=True), True),
        ("src/lib.rs - double (line 3)", parts("src/lib.rs"), True),
        ("tests::refund", parts("src/pay.rs"), False),
        ("tests::refund", parts("src/pay.rs", functions=("refund",)), True),
        ("refund[test_b-1]", parts(functions=("test_b",)), False),
    ],
)
def test_a_test_without_a_file_is_touched_by_whatever_its_id_names(
    test: str, change: ChangeParts, touched: bool
) -> None:
    assert is_touched(FailureKey(test, ""), change) is touched


def test_replay_has_the_entries_of_the_published_file() -> None:
    content = encode_baseline((), (entry(), entry(B)))
    assert parse_baseline(content, TODAY).tests == (entry(), entry(B))
    assert encode_baseline((), ()) == b'{\n  "schema": "verigate:baseline.v1",\n  "entries": []\n}\n'


@pytest.mark.parametrize(
    ("own", "tightens"),
    [
        ((), True),
        ((entry(),), True),
        ((entry(expires="2026-07-01"),), True),
        ((entry(expires="2026-09-01"),), False),
        ((entry(), entry(B)), False),
        ((entry(count=2),), False),
    ],
)
def test_only_taking_away_is_no_change_of_policy(own: tuple[KnownFailure, ...], tightens: bool) -> None:
    base = encode_baseline((), (entry(),))
    assert only_tightens(base, parse_baseline(encode_baseline((), own), TODAY)) is tightens


def verdict_with(deselected: list[dict[str, Any]]) -> Verdict:
    return decide_verdict(facts([], deselected=deselected))


def test_deselected_tests_are_in_the_verdict_and_in_every_report() -> None:
    left_out = {"test": "t.\x1b[2J", "reason": "the bank", "outcome": "failed", "until": None, "expired": False}
    verdict = verdict_with(
        [
            left_out,
            {**left_out, "test": "u", "outcome": "passed"},
            {**left_out, "test": "v", "outcome": "absent"},
            {**left_out, "test": "w", "expired": True},
        ]
    )
    assert verdict.status is Status.PASS
    assert verdict.policy["deselected"] == {
        "failing": 1,
        "expired": 1,
        "absent": 1,
        "passing": 1,
        "tests": [{"test": "t.\x1b[2J", "reason": "the bank"}],
    }
    sentence = Report(verdict).own_sentences[-1]
    assert sentence == (
        "deselected: 1 failing test does not count: t.\x1b[2J (the bank); 1 entry has expired; "
        "1 test passes, and the entry can go; 1 entry names no test"
    )
    check = verdict.check("code.tests_pass")
    assert check is not None
    assert check.message == "1 failing test is deselected by config/adapters.json"
    assert [ref.pointer for ref in check.evidence][-1] == "/deselected/0"
