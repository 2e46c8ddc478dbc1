"""What an approval accounts for: tables of literal facts with policy changes, weakenings and tampering."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.approval import POLICY, WEAKENING, Accepted, ApprovalFacts, restore_approvals
from verigate.domain.facts import Facts
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict, parse_verdict
from verigate.domain.weakening import DisclosureFacts, Stage
from verigate.gate.decision import decide_verdict

ID, OTHER_ID = "0123456789ab", "ba9876543210"
SKIPPED = {"kind": "test_skipped", "path": "t.py", "test": "test_a", "id": ID, "weight": "weakening", "message": "m"}
REMOVED = {**SKIPPED, "kind": "test_removed", "test": "test_b", "id": OTHER_ID}
HOOKED = {"kind": "test_outcome_hook", "path": "conftest.py", "test": None, "id": OTHER_ID, "weight": "tampering"}
LOOSENED = lf.cell("test_a", "loosened", "PFPP", weakens="yes", weakening_id=OTHER_ID)
OF_SKIPPED = f"test_skipped t.py::test_a {ID}"
OF_REMOVED = f"test_removed t.py::test_b {OTHER_ID}"
OF_LOOSENED = f"loosened t.py::test_a {OTHER_ID}"
PLAN, HOOKS = "config/adapter-plan.json", "hooks/pre-commit"
OF_PLAN, OF_HOOKS = f"policy {PLAN} {ID}", f"policy {HOOKS} {OTHER_ID}"
MARK = ("the commit c0ffee has the mark of a coding agent (author)",)
NOW = "2026-03-10T12:00:00Z"


def accepted(namespace: str | None, *findings: str, reference: str = "approval c0ffee by alice") -> Accepted:
    own = findings if namespace is not None else None
    return Accepted(reference, "alice", "hardware key SHA256:x", "a reason", NOW, NOW, namespace, own)


REVIEW = replace(accepted(None), reference="review by bob of pull request 7", how="review at github.com", expires=None)


def facts(
    *findings: Mapping[str, Any],
    approvals: Sequence[Accepted] = (),
    policy: Mapping[str, str] | None = None,
    cells: Sequence[Mapping[str, Any]] = (),
    stage: Stage = Stage.CI,
    marks: Sequence[str] = (),
    weakening: str = "refuse",
    faults: Sequence[str] = (),
) -> Facts:
    integrity = {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]}
    artifacts = {
        **lf.GOOD, "integrity.json": integrity, "counterfactual.json": lf.counterfactual(*cells),
        "sensitivity.json": lf.sensitivity(),
    }  # fmt: skip
    made = lf.facts(
        {"integrity": True, "weakening": weakening}, artifacts, implicit=True, claim=None, changed=("t.py", "a.py")
    )
    return replace(
        made,
        disclosed=DisclosureFacts(stage, (), tuple(marks)),
        changed_policy_files=tuple(policy or ()),
        approvals=ApprovalFacts(NOW, dict(policy or {}), tuple(approvals), tuple(faults)),
    )


def decide(made: Facts) -> Verdict:
    verdict = decide_verdict(made)
    assert parse_verdict(json.loads(json.dumps(verdict.document()))) == verdict
    restored = replace(made, approvals=restore_approvals(json.loads(json.dumps(made.approvals.document()))))  # type: ignore[union-attr]
    assert decide_verdict(restored).document() == verdict.document()
    return verdict


def check(verdict: Verdict, name: str) -> Check:
    found = verdict.check(name)
    assert found is not None
    return found


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("marks", [(), MARK])
@pytest.mark.parametrize("weakening", ["refuse", "disclose"])
def test_an_approved_weakening_holds_whatever_the_profile_and_the_marks_say(
    stage: Stage, marks: Sequence[str], weakening: str
) -> None:
    stopped = decide(facts(SKIPPED, stage=stage, marks=marks, weakening=weakening))
    assert check(stopped, "code.integrity").outcome is CheckOutcome.REFUTED
    verdict = decide(
        facts(SKIPPED, approvals=[accepted(WEAKENING, OF_SKIPPED)], stage=stage, marks=marks, weakening=weakening)
    )
    assert check(verdict, "code.integrity").outcome is CheckOutcome.HOLDS
    own = check(verdict, f"weakening:{ID}")
    assert own.outcome is CheckOutcome.HOLDS
    assert own.accounted is not None
    assert own.accounted.document() == {"by": "approval", "reference": "approval c0ffee by alice"}
    assert own.message == "test_skipped in t.py::test_a: approved (approval c0ffee by alice): a reason"
    assert verdict.weakenings is not None
    assert (verdict.weakenings["approved"], verdict.weakenings["disclosed"]) == (1, 0)
    assert verdict.approvals is not None
    assert (verdict.approvals["policy"], verdict.approvals["weakenings"]) == (0, 1)


@pytest.mark.parametrize(
    ("approvals", "open_ones"),
    [
        ([], {"test_skipped", "test_removed"}),
        ([accepted(WEAKENING, OF_SKIPPED)], {"test_removed"}),
        ([accepted(WEAKENING, OF_SKIPPED), accepted(WEAKENING, OF_REMOVED)], set()),
        ([accepted(WEAKENING, OF_SKIPPED, OF_REMOVED)], set()),
        ([accepted(POLICY, OF_SKIPPED, OF_REMOVED)], {"test_skipped", "test_removed"}),
        ([accepted(WEAKENING, f"test_skipped t.py::test_a {OTHER_ID}")], {"test_skipped", "test_removed"}),
        ([accepted(WEAKENING, f"test_skipped t.py {ID}")], {"test_skipped", "test_removed"}),
        ([REVIEW], set()),
    ],
)
def test_an_approval_stands_for_exactly_what_it_names(approvals: list[Accepted], open_ones: set[str]) -> None:
    verdict = decide(facts(SKIPPED, REMOVED, approvals=approvals))
    listed = (verdict.weakenings or {})["listed"]
    assert {each["kind"] for each in listed if each["accounted"] is None} == open_ones
    assert (verdict.status is Status.FAIL) == bool(open_ones)


def test_what_is_measured_and_approved_does_not_stand_for_what_the_text_says() -> None:
    found = {**SKIPPED, "kind": "assertion_removed"}
    text = f"assertion_removed t.py::test_a {ID}"
    alone = decide(facts(found, cells=[LOOSENED], approvals=[accepted(WEAKENING, OF_LOOSENED)]))
    assert check(alone, "code.integrity").outcome is CheckOutcome.REFUTED
    both = decide(facts(found, cells=[LOOSENED], approvals=[accepted(WEAKENING, OF_LOOSENED, text)]))
    assert check(both, "code.integrity").outcome is CheckOutcome.HOLDS


@pytest.mark.parametrize("approval", [accepted(WEAKENING, f"test_outcome_hook conftest.py {OTHER_ID}"), REVIEW])
def test_nobody_approves_tampering(approval: Accepted) -> None:
    verdict = decide(facts(HOOKED, SKIPPED, approvals=[approval, accepted(WEAKENING, OF_SKIPPED)]))
    assert verdict.status is Status.FAIL
    assert "change what checks report, which nothing accounts for" in check(verdict, "code.integrity").message


@pytest.mark.parametrize(
    ("approvals", "open_ones"),
    [
        ([], [PLAN, HOOKS]),
        ([accepted(POLICY, OF_PLAN)], [HOOKS]),
        ([accepted(POLICY, OF_PLAN, OF_HOOKS)], []),
        ([accepted(POLICY, OF_PLAN), accepted(POLICY, OF_HOOKS, reference="approval beef by bob")], []),
        ([accepted(WEAKENING, OF_PLAN, OF_HOOKS)], [PLAN, HOOKS]),
        ([accepted(POLICY, f"policy {PLAN} {OTHER_ID}")], [PLAN, HOOKS]),
        ([REVIEW], []),
    ],
)
def test_policy_files_hold_if_all_of_them_are_approved(approvals: list[Accepted], open_ones: list[str]) -> None:
    verdict = decide(facts(policy={PLAN: OF_PLAN, HOOKS: OF_HOOKS}, approvals=approvals))
    judges = check(verdict, "gate.judges")
    assert (judges.outcome is CheckOutcome.REFUTED) == bool(open_ones)
    if open_ones:
        assert judges.actual == len(open_ones)
        assert judges.accounted is None
        assert judges.message.startswith(f"the change touches policy files: {', '.join(open_ones)};")
        assert "with `git commit --no-verify` and `git push --no-verify`" in judges.message
    else:
        assert judges.accounted is not None
        assert judges.accounted.reference == "; ".join(each.reference for each in approvals)
        assert "changed, and approved" in judges.message
        assert "a reason" in judges.message


def test_a_commitment_that_was_edited_is_no_policy_that_can_be_approved() -> None:
    path = ".artifacts/T1/commitment.json"
    made = facts(policy={PLAN: OF_PLAN}, approvals=[REVIEW])
    verdict = decide(replace(made, changed_policy_files=(path, PLAN)))
    judges = check(verdict, "gate.judges")
    assert judges.outcome is CheckOutcome.REFUTED
    assert judges.message.startswith(f"{path} differs")


def test_why_an_approval_does_not_count_is_said_where_it_is_missed() -> None:
    why = "approval c0ffee doesn't count: it expired"
    verdict = decide(facts(SKIPPED, policy={PLAN: OF_PLAN}, faults=[why]))
    assert why in check(verdict, "gate.judges").message
    assert why in check(verdict, "code.integrity").message
    assert verdict.approvals == {"policy": 0, "weakenings": 0, "listed": [], "faults": [why]}


def test_an_approval_that_nothing_needs_is_not_reported() -> None:
    verdict = decide(facts(policy={PLAN: OF_PLAN}, approvals=[accepted(WEAKENING, OF_SKIPPED)]))
    assert verdict.approvals is None


def test_what_rests_on_a_weakened_check_stays_undecided() -> None:
    made = facts(SKIPPED, approvals=[accepted(WEAKENING, OF_SKIPPED)])
    claim = lf.claim_document("file:a.py", statements=["All tests pass."])
    task = lf.facts({}, {}, claim=claim, changed=("t.py", "a.py")).task
    verdict = decide(replace(made, task=task))
    assert verdict.status is Status.INCONCLUSIVE
    assert "WEAKENING_DISCLOSED" in {reason.code for reason in verdict.reasons}


def test_an_approval_alone_is_nothing_that_was_verified() -> None:
    made = facts(policy={PLAN: OF_PLAN}, approvals=[accepted(POLICY, OF_PLAN)])
    bare = replace(made, profile=replace(made.profile, rules={}))
    assert decide(bare).status is Status.INCONCLUSIVE
