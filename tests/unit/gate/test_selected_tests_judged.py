"""Tests by impact: a part that ran says nothing about all, but for a failure in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.verdict import Verdict
from verigate.gate.decision import decide_verdict

SUITE = {"what": "pytest", "path": ".", "unit": "files", "chosen": 1, "of": 4}
WHOLE = {**SUITE, "chosen": 4}
PASSED = {**lf.GOOD["tests.json"], "selected": [SUITE]}
FAILED = {**PASSED, "passed": PASSED["passed"] - 1, "failed": 1}


def judge(tests: Mapping[str, Any], rules: Mapping[str, Any], *statements: str) -> Verdict:
    documents = {**lf.GOOD, "tests.json": tests}
    return decide_verdict(
        lf.facts({"tests_pass": True, **rules}, documents, claim=lf.claim_document(statements=[*statements]))
    )


def outcome(verdict: Verdict, check: str) -> str:
    found = verdict.check(check)
    assert found is not None
    return found.outcome.value


@pytest.mark.parametrize(
    ("text", "passed", "failed", "whole"),
    [
        ("All tests pass", "unknown", "refuted", "holds"),
        ("100% of the tests pass", "unknown", "refuted", "unknown"),
        ("5 tests pass", "unknown", "unknown", "holds"),
        ("7 tests pass", "unknown", "unknown", "refuted"),
        ("No tests are skipped", "unknown", "unknown", "refuted"),
        ("At least 4 tests pass", "unknown", "unknown", "holds"),
        ("1 test fails", "unknown", "unknown", "refuted"),
        ("At least 2 tests fail", "unknown", "unknown", "refuted"),
    ],
)
def test_statements(text: str, passed: str, failed: str, whole: str) -> None:
    assert outcome(judge(PASSED, {}, text), "unit:statement:1") == passed
    assert outcome(judge(FAILED, {}, text), "unit:statement:1") == failed
    assert outcome(judge({**PASSED, "selected": [WHOLE]}, {}, text), "unit:statement:1") == whole


def test_the_rules_say_so_and_a_part_is_not_too_few() -> None:
    said = "1 of 4 test files of pytest (.) ran, by impact"
    verdict = judge(PASSED, {"tests_min": 50})
    passing, least = verdict.check("code.tests_pass"), verdict.check("code.tests_min")
    assert passing is not None
    assert least is not None
    assert (passing.outcome.value, passing.message) == ("holds", said)
    assert passing.evidence[-1].pointer == "/selected/0"
    assert (least.outcome.value, least.reason) == ("unknown", "TESTS_UNEXAMINED")
    assert said in least.message
    assert outcome(judge(PASSED, {"tests_min": 2}), "code.tests_min") == "holds"
    assert outcome(judge(FAILED, {}), "code.tests_pass") == "refuted"
    whole = judge({**PASSED, "selected": [WHOLE]}, {"tests_min": 50})
    assert outcome(whole, "code.tests_min") == "refuted"


def test_of_packages_it_is_said_that_the_change_decided() -> None:
    packages = {"what": "the repository", "path": ".", "unit": "packages", "chosen": 2, "of": 9, "by": "affected"}
    files = {**SUITE, "by": "affected"}
    passing = judge({**PASSED, "selected": [packages, files]}, {}).check("code.tests_pass")
    assert passing is not None
    assert passing.message == (
        "2 of 9 packages of the repository (.); 1 of 4 test files of pytest (.) ran, by what changed"
    )
    whole = judge({**PASSED, "selected": [{**packages, "chosen": 9, "why": "a"}]}, {}, "All tests pass")
    assert outcome(whole, "unit:statement:1") == "holds"
