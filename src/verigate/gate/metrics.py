"""Collect the metrics of a verdict: the scalar members of the standard artifacts."""

from __future__ import annotations

from typing import Any

from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import STANDARD
from verigate.formats import pointer


def collect_metrics(facts: Facts) -> dict[str, dict[str, Any]]:
    """Map artifact names (``tests``, ``links/statuses``) to their numbers and booleans, without volatile ones."""
    metrics: dict[str, dict[str, Any]] = {}
    for standard in STANDARD:
        artifact = facts.evidence.artifacts.get(standard.path)
        if artifact is None or not artifact.is_json:
            continue
        value = pointer.copy_without(artifact.value, artifact.volatile)
        if isinstance(value, dict):
            numbers = {key: item for key, item in value.items() if isinstance(item, int | float)}
            numbers |= {f"{key}_count": len(item) for key, item in value.items() if isinstance(item, list)}
        else:
            numbers = {"count": len(value)}
        if numbers and len(numbers) <= 50:
            metrics[standard.path.removesuffix(".json")] = dict(sorted(numbers.items()))
    return metrics
