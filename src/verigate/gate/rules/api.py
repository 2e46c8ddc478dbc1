"""Rules of the api domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, cite_each, holds, refuted, unknown
from verigate.gate.rules.rule import Rule, flag_rule, for_each_artifact, missing_artifact
from verigate.gate.symbols import is_same_endpoint


def _endpoint_name(endpoint: Any) -> str:
    if isinstance(endpoint, str):
        return endpoint
    return f"{endpoint.get('method', '')} {endpoint.get('path', '')}".strip()


def _schema_valid(facts: Facts, wanted: bool) -> RuleOutcome:
    responses = facts.evidence.by_spec("verigate:responses.v1")
    if not responses:
        return missing_artifact("verigate:responses.v1")
    for artifact in responses:
        if not artifact.value:
            return refuted("SCHEMA_MISMATCH", "no response was checked against the schema", 0, cite(artifact))
        if all(_is_failure(answer["status"]) for answer in artifact.value.values()):
            # A schema.json that is ok says so of no answer of the service's own.
            message = "no response fits the schema: each endpoint failed, or gave no answer"
            return refuted("SCHEMA_MISMATCH", message, 0, cite(artifact))
    return _SCHEMA_OF_EACH(facts, wanted)


def _is_failure(status: int | str) -> bool:
    """Whether it is the name of an error, or a status by which a server says that it failed."""
    return not isinstance(status, int) or not 100 <= status < 500


@flag_rule
def _schema_of_artifact(artifact: Artifact) -> RuleOutcome:
    value = artifact.value
    errors = value["errors"]
    if errors:
        count = max(len(errors), int(value.get("errors_total") or 0))
        message = f"{count} schema violations"
        return refuted("SCHEMA_MISMATCH", message, count, cite(artifact, "ok"), *cite_each(artifact, "errors"))
    if loosened := value.get("loosened") or []:
        message = f"{len(loosened)} responses fit only the schema of this change, not the schema of the base"
        return refuted("SCHEMA_MISMATCH", message, len(loosened), *cite_each(artifact, "loosened"))
    if (nothing := _refute_unexercised(artifact)) is not None:
        return nothing
    if (open_ := _leave_open(artifact)) is not None:
        return open_
    if not value["ok"]:
        return refuted("SCHEMA_MISMATCH", "the responses don't fit the schema", 0, cite(artifact, "ok"))
    exercised = ("exercised",) if "exercised" in value else ()
    return holds(True, cite(artifact, "ok"), *(cite(artifact, key) for key in exercised))


def _refute_unexercised(artifact: Artifact) -> RuleOutcome | None:
    """Refute if the adapter reports that it exercised no endpoint; otherwise None."""
    value = artifact.value
    if "exercised" in value and not value["exercised"]:
        left = value.get("unexercised") or []
        which = f": {_list_unexercised(left)}" if left else ""
        message = f"no endpoint was exercised{which}"
        return refuted("SCHEMA_MISMATCH", message, 0, cite(artifact, "exercised"), *cite_each(artifact, "unexercised"))
    if value.get("checked") == 0:
        return refuted("SCHEMA_MISMATCH", "no response was checked against a schema", 0, cite(artifact, "checked"))
    return None


def _leave_open(artifact: Artifact) -> RuleOutcome | None:
    """Leave it undecided if an endpoint never succeeded, or a list never had an item; otherwise None."""
    value = artifact.value
    if left := value.get("unexercised"):
        called = value.get("called", len(left))
        message = f"{len(left)} of {called} called endpoints never succeeded: {_list_unexercised(left)}"
        return unknown("SCHEMA_MISMATCH", message, len(left), *cite_each(artifact, "unexercised"))
    if empty := value.get("empty"):
        message = f"{len(empty)} lists were always empty, so no item was checked: {_list_places(empty)}"
        return unknown("SCHEMA_MISMATCH", message, len(empty), *cite_each(artifact, "empty"))
    return None


def _list_unexercised(entries: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{entry.get('endpoint')} ({entry.get('why')})" for entry in entries[:SHOWN])


def _list_places(entries: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{entry.get('endpoint')} {entry.get('pointer') or ''}".strip() for entry in entries[:SHOWN])


_SCHEMA_OF_EACH = for_each_artifact("verigate:api-schema.v1", _schema_of_artifact)


def _required_endpoints(artifact: Artifact, wanted: Sequence[str]) -> RuleOutcome:
    discovered = [_endpoint_name(endpoint) for endpoint in artifact.value["discovered"]]
    if not discovered:
        return refuted("ENDPOINT_MISMATCH", "no endpoint was discovered", 0, cite(artifact, "discovered"))
    missing = [endpoint for endpoint in wanted if not any(is_same_endpoint(endpoint, found) for found in discovered)]
    if missing:
        message = f"{len(missing)} of {len(wanted)} required endpoints are missing: {', '.join(missing[:SHOWN])}"
        return refuted("ENDPOINT_MISMATCH", message, len(wanted) - len(missing), cite(artifact, "discovered"))
    return holds(len(wanted), cite(artifact, "discovered"))


def _undocumented_max(artifact: Artifact, most: int) -> RuleOutcome:
    if not artifact.value["discovered"]:
        return refuted("ENDPOINT_MISMATCH", "no endpoint was discovered", 0, cite(artifact, "discovered"))
    count = len(artifact.value["undocumented"])
    if count > most:
        message = f"{count} endpoints are not documented, at most {most} allowed"
        return refuted("ENDPOINT_MISMATCH", message, count, *cite_each(artifact, "undocumented"))
    return holds(count, cite(artifact, "undocumented"))


@flag_rule
def _auth_required(artifact: Artifact) -> RuleOutcome:
    value = artifact.value
    open_ones = value.get("violations") or []
    if open_ones:
        message = f"{len(open_ones)} protected endpoints answer without credentials, or with invalid ones"
        return refuted("AUTH_FAIL", message, len(open_ones), *cite_each(artifact, "violations"))
    if rejected := value.get("rejected") or []:
        message = f"{len(rejected)} endpoints reject valid credentials"
        return refuted("AUTH_FAIL", message, len(rejected), *cite_each(artifact, "rejected"))
    protected = {_endpoint_name(endpoint) for endpoint in value["endpoints_protected"]}
    if not protected:
        return refuted("AUTH_FAIL", "no endpoint is protected", 0, cite(artifact, "endpoints_protected"))
    unseen = [
        _endpoint_name(endpoint)
        for endpoint in value.get("documented_protected") or []
        if _endpoint_name(endpoint) not in protected
    ]
    if unseen:
        message = f"documented as protected, but not observed to be: {', '.join(unseen[:SHOWN])}"
        evidence = (*cite_each(artifact, "undecided"), *cite_each(artifact, "not_probed"))
        return unknown("AUTH_FAIL", message, len(unseen), *(evidence or (cite(artifact, "endpoints_protected"),)))
    return holds(len(protected), cite(artifact, "endpoints_protected"))


def percentile(ordered: Sequence[float], fraction: float) -> float:
    """Percentile by nearest rank: the smallest value that at least ``fraction`` of the samples don't exceed."""
    rank = -(-len(ordered) * int(fraction * 100) // 100)
    return ordered[max(rank, 1) - 1]


def _latency(artifact: Artifact, limits: Mapping[str, float]) -> RuleOutcome:
    if not artifact.value:
        return refuted("LATENCY_FAIL", "no endpoint was called", 0, cite(artifact))
    measured = {name: latency_samples(entry) for name, entry in artifact.value.items()}
    # Each endpoint separately: a hundred fast ones don't make up for a slow one.
    over = {
        name: found
        for name, times in sorted(measured.items())
        if times and (found := _broken_limits(times, limits))  # those without samples are handled below
    }
    if over:
        # Report only the limit: the milliseconds differ from run to run, and a digest must not.
        broken = sorted({limit for found in over.values() for limit in found})
        slow = ", ".join(list(over)[:SHOWN])
        return refuted("LATENCY_FAIL", f"over the limit {', '.join(broken)}: {slow}", broken)
    if without := sorted(name for name, times in measured.items() if not times):
        return unknown("LATENCY_FAIL", f"no latency was measured of {', '.join(without[:SHOWN])}", None, cite(artifact))
    return holds([], cite(artifact))


def latency_samples(entry: Mapping[str, Any]) -> list[float]:
    """The latencies in milliseconds of one entry of responses.json, sorted."""
    given = entry.get("latency_samples_ms") or [entry.get("latency_ms")]
    return sorted(float(item) for item in given if isinstance(item, int | float) and not isinstance(item, bool))


def _broken_limits(ordered: Sequence[float], limits: Mapping[str, float]) -> list[str]:
    return [
        name
        for name, limit in sorted(limits.items())
        if percentile(ordered, float(name.removeprefix("p")) / 100) > limit
    ]


@flag_rule
def _rate_limited(artifact: Artifact) -> RuleOutcome:
    limited = artifact.value.get("limited") or []
    if limited:
        return holds(len(limited), cite(artifact, "limited"))
    if announced := artifact.value.get("announced") or []:
        message = f"{len(announced)} endpoints announce a rate limit that probing didn't reach"
        return unknown("RATE_LIMIT_FAIL", message, 0, *cite_each(artifact, "announced"))
    return refuted("RATE_LIMIT_FAIL", "no rate limit was reached", 0, cite(artifact, "limited"))


JUDGES: Mapping[str, Rule] = {
    "schema_valid": _schema_valid,
    "required_endpoints": for_each_artifact("verigate:endpoints.v1", _required_endpoints),
    "undocumented_max": for_each_artifact("verigate:endpoints.v1", _undocumented_max),
    "auth_required": for_each_artifact("verigate:auth.v1", _auth_required),
    "latency_ms": for_each_artifact("verigate:responses.v1", _latency),
    "rate_limit_required": for_each_artifact("verigate:rate-limits.v1", _rate_limited),
}
