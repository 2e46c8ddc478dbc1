"""Decide a verdict from facts. Precedence: error, then fail, then inconclusive, then pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.domain.artifact import Evidence
from verigate.domain.evidence_weakenings import has_weakenings
from verigate.domain.facts import Facts
from verigate.domain.known_failures import TESTS
from verigate.domain.rules import RULES, is_active
from verigate.domain.standard_artifacts import BY_PATH, BY_SPEC, list_expected_paths
from verigate.domain.verdict import SOURCE, Check, CheckOutcome, Reason, Status, Units, UnitVerdict, Verdict
from verigate.gate import checks, metrics
from verigate.gate.applicability import touches_domain
from verigate.gate.custom_rules import check_custom_rules
from verigate.gate.rule_outcome import RuleOutcome, cite, combine, holds, not_applicable, unknown
from verigate.gate.rules import JUDGES
from verigate.gate.rules.tests import is_left_out, judge_failed_tests
from verigate.gate.work import check_work

_LINT = "verigate:lint.v1"
_TOOL_REPORTED = frozenset({_LINT})
"""Artifacts of planned tools that count even if the diff touches no code. (Failed tests always count.)"""


def decide_verdict(facts: Facts) -> Verdict:
    """Decide the verdict. The same facts give the same verdict, byte for byte, apart from ``metadata``.

    A verifier's answers are used only if the other facts are inconclusive.
    """
    verdict = _decide_with(facts, {})
    if facts.verification is None:
        return verdict
    from verigate.gate.verifier_answers import (
        select_open_questions,
        settle_statements,
    )  # imported late: only needed with a verifier

    questions = select_open_questions(facts, verdict)
    if not questions:
        return verdict
    again = _decide_with(facts, settle_statements(facts, facts.verification, questions))
    by = SOURCE if again.status is not verdict.status else verdict.decided_by
    return replace(again, decided_by=by, verifier=facts.verification.document())


def _decide_with(facts: Facts, settled: Mapping[str, RuleOutcome]) -> Verdict:
    """Decide the verdict; ``settled`` maps statement ids to the outcomes of a verifier's answers."""
    facts = _judge_weakenings(_match_baseline(facts))
    numbers = metrics.collect_metrics(facts)
    per_unit = [*checks.check_units(facts), *checks.check_statements(facts, settled)]
    rules = [*_check_rules(facts), *check_custom_rules(facts, numbers)]
    found = [
        *checks.check_capabilities(facts),
        *checks.list_skipped(facts),
        checks.check_policy_files(facts),
        *checks.check_unverified_marks(facts),
        *checks.check_submodules(facts),
        *checks.check_claim(facts),
        *check_work(facts),
        *rules,
        *_check_weakenings(facts),
        *(check for _, check in per_unit),
        *_check_messages(facts),
        *checks.check_partial_run(facts),
    ]
    if not rules:
        found.append(_flag_missing_rules(facts))
    found += _flag_vacuous_checks(found)
    return Verdict(
        task_id=facts.task.id,
        type=facts.task.type,
        status=resolve_status(found),
        decided_by="facts",
        checks=tuple(found),
        reasons=tuple(_collect_reasons(found)),
        units=_collect_units(facts, [unit for unit, _ in per_unit]),
        metrics=numbers,
        policy={
            "profile": facts.profile.name,
            "digest": facts.profile.digest,
            "thresholds": dict(sorted(facts.profile.rules.items())),
            **_describe_baseline(facts),
            **_describe_grants(facts),
            **_describe_deselected(facts),
            **_describe_unchecked(facts),
            **({"ref": facts.policy_source.document()} if facts.policy_source is not None else {}),
            **({"tried": facts.tried_policy.document()} if facts.tried_policy is not None else {}),
        },
        subject=facts.subject.document(),
        weakenings=facts.weakenings.document() if facts.weakenings is not None else None,
        approvals=_describe_approvals(facts),
    )


def _judge_weakenings(facts: Facts) -> Facts:
    """Judge what the change weakens, where the profile asks for it and the evidence has something to judge."""
    if not facts.profile.rules.get("integrity") or not facts.subject.changes or not has_weakenings(facts.evidence):
        return facts
    from verigate.gate.weakenings import judge_weakenings  # imported late: few changes weaken anything

    return replace(facts, weakenings=judge_weakenings(facts))


