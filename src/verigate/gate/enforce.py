"""The decision: facts in, verdict out. Precedence: error, then fail, then inconclusive, then pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.domain.artifact import Evidence
from verigate.domain.facts import Facts
from verigate.domain.rules import RULES, is_active
from verigate.domain.standard import BY_PATH, expected_paths
from verigate.domain.verdict import SOURCE, Check, CheckOutcome, Reason, Status, Units, UnitVerdict, Verdict
from verigate.gate import checks, metrics
from verigate.gate.answer import Answer, cite, combine, holds, not_applicable, unknown
from verigate.gate.applicability import touches
from verigate.gate.custom import custom_checks
from verigate.gate.rules import JUDGES
from verigate.gate.rules.code import failed_tests

_REPORTED = frozenset({"verigate:lint.v1"})
"""What a tool may report of files that are no code. Of tests, those that failed count in any case."""


def decide(facts: Facts) -> Verdict:
    """The verdict on these facts; the same facts give the same verdict, byte for byte, without ``metadata``.

    A verifier's answers are looked at where the other facts are inconclusive, and there alone.
    """
    verdict = _decided(facts, {})
    if facts.verification is None:
        return verdict
    from verigate.gate.verified import open_questions, settled  # only where one was asked

    questions = open_questions(facts, verdict)
    if not questions:
        return verdict
    again = _decided(facts, settled(facts, facts.verification, questions))
    by = SOURCE if again.status is not verdict.status else verdict.decided_by
    return replace(again, decided_by=by, verifier=facts.verification.document())


def _decided(facts: Facts, settled: Mapping[str, Answer]) -> Verdict:
    """The verdict with what a verifier's answers have ``settled``, by statement."""
    facts = _matched(facts)
    numbers = metrics.collect(facts)
    per_unit = [*checks.unit_checks(facts), *checks.statement_checks(facts, settled)]
    rules = [*_rule_checks(facts), *custom_checks(facts, numbers)]
    found = [
        *checks.capability_checks(facts),
        checks.judges_check(facts),
        *checks.unverified_checks(facts),
        *checks.claim_checks(facts),
        *rules,
        *(check for _, check in per_unit),
        *checks.only_check(facts),
    ]
    if not rules:
        found.append(_no_rules(facts))
    found += _vacuous(found)
    return Verdict(
        task_id=facts.task.id,
        type=facts.task.type,
        status=status_of(found),
        decided_by="facts",
        checks=tuple(found),
        reasons=tuple(_reasons(found)),
        units=_units(facts, [unit for unit, _ in per_unit]),
        metrics=numbers,
        policy={
            "profile": facts.profile.name,
            "digest": facts.profile.digest,
            "thresholds": dict(sorted(facts.profile.rules.items())),
            **_baseline(facts),
        },
        subject={"kind": facts.subject.kind.value, "base": facts.subject.base, "tree": facts.subject.tree},
    )


def _matched(facts: Facts) -> Facts:
    if facts.baseline is None:
        return facts
    from verigate.gate.baseline import matched  # only where there is one

    return matched(facts, facts.baseline)


def _baseline(facts: Facts) -> dict[str, Any]:
    if facts.baseline is None:
        return {}
    from verigate.gate.baseline import account  # only where there is one

    return {"baseline": account(facts)}


def status_of(found: Sequence[Check]) -> Status:
    """The status that a list of checks adds up to. An empty list is inconclusive."""
    counting = {check.outcome for check in found if check.holds_back}
    if CheckOutcome.ERROR in counting:
        return Status.ERROR
    if CheckOutcome.REFUTED in counting:
        return Status.FAIL
    if CheckOutcome.UNKNOWN in counting or CheckOutcome.HOLDS not in counting:
        return Status.INCONCLUSIVE
    return Status.PASS


def _no_rules(facts: Facts) -> Check:
    message = f"the profile {facts.profile.name} has no active rule; a claim alone sets no standard to be held to"
    return Check("gate.rules", CheckOutcome.UNKNOWN, "at least one active rule", 0, "CLAIM_UNSUPPORTED", message)


