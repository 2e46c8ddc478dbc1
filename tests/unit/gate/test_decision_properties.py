"""What holds for any facts at all."""

from __future__ import annotations

import json
from typing import Any

import literal_facts as lf
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_PATH
from verigate.domain.verdict import (
    Check,
    CheckOutcome,
    EvidenceRef,
    Reason,
    Status,
    UnitOutcome,
    Units,
    UnitVerdict,
    Verdict,
    parse_verdict,
)
from verigate.gate.decision import decide_verdict, resolve_status

STATES = {"good": lf.GOOD, "bad": lf.BAD, "zero": lf.ZERO}
UNIT_IDS = ["file:a.py", "file:gone.py", "func:foo", "func:gone", "endpoint:GET /users", "url:https://a.example/"]

checks = st.builds(
    Check, id=st.text(min_size=1, max_size=5), outcome=st.sampled_from(CheckOutcome), holds_back=st.booleans()
)


@st.composite
def any_facts(draw: st.DrawFn) -> Facts:
    """Any choice of rules, and each artifact good, bad, empty or absent."""
    rules = {key: lf.THRESHOLDS[key] for key in draw(st.sets(st.sampled_from(sorted(lf.THRESHOLDS)), max_size=4))}
    # Few artifacts are off, so that many of the drawn facts come close to a pass.
    off = draw(
        st.dictionaries(st.sampled_from(sorted(BY_PATH)), st.sampled_from(["bad", "zero", "absent"]), max_size=3)
    )
    states = {path: off.get(path, "good") for path in sorted(BY_PATH)}
    artifacts = {path: STATES[state][path] for path, state in states.items() if state != "absent"}
    said = draw(st.sampled_from(["claim", "claim", "claim", "none", "invalid"]))
    units = draw(st.lists(st.sampled_from(UNIT_IDS), unique=True, max_size=3))
    failures = draw(st.sampled_from([{}, {}, {"x:y": ("ADAPTER_CRASH", True)}, {"x:y": ("ADAPTER_CRASH", False)}]))
    return lf.facts(
        rules | dict(lf.SETTINGS),
        artifacts,
        claim=lf.claim_document(*units, statements=draw(st.sampled_from([[], ["s"]]))) if said == "claim" else None,
        claim_faults=["broken"] if said == "invalid" else [],
        commitment=lf.COMMITMENT,
        failures=failures,
        order=lf.ORDER,
        only=draw(st.sampled_from([[], [], [], ["code:lint"]])),
        changed_policy_files=draw(st.sampled_from([[], [], [], ["config/adapter-plan.json"]])),
    )


@given(st.lists(checks, max_size=8))
def test_the_status_is_the_worst_outcome_that_counts(found: list[Check]) -> None:
    counting = [check.outcome for check in found if check.holds_back]
    status = resolve_status(found)
    if CheckOutcome.ERROR in counting:
        assert status is Status.ERROR
    elif CheckOutcome.REFUTED in counting:
        assert status is Status.FAIL
    elif CheckOutcome.UNKNOWN in counting:
        assert status is Status.INCONCLUSIVE
    else:
        assert (status is Status.PASS) == (CheckOutcome.HOLDS in counting)


@given(st.lists(checks, max_size=8), st.randoms())
def test_the_status_ignores_order_and_repetition(found: list[Check], random: Any) -> None:
    shuffled = [*found, *found]
    random.shuffle(shuffled)
    assert resolve_status(shuffled) is resolve_status(found)


@given(st.lists(checks, max_size=8), checks)
def test_another_check_never_turns_a_status_into_a_better_one(found: list[Check], more: Check) -> None:
    rank = {Status.ERROR: 0, Status.FAIL: 1, Status.INCONCLUSIVE: 2, Status.PASS: 3}
    before, after = resolve_status(found), resolve_status([*found, more])
    first_that_holds = before is Status.INCONCLUSIVE and not any(
        check.holds_back and check.outcome is CheckOutcome.UNKNOWN for check in found
    )
    assert rank[after] <= rank[before] or first_that_holds