def _describe_approvals(facts: Facts) -> dict[str, Any] | None:
    if facts.approvals is None:
        return None
    from verigate.gate.approvals import describe_approvals  # imported late: few changes touch policy

    return describe_approvals(facts)


def _check_messages(facts: Facts) -> Iterable[Check]:
    if not facts.messages:
        return ()
    from verigate.gate.messages import check_messages  # imported late: only where there is no task

    return check_messages(facts)


def _check_weakenings(facts: Facts) -> Iterable[Check]:
    if facts.weakenings is None:
        return ()
    from verigate.gate.weakenings import check_weakenings  # loaded by now

    return check_weakenings(facts.weakenings)


def _match_baseline(facts: Facts) -> Facts:
    if facts.baseline is None:
        return facts
    from verigate.gate.baseline import match_baseline  # imported late: only needed with a baseline

    return match_baseline(facts, facts.baseline)


def _describe_baseline(facts: Facts) -> dict[str, Any]:
    if facts.baseline is None:
        return {}
    from verigate.gate.baseline import summarise_baseline  # imported late: only needed with a baseline

    summary = summarise_baseline(facts) or {}
    if facts.baseline.tests:
        from verigate.gate.known_failures import summarise_known_failures  # imported late, as above

        summary["tests"] = summarise_known_failures(facts, facts.baseline)
    return {"baseline": summary}


def _describe_deselected(facts: Facts) -> dict[str, Any]:
    """Describe the tests that configuration leaves out of the failures; empty if there are none."""
    entries = [entry for found in facts.evidence.by_spec(TESTS) for entry in found.value.get("deselected") or ()]
    if not entries:
        return {}
    return {
        "deselected": {
            "failing": sum(is_left_out(entry) for entry in entries),
            "expired": sum(bool(entry.get("expired")) for entry in entries),
            "absent": sum(entry.get("outcome") == "absent" for entry in entries),
            "passing": sum(entry.get("outcome") == "passed" for entry in entries),
            "tests": [{"test": entry["test"], "reason": entry["reason"]} for entry in entries if is_left_out(entry)],
        }
    }


def _describe_unchecked(facts: Facts) -> dict[str, Any]:
    """Describe what the plan and the configuration of an adapter leave out, each with its reason; empty if nothing.

    A capability for which a rule asks all the same runs.
    """
    left = {name: why for name, why in facts.plan.entry.unchecked.items() if facts.run(name) is None}
    for found in (*facts.evidence.by_spec(_LINT), *facts.evidence.by_spec(TESTS)):
        left |= {f"{item['what']} in {item['path']}": item["why"] for item in found.value.get("excluded") or ()}
    return {"unchecked": left} if left else {}


def _describe_grants(facts: Facts) -> dict[str, Any]:
    """Describe what the repository's configuration opened in the sandboxes of this run; empty if nothing."""
    granted = [
        {"adapter": run.adapter, **grant.document()}
        for run in facts.runs
        if run.sandbox is not None
        for grant in run.sandbox.granted
        if grant.opens
    ]
    once = [item for number, item in enumerate(granted) if item not in granted[:number]]
    return {"sandbox": {"granted": once}} if once else {}


def resolve_status(found: Sequence[Check]) -> Status:
    """Reduce checks to a status, by precedence. An empty list is inconclusive."""
    counting = {check.outcome for check in found if check.holds_back}
    if CheckOutcome.ERROR in counting:
        return Status.ERROR
    if CheckOutcome.REFUTED in counting:
        return Status.FAIL
    if CheckOutcome.UNKNOWN in counting or CheckOutcome.HOLDS not in counting:
        return Status.INCONCLUSIVE
    return Status.PASS


def _flag_missing_rules(facts: Facts) -> Check:
    message = f"the profile {facts.profile.name} has no active rule, and a claim alone sets no standard"
    return Check("gate.rules", CheckOutcome.UNKNOWN, "at least one active rule", 0, "CLAIM_UNSUPPORTED", message)


