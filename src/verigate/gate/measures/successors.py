"""Judge what is said to be removed while a similar definition, or a file, has taken its place under another name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.stated_places import find_pairs
from verigate.gate.rule_outcome import RuleOutcome, cite

Successor = tuple[EvidenceRef, str]
"""What something became, and where that stands."""


def list_successors(artifact: Artifact, name: str) -> list[Successor]:
    """List what the functions and classes of a name became."""
    return [(cite(artifact, "moved", index), each["to"]) for index, each in find_pairs(artifact, name)]


def judge_successors(
    fact: StatedFact, name: str, successors: Sequence[Successor], definitions: int
) -> RuleOutcome | None:
    """Judge the removal of a name with so many definitions; None if it became nothing else.

    A similar definition may be another one: only what is spelled the same but for its case refutes.
    """
    if not successors:
        return None
    refs = tuple(ref for ref, _ in successors[:5])
    news = {_get_last(new) for _, new in successors}
    old = _get_last(name)
    respelled = old not in news and {_fold(new) for new in news} == {_fold(old)}
    if respelled and definitions <= len(successors):
        return contradict(fact, f"renamed to {successors[0][1]}", *refs)
    return leave_undecided(fact, f"it may have become {successors[0][1]}", *refs)


def _get_last(name: str) -> str:
    return re.split(r"[.:#]+", name)[-1]


def _fold(name: str) -> str:
    return name.replace("_", "").casefold()
