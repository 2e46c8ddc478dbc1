"""Judge whether a test proves a fix: it fails on the code of base, and passes on that of the subject, by executing it.

Only the standard artifact counts, and only with true reports: another adapter may report more weakenings, but proves
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import COUNTERFACTUAL, reads_source
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_PATH
from verigate.domain.test_ids import find_named, split_test_id
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, combine, holds, refuted, unknown

UNPROVEN = "FIX_UNPROVEN"
PROVING = frozenset({"proven", "fixed"})
_OPEN = frozenset({"added", "flaky", "followed", "not_comparable"})
"""Classes of tests that say neither that a fix is proven nor that it isn't."""

_WHY_OPEN = {
    "added": "it can't be imported or compiled on the code of base",
    "flaky": "it doesn't do the same in every run",
    "followed": "its expectation follows a change of behaviour",
}
_WHY_NOT = {
    "kept": "it passes on the code of base as well",
    "unproven": "it passes on the code of base as well",
    "blinded": "it was edited so that it passes on the code of base as well",
    "greened": "as it was in base it still fails",
    "loosened": "as it was in base it fails now",
    "lost": "it is gone",
    "not_run": "it isn't run",
    "broken": "it fails",
    "broken_before": "it fails as it did before",
}


def judge_fix(facts: Facts, test_id: str) -> RuleOutcome:
    """Judge whether the test of this name proves a fix. A name that fits several tests needs all of them to."""
    artifacts = list_believed(facts)
    if not artifacts:
        return unknown("CLAIM_UNSUPPORTED", "no artifact has true runs of the tests of base and subject")
    return combine([_judge_in(artifact, test_id) for artifact in artifacts])


def list_believed(facts: Facts) -> list[Artifact]:
    """List the artifacts with cells that can support something: the standard one, if no report in it is false."""
    found = [artifact for artifact in facts.evidence.by_spec(COUNTERFACTUAL) if artifact.path in BY_PATH]
    return [each for each in found if all(run["outcome"] == "F" for run in each.value["control"])]


def list_proofs(artifact: Artifact) -> Iterator[tuple[int, RuleOutcome]]:
    """Judge each test whose class shows a fix; yields its index with the outcome."""
    for index, entry in enumerate(artifact.value["tests"]):
        if entry["class"] in PROVING:
            yield index, judge_proof(artifact, index)


def judge_proof(artifact: Artifact, index: int) -> RuleOutcome:
    """Judge one test: its class, the lines that it executes, and the control by code that does the same."""
    entry: Mapping[str, Any] = artifact.value["tests"][index]
    kind, name, ref = entry["class"], f"{entry['path']}::{entry['test']}", cite(artifact, "tests", index)
    if kind in _OPEN:
        why = entry.get("why") or _WHY_OPEN.get(kind, kind)
        return unknown("CLAIM_UNSUPPORTED", f"{name} is {kind}: {why}", kind, ref)
    if kind not in PROVING:
        return refuted(UNPROVEN, f"{name} is {kind}: {_WHY_NOT.get(kind, kind)}", kind, ref)
    if new := entry.get("new"):
        why = (
            f"it uses {', '.join(new[:SHOWN])}, which the code of base doesn't have, and may fail there for that alone"
        )
        return unknown("CLAIM_UNSUPPORTED", f"{name}: {why}", kind, ref)
    return _judge_measured(entry, name, ref)


def _judge_measured(entry: Mapping[str, Any], name: str, ref: EvidenceRef) -> RuleOutcome:
    """Judge a test that is proven or fixed by the lines that it executes, and by code that does the same."""
    kind = entry["class"]
    proof: Mapping[str, Any] = entry.get("proof") or {}
    why = proof.get("why") or "it wasn't measured"
    if reads_source(entry):
        message = f"{name} fails where only comments, layout and names of locals differ: it reads the source"
        return refuted(UNPROVEN, message, kind, ref)
    if proof.get("executes") is False:
        return refuted(UNPROVEN, f"{name} executes no line of the code that the change changed", kind, ref)
    if proof.get("executes") is None:
        return unknown("CLAIM_UNSUPPORTED", f"which changed lines {name} executes is not known: {why}", kind, ref)
    control = proof.get("control") or ""
    if set(control) != {"P"}:
        lacking = f"it did {control} there" if control else why
        message = f"that {name} tests behaviour is not shown by code that does the same: {lacking}"
        return unknown("CLAIM_UNSUPPORTED", message, kind, ref)
    return holds(kind, ref, message=f"{name} fails on the code of base, and passes on lines that the change changed")


def _judge_in(artifact: Artifact, test_id: str) -> RuleOutcome:
    indexes = _find(artifact.value["tests"], test_id)
    if not indexes:
        return _judge_absence(artifact, test_id)
    answers = [judge_proof(artifact, index) for index in indexes]
    outcomes = {answer.outcome for answer in answers}
    if len(outcomes) == 1:
        return combine(answers)
    message = f"{test_id} names {len(indexes)} tests, and not all of them prove a fix"
    return unknown("CLAIM_UNSUPPORTED", message, None, *(cite(artifact, "tests", index) for index in indexes[:SHOWN]))


def _find(tests: Sequence[Mapping[str, Any]], test_id: str) -> list[int]:
    """Find the tests that an id names: by their place in the subject, or else by that in base."""
    wanted = split_test_id(test_id)
    for place in (_read_place, _read_former_place):
        by_name: dict[tuple[str, str], list[int]] = {}
        for index, entry in enumerate(tests):
            by_name.setdefault(place(entry), []).append(index)
        if found := find_named(wanted, by_name):
            return sorted(index for name in found for index in by_name[name])
    return []


def _read_place(entry: Mapping[str, Any]) -> tuple[str, str]:
    return entry["path"], entry["test"]


def _read_former_place(entry: Mapping[str, Any]) -> tuple[str, str]:
    return _read_place(entry.get("was") or entry)


def _judge_absence(artifact: Artifact, test_id: str) -> RuleOutcome:
    for index, entry in enumerate(artifact.value.get("named") or ()):
        if entry["test"] == test_id:
            ref = cite(artifact, "named", index)
            if entry["found"] == 0 and not entry.get("why"):
                return refuted(UNPROVEN, f"no test is called {test_id}", "absent", ref)
            return unknown("CLAIM_UNSUPPORTED", f"{test_id} was not compared: {entry.get('why', '')}", None, ref)
    return unknown("CLAIM_UNSUPPORTED", f"{test_id} was not compared", None, cite(artifact, "total"))
