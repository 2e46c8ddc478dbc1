"""Compare statements about types with the steps of a build that check them."""

from __future__ import annotations

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, cite_each, holds

_CHECKERS = frozenset({"tsc", "vue-tsc", "cargo", "go", "maven", "gradle", "dotnet"})
_UNNAMED = "the build passed, but its steps may not be all that checks types; name the tool, such as tsc or mypy"
_AT_LEAST_ONE = frozenset({Relation.GT, Relation.GE})


def measure_types(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the errors of the build, if each of its steps checks types, else whether the steps that do succeeded.

    Where the statement names no tool, success supports nothing: types of another language may be checked by a program
    that the build doesn't run, and a trivial project next to it would stand for all.
    """
    chosen = _CHECKERS if fact.tool is None else {fact.tool}
    steps = [(index, step) for index, step in enumerate(artifact.value.get("steps") or ()) if step["tool"] in chosen]
    if not steps:
        return leave_undecided(fact, "no step of the build checks types", cite(artifact, "tool"))
    refs = tuple(cite(artifact, "steps", index, "exit_code") for index, _ in steps[:5])
    if all(step["exit_code"] == 0 for _, step in steps):
        if fact.tool is None and is_satisfied(fact, 0):
            return leave_undecided(fact, _UNNAMED, *refs)
        return compare(fact, 0, *refs)
    return _measure_failed(artifact, fact, refs, alone=len(steps) == len(artifact.value["steps"]))


def _measure_failed(artifact: Artifact, fact: StatedFact, refs: tuple[EvidenceRef, ...], *, alone: bool) -> RuleOutcome:
    """Compare where a step failed; ``alone``: each step of the build checks types, so that all errors are of types."""
    errors = len(artifact.value["errors"])
    if fact.relation in _AT_LEAST_ONE:
        return holds(errors, *refs, message=f"{fact}")
    if fact.value == 0:
        return contradict(fact, errors, *refs, *cite_each(artifact, "errors"))
    if not alone:
        return leave_undecided(fact, "other steps of the build report errors too", *refs)
    return compare(fact, errors, *refs)