def _vacuous(found: Sequence[Check]) -> list[Check]:
    """A check that keeps an all-quiet list from passing: something must have been looked at, not only by a model."""
    looked = [
        check
        for check in found
        if check.outcome is CheckOutcome.HOLDS
        and check.evidence
        and check.source != SOURCE
        and not check.id.startswith("capability:")
    ]
    if looked or any(check.outcome in {CheckOutcome.ERROR, CheckOutcome.REFUTED} for check in found):
        return []
    message = "no rule and no unit was decided by a fact: nothing was verified"
    return [Check("gate.something_checked", CheckOutcome.UNKNOWN, "at least one", 0, "CLAIM_UNSUPPORTED", message)]


def _rule_checks(facts: Facts) -> Iterable[Check]:
    for key, threshold in sorted(facts.profile.rules.items()):
        if not is_active(key, threshold) or key == "rules":
            continue
        if key == "required_artifacts":
            yield from _required_artifacts(facts, threshold)
            continue
        domain = RULES[key].domain
        yield _answer(facts, key, domain, threshold).as_check(f"{domain}.{key}", threshold)


def _answer(facts: Facts, key: str, domain: str, threshold: Any) -> Answer:
    # The integrity of the tests is everybody's business: it applies to every diff that isn't empty.
    if key == "integrity" or touches(facts, domain):
        return JUDGES[key](facts, threshold)
    # No tests are asked of a text. But tests read texts too, and one that has failed is a fact.
    if key == "tests_pass" and (failed := failed_tests(facts)) is not None:
        return failed
    if beside := _of_tools(facts, key):
        return JUDGES[key](replace(facts, evidence=beside), threshold)
    return not_applicable(f"neither commitment, claim nor diff touch {domain}")


def _of_tools(facts: Facts, key: str) -> Evidence | None:
    """What planned tools report of the kind that a rule reads, at paths of their own; None where none does.

    Whoever plans a linter of texts wants it to count where nothing but a text has changed. The artifact at the standard
    path is about code, and says nothing of it.
    """
    found = {
        artifact.path: artifact
        for spec_id in RULES[key].reads
        if spec_id in _REPORTED
        for artifact in facts.evidence.by_spec(spec_id)
        if artifact.path not in BY_PATH
    }
    return Evidence(found) if found else None


def _required_artifacts(facts: Facts, wanted: Sequence[str]) -> Iterable[Check]:
    for name in wanted:
        yield _required(facts, name).as_check(f"any.required_artifacts:{name}", name)


def _required(facts: Facts, name: str) -> Answer:
    if name in BY_PATH or ":" not in name:
        return _present(facts, name)
    run = facts.run(name)
    if run is None or run.failure is not None or not run.artifacts:
        return unknown("ARTIFACT_MISSING", f"{name} left no artifact")
    expected = expected_paths(name) or tuple(item.path for item in run.artifacts)
    return combine([_present(facts, path) for path in expected])


def _present(facts: Facts, path: str) -> Answer:
    artifact = facts.evidence.artifacts.get(path)
    if artifact is None:
        return unknown("ARTIFACT_MISSING", f"{path} was not written")
    return holds(artifact.size, cite(artifact))


def _reasons(found: Sequence[Check]) -> Iterable[Reason]:
    order = (CheckOutcome.ERROR, CheckOutcome.REFUTED, CheckOutcome.UNKNOWN)
    for outcome in order:
        for check in found:
            if check.outcome is outcome and check.holds_back:
                yield Reason(check.reason or "CLAIM_UNSUPPORTED", check.message, check.id)


def _units(facts: Facts, per_unit: Sequence[UnitVerdict]) -> Units:
    claim = facts.task.claim
    expected = facts.task.commitment.expected_total
    if expected is None and claim is not None:
        expected = len(claim.unit_ids) if claim.unit_ids is not None else claim.units_total
    return Units(expected, tuple(per_unit))
