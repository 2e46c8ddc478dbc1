"""Rules of the api domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.answer import SHOWN, Answer, cite, cite_each, holds, refuted, unknown
from verigate.gate.rules.rule import Rule, flag, no_evidence, per_artifact
from verigate.gate.symbols import normal_route


def _name(endpoint: Any) -> str:
    if isinstance(endpoint, str):
        return endpoint
    return f"{endpoint.get('method', '')} {endpoint.get('path', '')}".strip()


def _same(wanted: str, found: str) -> bool:
    method, space, route = wanted.partition(" ")
    other_method, other_space, other_route = found.partition(" ")
    if not space:
        method, route = "", wanted
    if not other_space:
        other_method, other_route = "", found
    if method and other_method and method.upper() != other_method.upper():
        return False
    return normal_route(route) == normal_route(other_route)


def _schema_valid(facts: Facts, wanted: bool) -> Answer:
    responses = facts.evidence.by_spec("verigate:responses.v1")
    if not responses:
        return no_evidence("verigate:responses.v1")
    for artifact in responses:
        if not artifact.value:
            return refuted("SCHEMA_MISMATCH", "no response was held against the schema", 0, cite(artifact))
    return _SCHEMA_OF_EACH(facts, wanted)


@flag
def _schema_ok(artifact: Artifact) -> Answer:
    errors = artifact.value["errors"]
    if artifact.value["ok"] and not errors:
        return holds(True, cite(artifact, "ok"))
    message = f"{len(errors)} schema violations"
    return refuted("SCHEMA_MISMATCH", message, len(errors), cite(artifact, "ok"), *cite_each(artifact, "errors"))


_SCHEMA_OF_EACH = per_artifact("verigate:api-schema.v1", _schema_ok)


def _required_endpoints(artifact: Artifact, wanted: Sequence[str]) -> Answer:
    discovered = [_name(endpoint) for endpoint in artifact.value["discovered"]]
    if not discovered:
        return refuted("ENDPOINT_MISMATCH", "no endpoint was discovered", 0, cite(artifact, "discovered"))
    missing = [endpoint for endpoint in wanted if not any(_same(endpoint, found) for found in discovered)]
    if missing:
        message = f"{len(missing)} of {len(wanted)} required endpoints are missing: {', '.join(missing[:SHOWN])}"
        return refuted("ENDPOINT_MISMATCH", message, len(wanted) - len(missing), cite(artifact, "discovered"))
    return holds(len(wanted), cite(artifact, "discovered"))


def _undocumented_max(artifact: Artifact, most: int) -> Answer:
    if not artifact.value["discovered"]:
        return refuted("ENDPOINT_MISMATCH", "no endpoint was discovered", 0, cite(artifact, "discovered"))
    count = len(artifact.value["undocumented"])
    if count > most:
        message = f"{count} endpoints are not documented, at most {most} allowed"
        return refuted("ENDPOINT_MISMATCH", message, count, *cite_each(artifact, "undocumented"))
    return holds(count, cite(artifact, "undocumented"))


@flag
def _auth_required(artifact: Artifact) -> Answer:
    open_ones = artifact.value.get("violations") or []
    if open_ones:
        message = f"{len(open_ones)} protected endpoints answer without credentials"
        return refuted("AUTH_FAIL", message, len(open_ones), *cite_each(artifact, "violations"))
    protected = len(artifact.value["endpoints_protected"])
    if protected == 0:
        return refuted("AUTH_FAIL", "no endpoint is protected", 0, cite(artifact, "endpoints_protected"))
    return holds(protected, cite(artifact, "endpoints_protected"))


def _percentile(ordered: Sequence[float], fraction: float) -> float:
    """Nearest rank: the smallest value that at least ``fraction`` of the samples don't exceed."""
    rank = -(-len(ordered) * int(fraction * 100) // 100)
    return ordered[max(rank, 1) - 1]


def _latency(artifact: Artifact, limits: Mapping[str, float]) -> Answer:
    if not artifact.value:
        return refuted("LATENCY_FAIL", "no endpoint was called", 0, cite(artifact))
    samples = [
        float(sample)
        for entry in artifact.value.values()
        for sample in (entry.get("latency_samples_ms") or [entry.get("latency_ms")])
        if isinstance(sample, int | float) and not isinstance(sample, bool)
    ]
    if not samples:
        return unknown("LATENCY_FAIL", "no latency was measured", None, cite(artifact))
    ordered = sorted(samples)
    over = sorted(
        name for name, limit in limits.items() if _percentile(ordered, float(name.removeprefix("p")) / 100) > limit
    )
    if over:
        # The measured milliseconds differ from run to run and belong to no digest: only which limit broke is told.
        return refuted("LATENCY_FAIL", f"over the limit: {', '.join(over)}", over)
    return holds([], cite(artifact))


@flag
def _rate_limited(artifact: Artifact) -> Answer:
    limited = artifact.value.get("limited") or []
    if not limited:
        return refuted("RATE_LIMIT_FAIL", "no rate limit was met", 0, cite(artifact))
    return holds(len(limited), cite(artifact, "limited"))


JUDGES: Mapping[str, Rule] = {
    "schema_valid": _schema_valid,
    "required_endpoints": per_artifact("verigate:endpoints.v1", _required_endpoints),
    "undocumented_max": per_artifact("verigate:endpoints.v1", _undocumented_max),
    "auth_required": per_artifact("verigate:auth.v1", _auth_required),
    "latency_ms": per_artifact("verigate:responses.v1", _latency),
    "rate_limit_required": per_artifact("verigate:rate-limits.v1", _rate_limited),
}
