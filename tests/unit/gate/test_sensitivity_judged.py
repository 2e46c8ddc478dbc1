"""What tests still notice: power that is lost must be accounted for, and power that is held acquits the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome, Status
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict

ID, OTHER_ID = "0123456789ab", "ba9876543210"
KEPT = lf.cell("test_a", "kept", "PPPP", weakens="sensitivity")
LOST = {"path": "t.py", "test": "test_a", "id": ID, "mutants": ["a.py:3: 1 becomes 2"]}
HELD = {"path": "t.py", "test": "test_a", "mutants": 5}
FINDING = {
    "kind": "assertion_weakened",
    "path": "t.py",
    "test": "test_a",
    "id": OTHER_ID,
    "weight": "weakening",
    "message": "m",
}


def said(kind: str = "lost_power", weakening_id: str = ID) -> Disclosure:
    return Disclosure(kind, "t.py::test_a", weakening_id, "rounding is gone", Source.COMMIT, "commit c0ffee")


def facts(
    *disclosed: Disclosure,
    finding: bool | dict[str, Any] = False,
    cell: dict[str, Any] = KEPT,
    more: Sequence[Any] = (),
    **power: Any,
) -> Facts:
    found = {
        "findings": [FINDING] if finding is True else [finding] if finding else [],
        "files_examined": 1,
        "total": 1,
        "checks": ["tests"],
    }
    made = lf.facts(
        {"integrity": True, "weakening": "disclose"},
        {
            **lf.GOOD,
            "integrity.json": found,
            "counterfactual.json": lf.counterfactual(cell, *more),
            "sensitivity.json": lf.sensitivity(asked=1, **power),
        },
        implicit=True,
        changed=("t.py", "a.py"),
    )
    return replace(made, disclosed=DisclosureFacts(Stage.CI, disclosed, (), (), {}))


def test_lost_power_must_be_accounted_for() -> None:
    verdict = decide_verdict(facts(lost_power=[LOST]))
    assert verdict.status is Status.FAIL
    check = verdict.check("code.integrity")
    assert check is not None
    assert "t.py::test_a no longer notices a.py:3: 1 becomes 2" in check.message
    assert [(ref.artifact, ref.pointer) for ref in check.evidence] == [("sensitivity.json", "/lost_power/0")]
    assert decide_verdict(facts(said(), lost_power=[LOST])).status is Status.PASS
    assert decide_verdict(facts(said(weakening_id=OTHER_ID), lost_power=[LOST])).status is Status.FAIL


def test_its_disclosure_covers_what_the_text_of_the_test_seems_to_say() -> None:
    assert decide_verdict(facts(said(), finding=True, lost_power=[LOST])).status is Status.PASS
    assert decide_verdict(facts(finding=True, lost_power=[LOST])).status is Status.FAIL


def test_held_power_acquits_the_text_of_a_kept_test() -> None:
    assert decide_verdict(facts(finding=True)).status is Status.FAIL
    verdict = decide_verdict(facts(finding=True, held=[HELD]))
    assert verdict.status is Status.PASS
    check = next(each for each in verdict.checks if each.id.startswith("weakening:"))
    assert check.accounted is not None
    assert check.accounted.document() == {"by": "evidence", "reference": "sensitivity.json#/held/0"}


@pytest.mark.parametrize(
    ("name", "cells", "weakens"), [("loosened", "PFPP", "yes"), ("followed", "PFFP", "expectations")]
)
def test_it_acquits_no_class_that_weakens_by_itself(name: str, cells: str, weakens: str) -> None:
    made = facts(finding=True, cell=lf.cell("test_a", name, cells, weakens=weakens), held=[HELD])
    verdict = decide_verdict(
        replace(made, profile=replace(made.profile, rules={**made.profile.rules, "expectations": "disclose"}))
    )
    assert verdict.status is Status.FAIL


@pytest.mark.parametrize(
    ("held", "lost", "status"),
    [
        (["test_old"], ["test_old"], Status.PASS),
        (["test_old"], ["test_old", "test_other"], Status.FAIL),
        (["test_old", "test_other"], ["test_old", "test_other"], Status.PASS),
        (["test_old"], [], Status.FAIL),
    ],
)
@pytest.mark.parametrize(("name", "cells"), [("unproven", "NNPP"), ("added", "NNXP")])
def test_a_new_test_stands_for_all_that_are_gone_from_its_file(
    name: str, cells: str, held: Sequence[str], lost: Sequence[str], status: Status
) -> None:
    gone = [lf.cell(test, "lost", "PPPN", weakens="sensitivity") for test in lost]
    new = lf.cell("test_a", name, cells, weakens="no")
    made = facts(finding=True, cell=new, more=gone, held=[{**HELD, "test": test} for test in held])
    assert decide_verdict(made).status is status


FOCUS = {**FINDING, "kind": "test_focused", "rule": "test-focused"}
UNFOCUSED = {**FINDING, "kind": "test_skipped", "rule": "TEST_DISABLED"}
SKIPPED = {**UNFOCUSED, "rule": "test-skip"}


@pytest.mark.parametrize("found", [FOCUS, UNFOCUSED])
def test_what_a_focused_test_notices_says_nothing_of_the_others(found: dict[str, Any]) -> None:
    assert decide_verdict(facts(finding=found, held=[HELD])).status is Status.FAIL
    assert decide_verdict(facts(said(), finding=FOCUS, lost_power=[LOST])).status is Status.FAIL
    assert decide_verdict(facts(said("test_focused", OTHER_ID), finding=FOCUS, held=[HELD])).status is Status.PASS


@pytest.mark.parametrize(
    ("kind", "lost", "status"),
    [
        ("test_skipped", LOST, Status.PASS),
        ("test_removed", LOST, Status.PASS),
        ("assertion_removed", LOST, Status.FAIL),
        ("test_skipped", {**LOST, "test": "test_b"}, Status.FAIL),
        ("test_skipped", {**LOST, "path": "u.py"}, Status.FAIL),
    ],
)
def test_who_discloses_that_a_test_is_skipped_or_gone_discloses_that_it_notices_nothing(
    kind: str, lost: dict[str, Any], status: Status
) -> None:
    skipped = {**SKIPPED, "kind": kind}
    assert decide_verdict(facts(said(kind, OTHER_ID), finding=skipped, lost_power=[lost])).status is status
    assert decide_verdict(facts(finding=skipped, lost_power=[lost])).status is Status.FAIL


def test_lost_power_that_the_profile_refuses_is_not_covered() -> None:
    made = facts(said("test_skipped", OTHER_ID), finding=SKIPPED, lost_power=[LOST])
    rules = {**made.profile.rules, "weakening": {"default": "disclose", "lost_power": "refuse"}}
    assert decide_verdict(replace(made, profile=replace(made.profile, rules=rules))).status is Status.FAIL


def test_a_title_of_suites_covers_the_test_of_that_title() -> None:
    skipped = {**SKIPPED, "test": "cart > adds"}
    disclosure = Disclosure("test_skipped", "t.py::cart > adds", OTHER_ID, "later", Source.COMMIT, "commit c0ffee")
    lost = {**LOST, "test": "cart adds"}
    assert decide_verdict(facts(disclosure, finding=skipped, lost_power=[lost])).status is Status.PASS


def test_a_sample_of_mutants_acquits_a_text_and_supports_no_statement() -> None:
    made = facts(finding=True, held=[HELD])
    claim = lf.claim_document(statements=["No tests were weakened."])
    verdict = decide_verdict(replace(made, task=replace(made.task, claim=lf.facts({}, {}, claim=claim).task.claim)))
    check = verdict.check("unit:statement:1")
    assert check is not None
    assert check.outcome is CheckOutcome.UNKNOWN
    assert "the mutants that it notices are a sample: assertion_weakened in t.py" in check.message


def test_power_of_another_test_acquits_nothing() -> None:
    assert decide_verdict(facts(finding=True, held=[{**HELD, "test": "test_b"}])).status is Status.FAIL


BLIND = {"path": "t.py", "test": "test_a", "id": ID, "line": 7, "change": "59 becomes 60", "new": False}


def test_a_test_that_passes_whatever_it_compares_with_must_be_accounted_for() -> None:
    verdict = decide_verdict(facts(unfailing=[BLIND, {**BLIND, "line": 8}]))
    assert verdict.status is Status.FAIL
    check = verdict.check("code.integrity")
    assert check is not None
    assert "test_a passes whatever t.py:7 compares with (59 becomes 60)" in check.message
    assert decide_verdict(facts(said("test_cannot_fail"), unfailing=[BLIND])).status is Status.PASS
    assert decide_verdict(facts(unfailing=[{**BLIND, "new": True}])).status is Status.PASS


def test_the_power_of_the_whole_test_acquits_one_assertion() -> None:
    assert decide_verdict(facts(unfailing=[BLIND], held=[HELD])).status is Status.PASS
    assert decide_verdict(facts(unfailing=[BLIND], held=[{**HELD, "test": "test_b"}])).status is Status.FAIL


@pytest.mark.parametrize(
    ("least", "changed", "outcome"),
    [
        (0.5, lf.noticing("noticed", "unnoticed"), CheckOutcome.HOLDS),
        (0.6, lf.noticing("noticed", "unnoticed"), CheckOutcome.REFUTED),
        (1.0, lf.noticing("noticed", "open"), CheckOutcome.UNKNOWN),
        (0.5, lf.noticing("noticed", "open"), CheckOutcome.HOLDS),
        (0.9, lf.noticing("unnoticed", "open"), CheckOutcome.REFUTED),
        (0.5, lf.noticing(), CheckOutcome.REFUTED),
        (0.5, lf.noticing(files=0), CheckOutcome.NOT_APPLICABLE),
        (0.5, None, CheckOutcome.UNKNOWN),
    ],
)
def test_the_rule_counts_mutants_of_changed_lines(
    least: float, changed: dict[str, Any] | None, outcome: CheckOutcome
) -> None:
    found = {**lf.GOOD, "sensitivity.json": lf.sensitivity(changed=changed)}
    check = decide_verdict(lf.facts({"noticed_min": least}, found)).check("code.noticed_min")
    assert check is not None
    assert check.outcome is outcome, check.message


ADDED = lf.cell("test_new", "unproven", "NNPP", weakens="no")


def stated(text: str, changed: dict[str, Any] | None, *cells: dict[str, Any], **power: Any) -> tuple[CheckOutcome, str]:
    found = {
        **lf.GOOD,
        "counterfactual.json": lf.counterfactual(*cells),
        "sensitivity.json": lf.sensitivity(changed=changed, **power),
    }
    claim = lf.claim_document(statements=[text])
    verdict = decide_verdict(lf.facts({"lint_errors_max": 0}, found, claim=claim))
    (unit,) = verdict.units.per_unit
    check = verdict.check(unit.check)
    assert check is not None
    return check.outcome, check.message


@pytest.mark.parametrize(
    ("fates", "outcome"),
    [
        (("noticed", "noticed"), CheckOutcome.HOLDS),
        (("noticed", "unnoticed"), CheckOutcome.UNKNOWN),
        (("unnoticed", "unnoticed"), CheckOutcome.REFUTED),
        (("noticed", "open"), CheckOutcome.UNKNOWN),
        ((), CheckOutcome.UNKNOWN),
    ],
)
def test_tested_is_what_tests_notice(fates: tuple[str, ...], outcome: CheckOutcome) -> None:
    for text in ("`foo` is tested.", "The new code is covered by tests."):
        assert stated(text, lf.noticing(*fates))[0] is outcome
    assert stated("`bar` is tested.", lf.noticing(*fates))[0] is CheckOutcome.UNKNOWN
    assert stated("`foo` is tested.", None)[0] is CheckOutcome.UNKNOWN


@pytest.mark.parametrize(
    ("places", "why"),
    [
        ([lf.place("noticed")], None),
        ([], None),
        ([lf.place("noticed"), lf.place("unnoticed", "bar")], "no test notices a mutant of bar"),
        ([lf.place("open")], "not all tests were asked about foo: time was up"),
        ([lf.place("untried", None, "no mutant can be made in it")], "a.py may do something else: no mutant can be"),
        (None, "no mutants of the changed places were tried"),
    ],
)
def test_behaviour_is_the_same_only_where_tests_notice_another_one(
    places: list[dict[str, Any]] | None, why: str | None
) -> None:
    """Of a place in which no test notices anything nobody knows what it does; mutants of changed lines don't count."""
    for text in ("No behaviour change.", "Pure refactoring."):
        outcome, message = stated(text, lf.noticing("unnoticed"), KEPT, places=places)
        assert outcome is (CheckOutcome.HOLDS if why is None else CheckOutcome.UNKNOWN), message
        assert (why or "") in message


