"""The checks of every task apart from its rules: capabilities, policy files, claim, units, statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.task import Unit, UnitKind
from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.domain.verdict import SOURCE, Check, CheckOutcome, EvidenceRef, UnitOutcome, UnitVerdict
from verigate.gate.rule_outcome import RuleOutcome, holds, not_applicable, refuted, unknown
from verigate.gate.units import count_known_units, judge_unit

SKIPPED = "skipped: the change is of documents only; CI and `gate verify` without --touched run it"

_UNIT_OUTCOMES = {
    CheckOutcome.HOLDS: UnitOutcome.SUPPORTED,
    CheckOutcome.REFUTED: UnitOutcome.REFUTED,
}


def check_capabilities(facts: Facts) -> Iterable[Check]:
    """Check that each planned capability wrote valid evidence."""
    for run in facts.runs:
        check_id = f"capability:{run.capability}"
        expected = "facts written"
        if run.failure is None:
            refs = tuple(EvidenceRef(item.path, "", None, item.digest) for item in run.artifacts)
            yield Check(check_id, CheckOutcome.HOLDS, expected, len(run.artifacts), evidence=refs)
        elif run.required:
            yield Check(check_id, CheckOutcome.ERROR, expected, None, run.failure.reason, run.failure.message)
        else:
            message = f"{run.failure.message} (optional)"
            yield Check(check_id, CheckOutcome.UNKNOWN, expected, None, run.failure.reason, message, holds_back=False)


def list_skipped(facts: Facts) -> Iterable[Check]:
    """Report what didn't run because the change doesn't concern it. Only a hook asks for that."""
    for name in facts.plan.skipped:
        yield not_applicable(SKIPPED).as_check(f"capability:{name}", "facts written")


def check_policy_files(facts: Facts) -> Check:
    """Check that the change leaves plan, profiles, adapters and hooks alone. No profile can disable this check."""
    expected = "the gate's own files are as in the base"
    if facts.subject.base is None:
        return not_applicable("a plain folder has no base").as_check("gate.judges", expected)
    changed = list(facts.changed_policy_files)
    if not changed:
        return Check("gate.judges", CheckOutcome.HOLDS, expected, 0)
    if facts.policy_change_allowed:
        message = f"changed, as {_name_trusted(facts)} profile allows: {', '.join(changed[:5])}"
        return Check("gate.judges", CheckOutcome.HOLDS, expected, len(changed), message=message)
    if facts.approvals is not None:
        from verigate.gate.approvals import check_approved_policy, split_policy_files  # few changes touch policy

        approved, changed = split_policy_files(facts)
        if not changed:
            return check_approved_policy(expected, approved)
    return Check(
        "gate.judges",
        CheckOutcome.REFUTED,
        expected,
        len(changed),
        "INTEGRITY_FAIL",
        "; ".join((_explain_policy_change(facts, changed), *_explain_unapproved(facts))),
    )


def _explain_unapproved(facts: Facts) -> Iterable[str]:
    if facts.approvals is None or not facts.approvals.faults:
        return ()
    from verigate.gate.approvals import explain_faults  # loaded by now

    return explain_faults(facts)


def _explain_policy_change(facts: Facts, changed: Sequence[str]) -> str:
    """Say which files were changed, and how a change of policy lands: approved by a person who has reviewed it."""
    shown = ", ".join(changed[:5])
    if changed[0].startswith(f"{ARTIFACTS_FOLDER}/"):
        return (
            f"{changed[0]} differs from the version that `gate start` fixed, that was committed or is about to land: "
            "restore it, or start another task"
        )
    return (
        f"the change touches policy files: {shown}; a person who has reviewed these files approves them with "
        f"`gate approve {facts.task.id} --reason …`, or without approvals commits and pushes them past the hooks with "
        f"`git commit --no-verify` and `git push --no-verify`; or {_name_trusted(facts)} profile allows it with "
        "allow_policy_change"
    )


def _name_trusted(facts: Facts) -> str:
    """Name whose profile can allow a change of policy."""
    return "the base's" if facts.policy_source is None else f"{facts.policy_source.name}'s"


def check_unverified_marks(facts: Facts) -> Iterable[Check]:
    """Check that the change carries no mark of unverified work. No profile can disable this check."""
    marks = facts.subject.unverified
    if marks:
        message = (
            f"marked as allowed without verification: {', '.join(marks[:5])}; fix what the mark lists as refuted, and "
            "remove the mark in the same commit"
        )
        yield Check("gate.unverified", CheckOutcome.REFUTED, "no mark", len(marks), "INTEGRITY_FAIL", message)


def check_submodules(facts: Facts) -> Iterable[Check]:
    """Check that the new commits of submodules are here: without their files, programs do other things."""
    lacking = [each.path for each in facts.subject.submodules if each.lacking]
    if lacking:
        message = (
            f"the change moves submodules whose new commits aren't here, so everything ran without their files: "
            f"{', '.join(lacking[:5])}; fetch them with `git submodule update --init --recursive`"
        )
        expected = "the new commits of submodules are here"
        yield Check("gate.submodules", CheckOutcome.UNKNOWN, expected, len(lacking), "SUBMODULE_MISSING", message)


def check_claim(facts: Facts) -> Iterable[Check]:
    """Check that there is a claim, that it is valid, and that it covers the commitment."""
    task = facts.task
    if task.implicit:
        return
    if task.claim_faults:
        message = "; ".join(str(fault) for fault in task.claim_faults[:5])
        yield Check("claim.valid", CheckOutcome.REFUTED, "a valid claim", "invalid", "CLAIM_INVALID", message)
    elif task.claim is None:
        message = f"there is no claim; write one with `gate claim {task.id}`"
        yield Check("claim.present", CheckOutcome.UNKNOWN, "a claim", None, "MISSING_CLAIM", message)
    else:
        yield from _check_totals(facts)


def _check_totals(facts: Facts) -> Iterable[Check]:
    claim = facts.task.claim
    if claim is None:
        return
    expected = facts.task.commitment.expected_total
    listed = len(claim.unit_ids) if claim.unit_ids is not None else None
    claimed = listed if listed is not None else claim.units_total
    if expected is not None:
        outcome = CheckOutcome.HOLDS if (claimed or 0) >= expected else CheckOutcome.REFUTED
        message = "" if outcome is CheckOutcome.HOLDS else f"{claimed or 0} units claimed of {expected} committed to"
        reason = None if outcome is CheckOutcome.HOLDS else "MISSING_UNIT"
        yield Check("units.expected_total", outcome, expected, claimed or 0, reason, message)
    if listed is None and claim.units_total is not None:
        yield _compare_total(facts, claim.units_total).as_check("units.total", claim.units_total)


def _compare_total(facts: Facts, total: int) -> RuleOutcome:
    found = count_known_units(facts)
    if not found:
        return unknown("CLAIM_UNSUPPORTED", f"{total} units claimed without a list, and no fact counts them")
    for number, ref in found:
        if number != total:
            return refuted("MISSING_UNIT", f"{total} units claimed, {number} found", number, ref)
    return holds(total, *(ref for _, ref in found))


def check_units(facts: Facts) -> Iterable[tuple[UnitVerdict, Check]]:
    """Check each claimed unit: ``unit:<id>``, with its entry in the verdict's list of units.

    Units that name a statement of the claim are skipped: ``check_statements`` checks those.
    """
    claim = facts.task.claim
    statements = {statement.id for statement in claim.statements} if claim else set()
    for unit in facts.units or ():
        if unit.id not in statements:
            yield _build_unit_check(judge_unit(facts, unit), unit, holds_back=True)


def check_statements(facts: Facts, settled: Mapping[str, RuleOutcome]) -> Iterable[tuple[UnitVerdict, Check]]:
    """Check each statement of the claim; with ``statements: report`` undecided ones don't hold the verdict back.

    ``settled`` maps statement ids to the outcomes of a verifier's answers.
    """
    claim = facts.task.claim
    if claim is None or not claim.statements:
        return
    from verigate.gate.statements import judge_statements  # imported late: most claims only name units

    required = facts.profile.rules.get("statements", "require") != "report"
    for statement, judged in zip(claim.statements, judge_statements(facts, claim.statements), strict=True):
        unit = Unit(UnitKind.STATEMENT, statement.id.removeprefix("statement:"))
        decided = judged.answer.outcome is not CheckOutcome.UNKNOWN
        answered = None if decided else settled.get(statement.id)
        if answered is None:
            yield _build_unit_check(judged.answer, unit, holds_back=required, expected=judged.expected)
            continue
        # The facts that support a part of the statement are cited with those that the model found for the rest.
        answered = replace(answered, evidence=(*judged.answer.evidence, *answered.evidence))
        source = "facts" if answered.outcome is CheckOutcome.UNKNOWN else SOURCE
        yield _build_unit_check(answered, unit, holds_back=required, source=source, expected=judged.expected)


def _build_unit_check(
    answer: RuleOutcome, unit: Unit, *, holds_back: bool, source: str = "facts", expected: str = "supported by a fact"
) -> tuple[UnitVerdict, Check]:
    check_id = f"unit:{unit.id}"
    check = Check(
        check_id,
        answer.outcome,
        expected,
        answer.actual,
        answer.reason,
        answer.message,
        answer.evidence,
        holds_back=holds_back or answer.outcome is CheckOutcome.REFUTED,
        source=source,
    )
    outcome = _UNIT_OUTCOMES.get(answer.outcome, UnitOutcome.UNDECIDED)
    return UnitVerdict(unit.id, outcome, check_id, answer.message), check


def check_partial_run(facts: Facts) -> Iterable[Check]:
    """Report that only some capabilities ran: such a run never decides."""
    if facts.only:
        message = f"only {', '.join(sorted(facts.only))} ran"
        yield Check(
            "gate.only", CheckOutcome.UNKNOWN, "every planned capability", len(facts.only), "CLAIM_UNSUPPORTED", message
        )
