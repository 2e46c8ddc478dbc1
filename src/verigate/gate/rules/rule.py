"""What a rule is, and the commonest kind: one that must hold for each artifact of a media spec."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.standard import BY_SPEC
from verigate.gate.answer import Answer, combine, unknown

Judged = TypeVar("Judged", Artifact, Facts)
Rule = Callable[[Facts, Any], Answer]
"""(facts, threshold) -> answer."""


def flag(judge: Callable[[Judged], Answer]) -> Callable[[Judged, Any], Answer]:
    """A rule that is on or off, and knows no threshold; one that is off is never called."""

    @wraps(judge)
    def switched_on(judged: Judged, _on: Any) -> Answer:
        return judge(judged)

    return switched_on


def per_artifact(spec_id: str, judge: Callable[[Artifact, Any], Answer]) -> Rule:
    """The rule that ``judge`` must hold for every artifact with this media spec; unknown where there is none."""

    def rule(facts: Facts, threshold: Any) -> Answer:
        artifacts = facts.evidence.by_spec(spec_id)
        if not artifacts:
            return no_evidence(spec_id)
        return combine([judge(artifact, threshold) for artifact in artifacts])

    return rule


def no_evidence(spec_id: str) -> Answer:
    """No valid artifact of this media spec came out of the run."""
    standard = BY_SPEC[spec_id]
    return unknown("ARTIFACT_MISSING", f"{standard.capability} left no valid {standard.path}")
