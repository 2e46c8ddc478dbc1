"""Compare a measured value with the one that a statement names."""

from __future__ import annotations

from typing import Any

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import RuleOutcome, holds, refuted, unknown

_EPSILON = 1e-9


def is_satisfied(fact: StatedFact, value: Any) -> bool:
    """Whether ``value`` satisfies the relation of ``fact``. A rounded number may be off by its step."""
    if isinstance(fact.value, str) or isinstance(value, str) or isinstance(fact.value, bool):
        return bool(value == fact.value)
    off = float(value) - float(fact.value)
    match fact.relation:
        case Relation.EQ:
            return abs(off) <= fact.step + _EPSILON
        case Relation.GT:
            return off > _EPSILON
        case Relation.GE:
            return off >= -_EPSILON
        case Relation.LT:
            return off < -_EPSILON
        case Relation.LE:
            return off <= _EPSILON


def compare(fact: StatedFact, value: Any, *refs: EvidenceRef) -> RuleOutcome:
    """Support or refute ``fact`` by the value found."""
    if is_satisfied(fact, value):
        return holds(value, *refs, message=f"{fact}")
    return contradict(fact, value, *refs)


def contradict(fact: StatedFact, value: Any, *refs: EvidenceRef) -> RuleOutcome:
    """Refute ``fact``, with the value found."""
    return refuted("CLAIM_REFUTED", f"it needs {fact}, and it is {_format_value(value)}", value, *refs)


def leave_undecided(fact: StatedFact, why: str, *refs: EvidenceRef) -> RuleOutcome:
    """Leave ``fact`` undecided although there is evidence; ``why`` gives the reason."""
    return unknown("CLAIM_UNSUPPORTED", f"{fact}: {why}", None, *refs)


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)