def test_code_without_mutants_is_not_covered_by_tests() -> None:
    """A script that nothing measures leaves open whether all new code is tested, and says nothing of a function."""
    left_out = {"path": "bin/deploy.sh", "why": "no mutants are made in files like it"}
    changed = {**lf.noticing("noticed"), "unexamined": [left_out]}
    assert stated("The new code is covered by tests.", changed)[0] is CheckOutcome.UNKNOWN
    assert stated("`foo` is tested.", changed)[0] is CheckOutcome.HOLDS
    assert stated("`foo` is tested.", {**changed, "unexamined": [{**left_out, "path": "."}]})[0] is CheckOutcome.UNKNOWN


def test_added_tests_are_new_and_can_fail() -> None:
    noticed = lf.noticing("noticed")
    assert stated("Added tests for `foo`.", noticed, ADDED)[0] is CheckOutcome.HOLDS
    assert stated("Added tests.", None, ADDED)[0] is CheckOutcome.HOLDS
    assert stated("Added tests for `foo`.", lf.noticing("unnoticed"), ADDED)[0] is CheckOutcome.REFUTED
    assert stated("Added tests for `foo`.", noticed, KEPT)[0] is CheckOutcome.REFUTED
    blind = {**BLIND, "test": "test_new", "new": True}
    outcome, why = stated("Added tests.", None, ADDED, unfailing=[blind])
    assert (outcome, "the new tests pass whatever they compare with" in why) == (CheckOutcome.REFUTED, True)


