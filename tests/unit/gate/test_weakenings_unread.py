"""What runs say about a test file that nothing reads: tables of literal findings and cells."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.verdict import CheckOutcome
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict

TEST_ID = "ba9876543210"
UNREAD = lf.integrity_finding("unexamined", "t.bats", "weakening", "m", rule="language-unread")


def cell(test: str, *given: Any, **more: Any) -> dict[str, Any]:
    return lf.cell(test, *given, path="t.bats", **more)


def rule(*cells: Any, finding: Any = UNREAD, said: bool = False, control: str = "FFFF") -> CheckOutcome:
    """What becomes of the rule; ``said`` is whether the weakened test is disclosed."""
    artifacts = {
        **lf.GOOD,
        "integrity.json": {"findings": [finding], "files_examined": 1, "total": 1, "checks": ["tests"]},
        "counterfactual.json": lf.counterfactual(*cells, control=control),
    }
    rules = {"integrity": True, "weakening": "disclose"}
    made = lf.facts(rules, artifacts, claim=None, implicit=True, changed=("t.bats", "a.sh"))
    line = Disclosure("loosened", "t.bats::c", TEST_ID, "it is gone", Source.COMMIT, "commit c0ffee")
    disclosed = DisclosureFacts(Stage.CI, (line,) if said else (), (), (), {})
    return decide_verdict(replace(made, disclosed=disclosed)).check("code.integrity").outcome


SAME, OTHER = cell("a", same_text=True), cell("b", same_text=False)
PROVEN = cell("b", "proven", "PPFP", same_text=False)
LOST = cell("c", "lost", "PPNN", weakening_id=TEST_ID)
LOOSENED = cell("c", "loosened", "PFPP", weakens="yes", weakening_id=TEST_ID, same_text=False)
HOLDS, REFUTED = CheckOutcome.HOLDS, CheckOutcome.REFUTED


@pytest.mark.parametrize(
    ("cells", "outcome"),
    [
        ((), REFUTED),
        ((SAME,), HOLDS),
        ((SAME, PROVEN), HOLDS),
        ((PROVEN,), HOLDS),
        ((SAME, OTHER), REFUTED),
        ((cell("a"),), REFUTED),
        ((SAME, LOST), REFUTED),
        ((SAME, cell("c", "unproven", "NNPP", weakens="no")), REFUTED),
        ((SAME, cell("c", "flaky", "PPPP", weakens="text", same_text=True)), REFUTED),
        ((lf.cell("a", same_text=True),), REFUTED),
    ],
)
def test_the_tests_of_a_file_acquit_it_if_none_says_something_else(cells: Any, outcome: CheckOutcome) -> None:
    assert rule(*cells) is outcome


@pytest.mark.parametrize("control", ["NNNN", "FFPP", "FFFN"])
def test_runs_whose_report_may_be_false_acquit_nothing(control: str) -> None:
    assert rule(SAME, control=control) is REFUTED


def test_only_that_nothing_reads_a_file_is_for_runs_to_answer() -> None:
    for finding in ({**UNREAD, "rule": "too-large"}, {**UNREAD, "kind": "check_command_weakened", "rule": "x"}):
        assert rule(SAME, finding=finding) is REFUTED


def test_a_disclosure_of_the_test_that_is_weakened_covers_its_file() -> None:
    assert rule(SAME, LOOSENED, said=True) is HOLDS
    assert rule(OTHER, LOOSENED, said=True) is REFUTED
    assert rule(SAME, LOOSENED) is REFUTED
