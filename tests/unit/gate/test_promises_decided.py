"""The table of promises, row by row and bullet by bullet, on literal facts."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.subject import SubjectKind
from verigate.domain.verdict import CheckOutcome, Status
from verigate.gate.decision import decide_verdict

RULES = {"tests_pass": True, "lint_errors_max": 0}
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json", "functions.json")}
LYING = {**CODE, "tests.json": lf.BAD["tests.json"]}
CLAIM = lf.claim_document("file:a.py", "func:foo")


def codes(verdict: Any) -> set[str]:
    return {reason.code for reason in verdict.reasons}


# Row by row


def test_pass_when_every_rule_holds_and_every_unit_is_supported() -> None:
    verdict = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM))
    assert verdict.status is Status.PASS
    assert verdict.status.exit_code == 0
    assert verdict.reasons == ()
    assert verdict.decided_by == "facts"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (lf.facts(RULES, LYING, claim=CLAIM), "TEST_FAIL"),
        (lf.facts(RULES, CODE, claim=lf.claim_document("func:bar")), "FUNCTION_MISMATCH"),
        (lf.facts(RULES, CODE, claim_faults=["coverage is a measured fact"]), "CLAIM_INVALID"),
        (lf.facts(RULES, CODE, claim_faults=["it is the claim of the task T2"]), "CLAIM_INVALID"),
        (lf.facts(RULES, CODE, claim=CLAIM, changed_policy_files=["config/adapter-plan.json"]), "INTEGRITY_FAIL"),
    ],
    ids=["rule", "unit", "invalid claim", "another task's claim", "judges"],
)
def test_fail_when_a_fact_refutes(facts: Any, reason: str) -> None:
    verdict = decide_verdict(facts)
    assert verdict.status is Status.FAIL
    assert verdict.status.exit_code == 1
    assert codes(verdict) == {reason}


@pytest.mark.parametrize(
    "reason",
    [
        "MISSING_ADAPTER",
        "ADAPTER_CRASH",
        "ADAPTER_TIMEOUT",
        "ARTIFACT_MISSING",
        "ARTIFACT_INVALID",
        "ARTIFACT_CONFLICT",
    ],
)
def test_error_when_a_required_capability_left_no_facts(reason: str) -> None:
    verdict = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM, failures={"code:build": (reason, True)}))
    assert verdict.status is Status.ERROR
    assert verdict.status.exit_code == 3
    assert codes(verdict) == {reason}


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (lf.facts({**RULES, "coverage_min": 0.8}, CODE, claim=CLAIM), "ARTIFACT_MISSING"),
        (lf.facts(RULES, CODE, claim=lf.claim_document("url:https://a.example/")), "CLAIM_UNSUPPORTED"),
        (lf.facts(RULES, CODE, claim=lf.claim_document(statements=["it is fast"])), "CLAIM_UNSUPPORTED"),
        (lf.facts(RULES, CODE), "MISSING_CLAIM"),
        (lf.facts(RULES, CODE, claim=CLAIM, only=["code:lint"]), "CLAIM_UNSUPPORTED"),
    ],
    ids=["rule", "unit", "statement", "no claim", "only"],
)
def test_inconclusive_when_no_fact_decides(facts: Any, reason: str) -> None:
    verdict = decide_verdict(facts)
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.status.exit_code == 4
    assert codes(verdict) == {reason}


# Precedence: error, then fail, then inconclusive, then pass; what is refuted is listed under any status


def test_precedence_and_what_is_refuted_is_listed_under_any_status() -> None:
    rules = {**RULES, "coverage_min": 0.8}
    everything = lf.facts(rules, LYING, failures={"code:build": ("ADAPTER_CRASH", True)})
    verdict = decide_verdict(everything)
    assert verdict.status is Status.ERROR
    assert [reason.code for reason in verdict.reasons] == [
        "ADAPTER_CRASH",
        "TEST_FAIL",
        "MISSING_CLAIM",
        "ARTIFACT_MISSING",
    ]
    assert decide_verdict(lf.facts(rules, LYING)).status is Status.FAIL
    assert decide_verdict(lf.facts(rules, CODE)).status is Status.INCONCLUSIVE
    assert decide_verdict(lf.facts(RULES, CODE, claim=CLAIM)).status is Status.PASS


# An optional capability that fails publishes nothing, and nothing else changes


@pytest.mark.parametrize(
    "reason",
    [
        "MISSING_ADAPTER",
        "ADAPTER_CRASH",
        "ADAPTER_TIMEOUT",
        "ARTIFACT_MISSING",
        "ARTIFACT_INVALID",
        "ARTIFACT_CONFLICT",
    ],
)
def test_an_optional_capability_that_fails_changes_nothing_that_does_not_read_it(reason: str) -> None:
    failed = {"code:coverage": (reason, False)}
    untouched = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM, failures=failed))
    assert untouched.status is Status.PASS
    check = untouched.check("capability:code:coverage")
    assert check is not None
    assert (check.outcome, check.reason, check.holds_back) == (CheckOutcome.UNKNOWN, reason, False)
    reading = decide_verdict(lf.facts({**RULES, "coverage_min": 0.8}, CODE, claim=CLAIM, failures=failed))
    assert reading.status is Status.INCONCLUSIVE
    assert codes(reading) == {"ARTIFACT_MISSING"}


# not_applicable only where neither commitment, claim nor diff touch the domain


@pytest.mark.parametrize(
    ("rules", "claim", "commitment", "changed", "order", "applies"),
    [
        ({"tests_pass": True}, (), {}, ("a.py",), (), True),
        ({"tests_pass": True}, (), {}, ("a.md",), (), False),
        ({"tests_pass": True}, ("func:foo",), {}, ("a.md",), (), True),
        ({"tests_pass": True}, ("file:b.py",), {}, ("a.md",), (), True),
        ({"tests_pass": True}, (), {"requirements": {"functions": ["foo"]}}, ("a.md",), (), True),
        ({"tests_pass": True}, (), {}, ("a.md",), ("code:diff",), True),
        ({"tests_pass": True}, (), {"type": "unknown"}, ("a.md",), ("code:diff",), False),
        ({"tests_pass": True}, (), {"type": "unknown"}, ("a.md", "a.py"), ("code:diff",), True),
        ({"tests_pass": True}, ("file:b.py",), {"type": "unknown"}, ("a.md",), ("code:diff",), True),
        ({"tests_pass": True}, (), {}, ("requirements.txt",), (), True),
        ({"tests_pass": True}, (), {}, ("a.html",), (), True),
        ({"word_min": 1}, (), {}, ("a.html",), (), True),
        ({"failures_max": 0}, (), {}, ("a.py",), (), False),
        ({"failures_max": 0}, (), {}, ("a.md",), (), True),
        ({"failures_max": 0}, ("url:https://a.example/",), {}, ("a.py",), (), True),
        ({"word_min": 1}, (), {}, ("a.py",), (), False),
        ({"word_min": 1}, (), {}, ("one.png",), (), True),
        ({"word_min": 1}, ("heading:Title",), {}, ("a.py",), (), True),
        ({"schema_valid": True}, (), {}, ("a.py",), (), False),
        ({"schema_valid": True}, ("/users",), {}, ("a.py",), (), True),
        ({"schema_valid": True}, (), {"commitments": {"scope": {"target_url": "http://x"}}}, ("a.py",), (), True),
        ({"integrity": True}, (), {}, ("a.md",), (), True),
        ({"integrity": True}, (), {}, (), (), False),
    ],
)
def test_a_rule_applies_where_its_domain_is_touched(  # noqa: PLR0917
    rules: dict[str, Any],
    claim: tuple[str, ...],
    commitment: dict[str, Any],
    changed: tuple[str, ...],
    order: tuple[str, ...],
    applies: bool,
) -> None:
    facts = lf.facts(
        rules,
        {},
        claim=lf.claim_document(*claim),
        commitment={"task_id": "T1", "type": "code", **commitment},
        changed=changed,
        order=order,
    )
    verdict = decide_verdict(facts)
    check = next(check for check in verdict.checks if check.id.split(".")[-1] in rules)
    assert check.outcome is (CheckOutcome.UNKNOWN if applies else CheckOutcome.NOT_APPLICABLE)
    assert verdict.status is Status.INCONCLUSIVE, "where nothing was looked at there is no pass"


def test_a_test_that_failed_counts_whatever_was_touched() -> None:
    """Texts are read by tests too. No test at all is asked of a text."""
    rules = {"tests_pass": True, "tests_min": 1, "required_artifacts": ["tests.json"]}
    text = {"implicit": True, "changed": ["a.md"]}
    none = {**lf.GOOD["tests.json"], "passed": 0, "failed": 0, "skipped": 1, "total": 1}
    for value in (lf.GOOD["tests.json"], none):
        assert decide_verdict(lf.facts(rules, {"tests.json": value}, **text)).status is Status.PASS
    two = [
        lf.artifact("my/tests.json", none, producer="my:tests", media_spec="verigate:tests.v1"),
        lf.artifact("tests.json", lf.BAD["tests.json"]),
    ]
    failed = decide_verdict(lf.facts(rules, two, **text))
    assert (failed.status, codes(failed)) == (Status.FAIL, {"TEST_FAIL"})
    unasked = decide_verdict(lf.facts({"required_artifacts": ["tests.json"]}, two, **text))
    assert unasked.status is Status.PASS


def test_an_implicit_task_is_judged_by_its_rules_alone() -> None:
    implicit = {"implicit": True, "commitment": {"task_id": "implicit", "type": "code"}}
    assert decide_verdict(lf.facts(RULES, CODE, **implicit)).status is Status.PASS
    assert decide_verdict(lf.facts(RULES, LYING, **implicit)).status is Status.FAIL
    verdict = decide_verdict(lf.facts({**RULES, "reject_unclaimed_changes": True}, CODE, **implicit))
    check = verdict.check("code.reject_unclaimed_changes")
    assert check is not None
    assert check.outcome is CheckOutcome.NOT_APPLICABLE
    assert verdict.units.expected is None


@pytest.mark.parametrize(
    "facts",
    [
        lf.facts({}, {}, claim=lf.claim_document()),
        lf.facts({}, CODE, claim=CLAIM),
        lf.facts({"sandbox": "off"}, CODE, claim=CLAIM),
        lf.facts({"rules": []}, CODE, claim=CLAIM),
        lf.facts({"required_artifacts": []}, CODE, claim=CLAIM),
        lf.facts({"failures_max": 0}, CODE, claim=lf.claim_document(), changed=["a.py"]),
        lf.facts(RULES, {}, claim=lf.claim_document(), implicit=True, changed=["a.md"]),
    ],
    ids=["nothing", "no rules", "settings only", "no custom rules", "nothing required", "untouched", "prose only"],
)
def test_an_empty_plan_or_rule_set_is_never_a_pass(facts: Any) -> None:
    assert decide_verdict(facts).status is Status.INCONCLUSIVE


# The judges' own files


def test_a_change_of_the_judges_is_refused_unless_the_base_allows_it() -> None:
    changed = {"changed_policy_files": ["adapters/x/manifest.json"]}
    refused = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM, **changed))
    assert codes(refused) == {"INTEGRITY_FAIL"}
    allowed = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM, policy_change_allowed=True, **changed))
    assert allowed.status is Status.PASS
    check = allowed.check("gate.judges")
    assert check is not None
    assert "adapters/x/manifest.json" in check.message
    # What the subject's own profile says about it counts for nothing.
    own = decide_verdict(lf.facts({**RULES, "allow_policy_change": True}, CODE, claim=CLAIM, **changed))
    assert own.status is Status.FAIL


def test_a_plain_folder_has_no_judges_to_compare_with() -> None:
    verdict = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM, kind=SubjectKind.FOLDER))
    check = verdict.check("gate.judges")
    assert check is not None
    assert check.outcome is CheckOutcome.NOT_APPLICABLE


# The verdict itself


def test_a_verdict_cites_what_it_stands_on_and_keeps_volatile_values_out() -> None:
    verdict = decide_verdict(lf.facts(RULES, CODE, claim=CLAIM))
    document = verdict.document()
    assert "duration" not in document["metrics"]["tests"]
    assert document["metrics"]["tests"]["passed"] == 5
    check = verdict.check("code.tests_pass")
    assert check is not None
    assert [(ref.artifact, ref.pointer, ref.value) for ref in check.evidence] == [
        ("tests.json", "/failed", 0),
        ("tests.json", "/passed", 5),
    ]
    assert document["policy"] == {"profile": "p", "digest": "d" * 64, "thresholds": dict(sorted(RULES.items()))}
    assert document["subject"] == {"kind": "worktree", "base": "b" * 40, "tree": "t" * 40}
