"""Compare statements about types with the steps of a build that check them."""

from __future__ import annotations

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.gate.measures.compare import compare, contradict, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, cite_each, holds

_CHECKERS = frozenset({"tsc", "vue-tsc", "cargo", "go", "maven", "gradle", "dotnet"})
_AT_LEAST_ONE = frozenset({Relation.GT, Relation.GE})


def measure_types(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the errors of the build, if each of its steps checks types, else whether the steps that do succeeded."""
    chosen = _CHECKERS if fact.tool is None else {fact.tool}
    steps = [(index, step) for index, step in enumerate(artifact.value.get("steps") or ()) if step["tool"] in chosen]
    if not steps:
        return leave_undecided(fact, "no step of the build checks types", cite(artifact, "tool"))
    refs = tuple(cite(artifact, "steps", index, "exit_code") for index, _ in steps[:5])
    errors = len(artifact.value["errors"])
    if all(step["exit_code"] == 0 for _, step in steps):
        return compare(fact, 0, *refs)
    if fact.relation in _AT_LEAST_ONE:
        return holds(errors, *refs, message=f"{fact}")
    if fact.value == 0:
        return contradict(fact, errors, *refs, *cite_each(artifact, "errors"))
    if len(steps) < len(artifact.value["steps"]):
        return leave_undecided(fact, "other steps of the build report errors too", *refs)
    return compare(fact, errors, *refs)