@settings(max_examples=3 * settings.default.max_examples)
@given(any_facts())
def test_a_pass_has_no_error_no_refutation_and_nothing_unknown(facts: Facts) -> None:
    verdict = decide_verdict(facts)
    counting = {check.outcome for check in verdict.checks if check.holds_back}
    if verdict.status is Status.PASS:
        assert counting <= {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}
        assert any(check.outcome is CheckOutcome.HOLDS and check.evidence for check in verdict.checks)
        assert verdict.reasons == ()
        assert all(
            unit.outcome is UnitOutcome.SUPPORTED or unit.id.startswith("statement:") for unit in verdict.units.per_unit
        )
    else:
        assert verdict.reasons
    assert all(
        check.reason
        for check in verdict.checks
        if check.outcome in {CheckOutcome.ERROR, CheckOutcome.REFUTED, CheckOutcome.UNKNOWN}
    )
    assert len({check.id for check in verdict.checks}) == len(verdict.checks)


@settings(max_examples=2 * settings.default.max_examples)
@given(any_facts(), st.randoms())
def test_the_decision_ignores_the_order_of_artifacts(facts: Facts, random: Any) -> None:
    items = list(facts.evidence.artifacts.items())
    random.shuffle(items)
    again = decide_verdict(replace(facts, evidence=Evidence(dict(items))))
    assert json.dumps(again.document()) == json.dumps(decide_verdict(facts).document())


@settings(max_examples=3 * settings.default.max_examples)
@given(
    any_facts(),
    st.sampled_from(sorted(path for path in BY_PATH if path.endswith(".json"))),
    st.sampled_from(["bad", "zero"]),
)
def test_a_failing_artifact_of_the_same_spec_never_makes_a_pass(facts: Facts, path: str, state: str) -> None:
    if path not in facts.evidence.artifacts or decide_verdict(facts).status is Status.PASS:
        return
    for name in ("aaa.json", "zzz.json"):
        second = lf.artifact(name, STATES[state][path], media_spec=BY_PATH[path].media_spec)
        worse = replace(facts, evidence=Evidence({**facts.evidence.artifacts, name: second}))
        assert decide_verdict(worse).status is not Status.PASS, path


@settings(max_examples=2 * settings.default.max_examples)
@given(any_facts())
def test_a_decided_verdict_survives_its_document(facts: Facts) -> None:
    verdict = decide_verdict(facts)
    document = json.loads(json.dumps(verdict.document()))
    assert parse_verdict(document).document() == document
    assert parse_verdict(document).status is verdict.status


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
references = st.builds(EvidenceRef, st.text(), st.text(), json_values, st.text())
any_checks = st.builds(
    Check,
    st.text(),
    st.sampled_from(CheckOutcome),
    json_values,
    json_values,
    st.none() | st.text(min_size=1),
    st.text(),
    st.lists(references, max_size=2).map(tuple),
    st.booleans(),
)
verdicts = st.builds(
    Verdict,
    task_id=st.text(),
    type=st.text(),
    status=st.sampled_from(Status),
    decided_by=st.sampled_from(["facts", "verifier"]),
    checks=st.lists(any_checks, max_size=3).map(tuple),
    reasons=st.lists(st.builds(Reason, st.text(), st.text(), st.text()), max_size=3).map(tuple),
    units=st.builds(
        Units,
        st.none() | st.integers(0, 9),
        st.lists(st.builds(UnitVerdict, st.text(), st.sampled_from(UnitOutcome), st.text(), st.text()), max_size=3).map(
            tuple
        ),
    ),
    metrics=st.dictionaries(st.text(), json_values, max_size=2),
    policy=st.dictionaries(st.text(), json_values, max_size=2),
    subject=st.dictionaries(st.text(), json_values, max_size=2),
    verifier=st.none() | st.dictionaries(st.text(), json_values, max_size=2),
    metadata=st.dictionaries(st.text(), json_values, max_size=2),
)


@given(verdicts)
def test_any_verdict_survives_its_document(verdict: Verdict) -> None:
    assert parse_verdict(verdict.document()) == verdict
    assert parse_verdict(json.loads(json.dumps(verdict.document()))) == verdict


def test_an_artifact_s_repr_does_not_carry_its_value() -> None:
    item: Artifact = lf.artifact("lint.json", {"secret": "s3cr3t"})
    assert "s3cr3t" not in repr(item)
