"""Compare statements that code is tested with the mutants of its changed lines that tests notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.test_ids import split_name
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.parts import is_at_or_below
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds
from verigate.gate.time_for_mutants import describe_time_up


def measure_noticing(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``noticed`` (all changed lines), ``noticed:NAME`` (those of a function) or ``exercised``.

    Supported if tests notice each mutant that was tried, refuted if they notice none, or if a changed line is run by
    none. A function of which no line changed, or nothing was tried, supports nothing.
    """
    if fact.what == "exercised":
        return _compare_exercised(artifact, fact)
    missed = _find_missed(facts) if fact.what == "noticed" else None
    return _compare(artifact, fact) if missed is None else contradict(fact, f"no test runs {missed[0]}", missed[1])


def _compare(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    changed = artifact.value["changed"]
    if changed is None:
        return leave_undecided(fact, "no mutants of the changed lines were tried", cite(artifact, "changed"))
    name = split_name(fact.what.partition(":")[2])
    chosen = [
        index
        for index, each in enumerate(changed["mutants"])
        if not name or split_name(each["unit"] or "")[-len(name) :] == name
    ]
    if not chosen:
        why = "no changed line of it was tried with a mutant" if name else "no changed line was tried with a mutant"
        return leave_undecided(fact, why, cite(artifact, "changed", "files"))
    unnoticed = [index for index in chosen if changed["mutants"][index]["fate"] == "unnoticed"]
    if len(unnoticed) == len(chosen):
        first = _describe(artifact, unnoticed[0])
        return contradict(
            fact, f"no test notices any of {len(chosen)} mutants, first {first}", *_cite(artifact, unnoticed)
        )
    if unnoticed:
        why = f"no test notices {len(unnoticed)} of {len(chosen)} mutants, first {_describe(artifact, unnoticed[0])}"
        return leave_undecided(fact, why, *_cite(artifact, unnoticed))
    untried = any(changed["mutants"][index]["fate"] == "open" for index in chosen)
    if untried or _is_left_out(changed, chosen, named=bool(name)):
        why = describe_time_up(artifact.value) if untried else changed["unexamined"][0]["why"]
        return leave_undecided(fact, f"not all mutants were tried: {why}", cite(artifact, "changed", "unexamined"))
    return holds(len(chosen), *_cite(artifact, chosen), message=f"{fact}")


def _is_left_out(changed: Mapping[str, Any], chosen: Sequence[int], *, named: bool) -> bool:
    """Whether less is known of what was chosen, or of anything where no function is named."""
    paths = [changed["mutants"][index]["path"] for index in chosen]
    left_out = [each["path"] for each in changed["unexamined"]]
    if not named or "." in left_out:
        return bool(left_out)
    return any(is_at_or_below(path, place) for path in paths for place in left_out)


def _compare_exercised(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support that code does what it did if tests notice a mutant in each place where it may do something else.

    A place of which no test notices anything leaves it open: the same tests pass whatever it does.
    """
    places = artifact.value.get("places")
    if places is None:
        return leave_undecided(fact, "no mutants of the changed places were tried", cite(artifact, "changed"))
    for index, each in enumerate(places):
        if each["fate"] != "noticed":
            return leave_undecided(fact, _say_why_open(artifact, each), cite(artifact, "places", index))
    return holds(len(places), cite(artifact, "places"), message=f"{fact}")


def _say_why_open(artifact: Artifact, place: Mapping[str, Any]) -> str:
    where = place["unit"] or place["path"]
    if place["fate"] == "unnoticed" and place["why"]:
        return f"{where} may do something else: {place['why']}"
    if place["fate"] == "unnoticed":
        return f"no test notices a mutant of {where}, so that it may do something else"
    if place["fate"] == "open":
        return f"not all tests were asked about {where}: {describe_time_up(artifact.value)}"
    return f"{where} may do something else: {place['why']}"


def _find_missed(facts: Facts) -> tuple[str, EvidenceRef] | None:
    """Find a changed line that no test runs, where coverage was measured."""
    for artifact in facts.evidence.by_spec("verigate:coverage.v1"):
        for index, file in enumerate((artifact.value.get("patch") or {}).get("files", ())):
            if file["missed"]:
                return f"{file['path']}:{file['missed'][0]}", cite(artifact, "patch", "files", index)
    return None


def _describe(artifact: Artifact, index: int) -> str:
    mutant = artifact.value["changed"]["mutants"][index]
    return f"{mutant['path']}:{mutant['line']}: {mutant['change']}"


def _cite(artifact: Artifact, chosen: list[int]) -> tuple[EvidenceRef, ...]:
    return tuple(cite(artifact, "changed", "mutants", index) for index in chosen[:SHOWN])
