"""Compare where a bug is said to be fixed with the changed lines that a test executes which proves a fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.task import parse_unit
from verigate.domain.verdict import CheckOutcome, EvidenceRef
from verigate.formats import pointer
from verigate.gate import symbols
from verigate.gate.fixes import list_believed, list_proofs
from verigate.gate.measures.compare import leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds

FIXED = "fixed:"
"""What a fact begins with that says in which function a bug is fixed; its name follows."""


def measure_fixed_function(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by a test that proves a fix and executes a changed line of the function; undecided without one.

    Nothing refutes it: a bug in a function may be fixed in what it calls. A name that fits several changed functions
    needs such a test for each.
    """
    name = fact.what.removeprefix(FIXED)
    try:
        changed = symbols.find_changed(artifact, parse_unit(f"func:{name}", lambda _: False))
    except ValueError:
        return leave_undecided(fact, "it is not a valid name")
    if not changed:
        return leave_undecided(fact, f"{name} didn't change", cite(artifact, "functions"))
    proofs: list[EvidenceRef] = []
    for ref in changed:
        symbol = pointer.resolve(artifact.value, ref.pointer)
        lines = range(symbol["line"], symbol.get("end_line", symbol["line"]) + 1)
        proving = [found for path, line, found in _list_proven_lines(facts) if path == symbol["path"] and line in lines]
        if not proving:
            return leave_undecided(fact, f"no test that proves a fix is known to execute a changed line of {name}", ref)
        proofs += proving
    return holds(fact.value, *changed, *_drop_repeated(proofs)[:SHOWN], message=f"{fact}")


def _drop_repeated(refs: Iterable[EvidenceRef]) -> list[EvidenceRef]:
    return list({(ref.artifact, ref.pointer): ref for ref in refs}.values())


def _list_proven_lines(facts: Facts) -> Iterator[tuple[str, int, EvidenceRef]]:
    """List the changed lines that tests execute which prove a fix, each with the test."""
    for artifact in list_believed(facts):
        for index, answer in list_proofs(artifact):
            if answer.outcome is not CheckOutcome.HOLDS:
                continue
            for place in artifact.value["tests"][index]["proof"]["lines"]:
                path, _, line = place.rpartition(":")
                if line.isdecimal():
                    yield path, int(line), cite(artifact, "tests", index)
