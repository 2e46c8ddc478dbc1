"""The rule ``integrity``: nothing tampers with the checks, and what weakens them is accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.evidence_weakenings import INTEGRITY, NOT_RUN, reads_source
from verigate.domain.facts import Facts
from verigate.domain.judged_weakenings import JudgedWeakenings
from verigate.domain.verdict import EvidenceRef
from verigate.domain.weakening import FOLLOWED, Policy, Stage
from verigate.formats import pointer
from verigate.gate.approvals import explain_faults
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds, not_applicable, refuted
from verigate.gate.rules.rule import flag_rule, missing_artifact


@flag_rule
def judge_integrity(facts: Facts) -> RuleOutcome:
    """Judge the findings of every comparison of texts, and the classes of tests that were run."""
    if not facts.subject.changes:
        return not_applicable("the diff is empty")
    artifacts = facts.evidence.by_spec(INTEGRITY)
    if not artifacts:
        return missing_artifact(INTEGRITY)
    judged = facts.weakenings or JudgedWeakenings(Stage.COMMIT)
    bad = [*judged.tampering, *(ref for item in judged.unaccounted for ref in item.evidence)]
    if bad:
        number = len(judged.tampering) + len(judged.unaccounted)
        parts = [f"{_count(judged, number)}, first: {_describe(facts, _choose_first(facts, bad))}"]
        parts += _advise(judged)
        parts += explain_faults(facts) if judged.unaccounted else ()
        return refuted("INTEGRITY_FAIL", "; ".join(parts), len(bad), *bad[:SHOWN])
    unseen = [artifact for artifact in artifacts if artifact.value["files_examined"] == 0]
    if unseen:
        return refuted("INTEGRITY_FAIL", "no changed file was examined", 0, cite(unseen[0], "files_examined"))
    refs = [ref for each in artifacts for ref in (cite(each, "files_examined"), cite(each, "findings"))]
    number = len(judged.items)
    return holds(0, *refs, message=f"weakenings that are accounted for: {number}" if number else "")


def _count(judged: JudgedWeakenings, number: int) -> str:
    """Count what isn't accounted for. A test that follows the behaviour may check as much as before."""
    if _only_follows(judged):
        return f"{'1 test was' if number == 1 else f'{number} tests were'} changed together with what the code does"
    return f"{'1 change weakens' if number == 1 else f'{number} changes weaken'} the checks"


def _only_follows(judged: JudgedWeakenings) -> bool:
    return not judged.tampering and all(item.weakening.kind == FOLLOWED for item in judged.unaccounted)


def _choose_first(facts: Facts, bad: Sequence[EvidenceRef]) -> EvidenceRef:
    """Choose what is shown first: what the change itself says, before what was measured because of it."""
    return next((ref for ref in bad if "kind" in _resolve(facts, ref)), bad[0])


def _resolve(facts: Facts, ref: EvidenceRef) -> Mapping[str, Any]:
    found: Mapping[str, Any] = pointer.resolve(facts.evidence.artifacts[ref.artifact].value, ref.pointer)
    return found


def _describe(facts: Facts, ref: EvidenceRef) -> str:
    """Describe a finding, a test with its class, or a run in which a test that must fail didn't."""
    found = _resolve(facts, ref)
    if "cell" in found:
        return f"the report of the run {found['cell']} is false"
    if "class" in found and reads_source(found):
        return f"a test reads the source of what it tests in {found.get('path')}: {found.get('test')}"
    kind = found.get("kind") or found.get("class")
    if "mutants" in found:
        return f"{found.get('path')}::{found.get('test')} no longer notices {found['mutants'][0]}"
    if "change" in found and "new" in found:
        place = f"{found.get('path')}:{found.get('line')}"
        return f"{found.get('test')} passes whatever {place} compares with ({found['change']})"
    if kind is None:
        return f"{found.get('path')}::{found.get('test')}: {NOT_RUN}"
    return f"{kind} in {found.get('path')}"


def _advise(judged: JudgedWeakenings) -> Iterator[str]:
    """Say what can be done, at the stage at which the gate is called."""
    unaccounted = judged.unaccounted
    if judged.tampering:
        yield f"{len(judged.tampering)} of them change what checks report, which nothing accounts for"
    refused = [item for item in unaccounted if item.policy is Policy.REFUSE]
    if refused and judged.agent_marks:
        yield f"restore the check: {judged.agent_marks[0]}, so that no disclosure counts"
    elif refused:
        yield "restore the check: the profile takes no disclosure of it"
    if refused and judged.stage is not Stage.AGENT:
        yield "or a person approves it with `gate approve`"
    if len(refused) == len(unaccounted):
        return
    if judged.stage is Stage.AGENT:
        yield "restore the check, or ask the person"
        return
    where = "the message of a commit or the pull request"
    where += "" if judged.stage is Stage.CI else ", or until it is committed with `gate claim --weakens`"
    way = "restore the test, or say that it is meant" if _only_follows(judged) else "restore the check, or say why"
    yield f"{way} in {where}, a line for each"
    yield from dict.fromkeys(item.note for item in unaccounted if item.note and not item.covered)
