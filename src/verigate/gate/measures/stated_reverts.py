"""Compare statements about reverted commits with what of them a change takes back."""

from __future__ import annotations

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, holds


def measure_revert(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare one reverted commit. Part of it may be left, or more be changed, where others stand on it: then open."""
    for index, each in enumerate(artifact.value.get("reverts") or ()):
        if each["name"] != name:
            continue
        ref = cite(artifact, "reverts", index)
        if each["commit"] is None:
            return leave_undecided(fact, "no such commit is in the history", ref)
        if not each["lines"]:
            return leave_undecided(fact, f"{each['commit'][:10]} has no text", ref)
        if each["undone"] == each["lines"] and not each["other"]:
            return holds(fact.value, ref, message=f"{fact}")
        if not each["undone"]:
            return contradict(fact, f"nothing of {each['commit'][:10]} is taken back", ref)
        why = f"{each['undone']} of {each['lines']} lines are taken back, and {each['other']} others change"
        return leave_undecided(fact, why, ref)
    return leave_undecided(fact, "it was not looked up")
