"""The outcome of one rule on one set of facts, and citations of the values it rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, shorten_cited
from verigate.formats import pointer

SHOWN = 5
"""At most this many findings are cited by a check; ``actual`` counts all of them."""

DECLARE = (
    "declare the command in config/adapters.json under code, {key}, or exclude it there with a reason: "
    '"excluded": [{{"what": …, "why": …}}]'
)


class RuleOutcome(Struct, frozen=True):
    """A check without its id and its expected value."""

    outcome: CheckOutcome
    actual: Any = None
    message: str = ""
    reason: str | None = None
    evidence: tuple[EvidenceRef, ...] = ()

    def as_check(self, check_id: str, expected: Any) -> Check:
        """Convert to a check of the verdict."""
        return Check(check_id, self.outcome, expected, self.actual, self.reason, self.message, self.evidence)


def holds(actual: Any, *evidence: EvidenceRef, message: str = "") -> RuleOutcome:
    """The facts support the rule. Raises ValueError without evidence: a rule never holds on nothing."""
    if not evidence:
        raise ValueError("a rule cannot hold on no evidence")
    return RuleOutcome(CheckOutcome.HOLDS, actual, message, None, evidence)


def refuted(reason: str, message: str, actual: Any, *evidence: EvidenceRef) -> RuleOutcome:
    """The facts contradict the rule."""
    return RuleOutcome(CheckOutcome.REFUTED, actual, message, reason, evidence)


def unknown(reason: str, message: str, actual: Any = None, *evidence: EvidenceRef) -> RuleOutcome:
    """No fact decides the rule."""
    return RuleOutcome(CheckOutcome.UNKNOWN, actual, message, reason, evidence)


def not_applicable(message: str) -> RuleOutcome:
    """Nothing in this task is subject to the rule."""
    return RuleOutcome(CheckOutcome.NOT_APPLICABLE, None, message)


def error(reason: str, message: str) -> RuleOutcome:
    """The rule could not be evaluated."""
    return RuleOutcome(CheckOutcome.ERROR, None, message, reason)


def cite(artifact: Artifact, *segments: str | int) -> EvidenceRef:
    """Cite the value at ``segments`` (member names and indexes) of an artifact; null if nothing is there.

    Volatile members are omitted and large values replaced by their size: a verdict stays small and reproducible.
    """
    place = pointer.join(*segments)
    try:
        value = pointer.resolve(pointer.copy_without(artifact.value, artifact.volatile), place)
    except LookupError:
        value = None
    return EvidenceRef(artifact.path, place, shorten_cited(value), artifact.digest)


def cite_each(artifact: Artifact, key: str, chosen: Callable[[Any], bool] | None = None) -> tuple[EvidenceRef, ...]:
    """Cite the members of the array at ``key`` that ``chosen`` accepts, at most SHOWN."""
    items = artifact.value.get(key) or []
    indices = [index for index, item in enumerate(items) if chosen is None or chosen(item)]
    return tuple(cite(artifact, key, index) for index in indices[:SHOWN])


def list_declared(artifact: Artifact, key: str, chosen: Callable[[Any], bool] | None = None) -> str:
    """List what ``unexamined``, ``missing``, ``excluded`` or ``repeated`` has, with path and reason; "" for none.

    At most SHOWN, and only those that ``chosen`` accepts.
    """
    items = [item for item in artifact.value.get(key) or [] if chosen is None or chosen(item)]
    more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return "; ".join(f"{item['what']} ({item['path']}): {item['why']}" for item in items[:SHOWN]) + more


def list_build_errors(artifact: Artifact) -> str:
    """List the errors of build.json with their paths, at most SHOWN; "" for none."""
    errors = artifact.value["errors"]
    more = f" and {len(errors) - SHOWN} more" if len(errors) > SHOWN else ""
    return "; ".join(f"{error['path']}: {error['message']}" for error in errors[:SHOWN]) + more


def combine(answers: list[RuleOutcome]) -> RuleOutcome:
    """Combine the outcomes for several artifacts of one kind: the worst wins, and the rule must hold for each."""
    if not answers:
        raise ValueError("nothing to combine")
    order = (
        CheckOutcome.ERROR,
        CheckOutcome.REFUTED,
        CheckOutcome.UNKNOWN,
        CheckOutcome.HOLDS,
        CheckOutcome.NOT_APPLICABLE,
    )
    worst = min(answers, key=lambda answer: order.index(answer.outcome))
    if len(answers) == 1:
        return worst
    same = [answer for answer in answers if answer.outcome is worst.outcome]
    return RuleOutcome(
        worst.outcome,
        worst.actual,
        "; ".join(answer.message for answer in same if answer.message),
        worst.reason,
        tuple(ref for answer in same for ref in answer.evidence),
    )