def _flag_vacuous_checks(found: Sequence[Check]) -> list[Check]:
    """Prevent a vacuous pass: at least one check must hold on evidence that doesn't come from a model."""
    looked = [
        check
        for check in found
        if check.outcome is CheckOutcome.HOLDS
        and check.evidence
        and check.source != SOURCE
        and not check.id.startswith("capability:")
        and check.accounted is None
    ]
    if looked or any(check.outcome in {CheckOutcome.ERROR, CheckOutcome.REFUTED} for check in found):
        return []
    message = "no rule and no unit was decided by a fact: nothing was verified"
    return [Check("gate.something_checked", CheckOutcome.UNKNOWN, "at least one", 0, "CLAIM_UNSUPPORTED", message)]


def _check_rules(facts: Facts) -> Iterable[Check]:
    for key, threshold in sorted(facts.profile.rules.items()):
        if not is_active(key, threshold) or key == "rules":
            continue
        if key == "required_artifacts":
            yield from _check_required_artifacts(facts, threshold)
            continue
        domain = RULES[key].domain
        yield _judge_rule(facts, key, domain, threshold).as_check(f"{domain}.{key}", threshold)


def _judge_rule(facts: Facts, key: str, domain: str, threshold: Any) -> RuleOutcome:
    # Test integrity applies to every diff that isn't empty, whatever its domain.
    if any(BY_SPEC[spec_id].capability in facts.plan.skipped for spec_id in RULES[key].reads):
        return not_applicable(checks.SKIPPED)
    if key == "integrity" or touches_domain(facts, domain):
        return JUDGES[key](facts, threshold)
    # A text needs no tests. But tests may read texts, and a failed test is a fact.
    if key == "tests_pass" and (failed := judge_failed_tests(facts)) is not None:
        return failed
    if by_tools := _select_tool_evidence(facts, key):
        return JUDGES[key](replace(facts, evidence=by_tools), threshold)
    return not_applicable(f"neither commitment, claim nor diff touches {domain}")


def _select_tool_evidence(facts: Facts, key: str) -> Evidence | None:
    """Select the artifacts that planned tools wrote at their own paths and that the rule reads; None without any.

    A planned linter for texts must count if only texts changed. The artifact at the standard path is about code.
    """
    found = {
        artifact.path: artifact
        for spec_id in RULES[key].reads
        if spec_id in _TOOL_REPORTED
        for artifact in facts.evidence.by_spec(spec_id)
        if artifact.path not in BY_PATH
    }
    return Evidence(found) if found else None


def _check_required_artifacts(facts: Facts, wanted: Sequence[str]) -> Iterable[Check]:
    for name in wanted:
        yield _judge_required(facts, name).as_check(f"any.required_artifacts:{name}", name)


def _judge_required(facts: Facts, name: str) -> RuleOutcome:
    if name in BY_PATH or ":" not in name:
        return _judge_presence(facts, name)
    run = facts.run(name)
    if run is None or run.failure is not None or not run.artifacts:
        return unknown("ARTIFACT_MISSING", f"{name} left no artifact")
    expected = list_expected_paths(name) or tuple(item.path for item in run.artifacts)
    return combine([_judge_presence(facts, path) for path in expected])


def _judge_presence(facts: Facts, path: str) -> RuleOutcome:
    artifact = facts.evidence.artifacts.get(path)
    if artifact is None:
        return unknown("ARTIFACT_MISSING", f"{path} was not written")
    return holds(artifact.size, cite(artifact))


def _collect_reasons(found: Sequence[Check]) -> Iterable[Reason]:
    order = (CheckOutcome.ERROR, CheckOutcome.REFUTED, CheckOutcome.UNKNOWN)
    for outcome in order:
        for check in found:
            if check.outcome is outcome and check.holds_back:
                yield Reason(check.reason or "CLAIM_UNSUPPORTED", check.message, check.id)


def _collect_units(facts: Facts, per_unit: Sequence[UnitVerdict]) -> Units:
    claim = facts.task.claim
    expected = facts.task.commitment.expected_total
    if expected is None and claim is not None:
        expected = len(claim.unit_ids) if claim.unit_ids is not None else claim.units_total
    return Units(expected, tuple(per_unit))
