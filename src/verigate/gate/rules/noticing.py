"""The rule ``noticed_min``: tests notice mutants of the lines that the change wrote."""

from __future__ import annotations

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import SENSITIVITY
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds, not_applicable, refuted, unknown
from verigate.gate.rules.rule import Rule, for_each_artifact
from verigate.gate.time_for_mutants import describe_time_up

REASON = "NOTICED_FAIL"


def _noticed_min(artifact: Artifact, least: float) -> RuleOutcome:
    changed = artifact.value["changed"]
    if changed is None:
        return unknown(REASON, "no mutants of the changed lines were tried", None, cite(artifact, "changed"))
    if not changed["files"]:
        return not_applicable("no changed line of code can be mutated")
    by_fate: dict[str, list[int]] = {"noticed": [], "unnoticed": [], "open": []}
    for index, each in enumerate(changed["mutants"]):
        by_fate[each["fate"]].append(index)
    noticed, total = len(by_fate["noticed"]), len(changed["mutants"])
    if not total:
        return refuted(
            REASON, "none of the mutants of the changed lines could be used", 0, cite(artifact, "changed", "mutants")
        )
    refs = tuple(cite(artifact, "changed", "mutants", index) for index in by_fate["unnoticed"][:SHOWN])
    share = noticed / total
    if share >= least:
        return holds(share, *(refs or (cite(artifact, "changed", "files"),)))
    if (noticed + len(by_fate["open"])) / total < least:
        message = f"tests notice {noticed} of {total} mutants of the changed lines, at least {least:.0%} wanted"
        return refuted(REASON, f"{message}; {describe_unnoticed(artifact)}", share, *refs)
    undecided = f"{len(by_fate['open'])} of {total} mutants of the changed lines are undecided"
    message = f"{undecided}: {describe_time_up(artifact.value)}"
    return unknown(REASON, message, share, cite(artifact, "changed", "unexamined"))


def describe_unnoticed(artifact: Artifact) -> str:
    """Name the first mutants that no test notices."""
    found = [each for each in artifact.value["changed"]["mutants"] if each["fate"] == "unnoticed"]
    named = "; ".join(f"{each['path']}:{each['line']}: {each['change']}" for each in found[:SHOWN])
    return f"unnoticed: {named}" if named else ""


NOTICING_JUDGES: dict[str, Rule] = {"noticed_min": for_each_artifact(SENSITIVITY, _noticed_min)}