@pytest.mark.parametrize(
    "text", ["Added `foo()` with tests.", "Added `foo()` and tests for it.", "Added `foo()` and tests."]
)
def test_a_function_that_was_added_with_tests_is_new_and_tested(text: str) -> None:
    noticed = lf.noticing("noticed")
    assert stated(text, noticed, ADDED)[0] is CheckOutcome.HOLDS
    assert stated(text, lf.noticing("noticed", "unnoticed"), ADDED)[0] is CheckOutcome.UNKNOWN
    assert stated(text, lf.noticing("unnoticed"), ADDED)[0] is CheckOutcome.REFUTED
    assert stated(text, noticed, KEPT)[0] is CheckOutcome.REFUTED
    assert stated(text.replace("foo", "bar"), noticed, ADDED)[0] is CheckOutcome.REFUTED


@pytest.mark.parametrize(
    "text",
    [
        "Added `foo()` with tests for the parser.",
        "Added `foo()` with tests on Linux.",
        "Added `foo()` with tests and docs.",
        "Added `foo()` with tests except one.",
        "Added `foo()` without tests.",
    ],
)
def test_more_words_about_the_tests_of_a_function_leave_it_open(text: str) -> None:
    assert stated(text, lf.noticing("noticed"), ADDED)[0] is CheckOutcome.UNKNOWN


def test_one_line_is_asked_for_where_one_covers_a_test() -> None:
    listed = decide_verdict(facts(finding=True, lost_power=[LOST])).weakenings["listed"]
    assert [(each["kind"], each.get("line"), each.get("note")) for each in listed] == [
        ("lost_power", f"Weakens: lost_power t.py::test_a {ID} (…)", None),
        ("assertion_weakened", None, "what is said of lost_power covers it"),
    ]
