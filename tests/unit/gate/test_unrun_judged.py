"""Tests that ran on base and don't run any more: each is a weakening of the kind ``lost``, like a deleted one."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome, Status, Verdict
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict
from verigate.reporting.formats import TextStyle, render
from verigate.reporting.report import Report
from verigate.usecases.left_to_message import passes_once_disclosed

ID = "0123456789ab"
LOST = {"path": "t.py", "test": "test_a", "id": ID}
SAID = Disclosure("lost", "t.py::test_a", ID, "the native module has its own", Source.COMMIT, "commit c0ffee")
NO_FINDING = {"findings": [], "files_examined": 1, "total": 1, "checks": ["tests"]}


def facts(
    *said: Disclosure, statements: tuple[str, ...] = (), finding: dict[str, Any] | None = None, **more: Any
) -> Facts:
    tests = {**lf.GOOD["tests.json"], "no_longer_run": [LOST], **more}
    found = {**NO_FINDING, "findings": [finding]} if finding else NO_FINDING
    made = lf.facts(
        {"integrity": True, "weakening": "disclose", "tests_pass": True},
        {**lf.GOOD, "integrity.json": found, "tests.json": tests},
        claim=lf.claim_document("file:a.py", statements=statements) if statements else None,
        implicit=not statements,
        changed=("a.py",),
    )
    return replace(made, disclosed=DisclosureFacts(Stage.CI, said, (), (), {}))


def outcome(verdict: Verdict, check: str) -> CheckOutcome:
    found = verdict.check(check)
    assert found is not None
    return found.outcome


def test_it_must_be_accounted_for() -> None:
    verdict = decide_verdict(facts())
    assert verdict.status is Status.FAIL
    check = verdict.check("code.integrity")
    assert check is not None
    assert check.outcome is CheckOutcome.REFUTED
    assert "t.py::test_a: it passes on the code of base and doesn't run any more" in check.message
    assert [ref.pointer for ref in check.evidence] == ["/no_longer_run/0"]


def test_a_disclosure_accounts_for_it_and_one_of_another_form_does_not() -> None:
    assert decide_verdict(facts(SAID)).status is Status.PASS
    assert decide_verdict(facts(replace(SAID, id="ba9876543210"))).status is Status.FAIL
    assert decide_verdict(facts(replace(SAID, kind="test_skipped"))).status is Status.FAIL


@pytest.mark.parametrize("said", [(), (SAID,)])
def test_nobody_can_state_that_no_test_was_weakened(said: tuple[Disclosure, ...]) -> None:
    verdict = decide_verdict(facts(*said, statements=("No test was weakened.",)))
    assert verdict.status is not Status.PASS


def test_a_commit_that_has_no_message_yet_is_not_let_through() -> None:
    skipped = {
        "kind": "test_skipped",
        "path": "t.py",
        "test": "test_b",
        "id": "c" * 12,
        "weight": "weakening",
        "message": "m",
    }
    assert not passes_once_disclosed(facts())
    assert passes_once_disclosed(facts(SAID, finding=skipped))


@pytest.mark.parametrize("name", ["text", "sarif", "markdown", "junit"])
def test_reports_name_the_test_and_what_to_write(name: str) -> None:
    made = facts()
    report = render(name, Report(decide_verdict(made), made.runs), TextStyle())
    assert "doesn't run any" in " ".join(report.split()).replace("&#x27;", "'")
    assert (ID in report) is (name != "sarif")


def test_what_was_not_compared_is_said_and_decides_nothing() -> None:
    why = {"what": "tests that didn't run", "path": "t.py", "why": "pytest took longer than 30 s"}
    verdict = decide_verdict(facts(no_longer_run=[], uncompared=[why]))
    assert verdict.status is Status.PASS
    check = verdict.check("code.tests_pass")
    assert check is not None
    assert check.message == "not compared with the base: tests that didn't run (t.py): pytest took longer than 30 s"
