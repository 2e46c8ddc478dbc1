"""The type of rules, and constructors for the common kinds."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_SPEC
from verigate.gate.rule_outcome import RuleOutcome, combine, unknown

Judged = TypeVar("Judged", Artifact, Facts)
Rule = Callable[[Facts, Any], RuleOutcome]
"""(facts, threshold) -> outcome."""


def flag_rule(judge: Callable[[Judged], RuleOutcome]) -> Callable[[Judged, Any], RuleOutcome]:
    """Make a rule without a threshold: it is on or off, and never called if off."""

    @wraps(judge)
    def switched_on(judged: Judged, _on: Any) -> RuleOutcome:
        return judge(judged)

    return switched_on


def for_each_artifact(spec_id: str, judge: Callable[[Artifact, Any], RuleOutcome]) -> Rule:
    """Make a rule that must hold for every artifact with this media spec; unknown if there is none."""

    def rule(facts: Facts, threshold: Any) -> RuleOutcome:
        artifacts = facts.evidence.by_spec(spec_id)
        if not artifacts:
            return missing_artifact(spec_id)
        return combine([judge(artifact, threshold) for artifact in artifacts])

    return rule


def missing_artifact(spec_id: str) -> RuleOutcome:
    """Unknown: the run produced no valid artifact with this media spec."""
    standard = BY_SPEC[spec_id]
    return unknown("ARTIFACT_MISSING", f"there is no valid {standard.path} of {standard.capability}")
