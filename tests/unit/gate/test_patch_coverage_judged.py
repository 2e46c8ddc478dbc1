"""Coverage of the changed lines: what the rule refutes, what it leaves open, and what it says of where."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.gate.decision import decide_verdict


@pytest.mark.parametrize(
    ("patch", "outcome", "said"),
    [
        (lf.patch_coverage(9, 10), "holds", ""),
        (lf.patch_coverage(7, 10), "refuted", "not covered: a.py:8"),
        (lf.patch_coverage(0, 4, measured=False), "refuted", "a.py, which no test imports"),
        (lf.patch_coverage(9, 10, "b.go"), "unknown", "nothing measures the coverage of b.go"),
        (lf.patch_coverage(0, 0, "b.go"), "unknown", "b.go"),
        (lf.patch_coverage(0, 0), "not_applicable", "no line of product code"),
        (None, "unknown", "was not measured"),
    ],
)
def test_patch_coverage(patch: dict[str, Any] | None, outcome: str, said: str) -> None:
    coverage = {**lf.GOOD["coverage.json"], "patch": patch}
    verdict = decide_verdict(lf.facts({"patch_coverage_min": 0.8}, {**lf.GOOD, "coverage.json": coverage}))
    check = verdict.check("code.patch_coverage_min")
    assert check is not None
    assert (check.outcome.value, said in check.message) == (outcome, True), check.message


def test_new_code_that_no_test_runs_is_not_covered_by_tests() -> None:
    coverage = {**lf.GOOD["coverage.json"], "patch": lf.patch_coverage(9, 10)}
    claim = lf.claim_document(statements=["The new code is covered by tests."])
    verdict = decide_verdict(lf.facts({"tests_pass": True}, {**lf.GOOD, "coverage.json": coverage}, claim=claim))
    check = verdict.check("unit:statement:1")
    assert check is not None
    assert "no test runs a.py:10" in check.message
