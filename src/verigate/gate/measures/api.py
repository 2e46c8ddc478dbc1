"""Compare statements about an API with its artifacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import CheckOutcome
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, cite_each
from verigate.gate.rules.api import JUDGES, latency_samples, percentile
from verigate.gate.symbols import is_same_endpoint

_SCHEMA = "api/schema.json"


def measure_responses(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``failing`` (a count), ``statuses`` (one code for all), latencies, or an endpoint (its status code).

    Latencies are ``p50`` to ``p99`` and ``latency``, in ms.
    """
    if not artifact.value:
        return leave_undecided(fact, "no endpoint was called", cite(artifact))
    if fact.what == "failing":
        refused = _list_endpoints(facts, "refused")
        names = [name for name, entry in sorted(artifact.value.items()) if not _is_success(entry)]
        return _compare_all(facts, artifact, fact, [name for name in names if name not in refused])
    if fact.what == "statuses":
        return _compare_statuses(facts, artifact, fact)
    if fact.what in {"latency", "p50", "p90", "p95", "p99"}:
        return _measure_latency(artifact, fact)
    called = [name for name in sorted(artifact.value) if is_same_endpoint(fact.what, name)]
    if not called:
        return leave_undecided(fact, "it was not called")
    wrong = [name for name in called if artifact.value[name]["status"] != fact.value]
    name = (wrong or called)[0]
    return compare(fact, artifact.value[name]["status"], cite(artifact, name, "status"))


def _compare_all(facts: Facts, artifact: Artifact, fact: StatedFact, failing: Sequence[str]) -> RuleOutcome:
    """Compare the count of ``failing`` endpoints; none of those called is no word about the others."""
    refs = tuple(cite(artifact, name, "status") for name in failing[:SHOWN])
    if is_satisfied(fact, len(failing)) and not fact.bad and (open_ := _leave_unseen(facts, fact)) is not None:
        return open_
    return compare(fact, len(failing), *(refs or (cite(artifact, min(artifact.value), "status"),)))


def _compare_statuses(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare every status that any endpoint gave; not found is none of an endpoint whose path takes a parameter."""
    refused = _list_endpoints(facts, "refused")
    wanted = str(fact.value)
    for name, entry in sorted(artifact.value.items()):
        given = entry.get("statuses")
        statuses = set(given) if isinstance(given, dict) and given else {str(entry["status"])}
        absent = {"404"} if "{" in name and wanted in statuses else set()
        if (others := sorted(statuses - {wanted} - absent)) and name not in refused:
            return contradict(fact, f"{', '.join(others[:SHOWN])} for {name}", cite(artifact, name, "status"))
    first = cite(artifact, min(artifact.value), "status")
    return _leave_unseen(facts, fact) or compare(fact, fact.value, first)


def _leave_unseen(facts: Facts, fact: StatedFact) -> RuleOutcome | None:
    """Leave it undecided if endpoints weren't called, or took none of the generated input; otherwise None."""
    unseen = [*_list_endpoints(facts, "not_called"), *_list_endpoints(facts, "refused")]
    if not unseen:
        return None
    schema = facts.evidence.artifacts[_SCHEMA]
    why = f"{len(unseen)} endpoints were not called with input that they take: {', '.join(unseen[:SHOWN])}"
    return leave_undecided(fact, why, *cite_each(schema, "not_called"), *cite_each(schema, "refused"))


def _list_endpoints(facts: Facts, key: str) -> list[str]:
    """List the endpoints that api/schema.json names under ``key``, if there is such an artifact."""
    artifact = facts.evidence.artifacts.get(_SCHEMA)
    return [] if artifact is None else [_endpoint_name(item) for item in artifact.value.get(key) or ()]


def _is_success(entry: Any) -> bool:
    status = entry["status"]
    return isinstance(status, int) and 200 <= status <= 299


def _measure_latency(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare each endpoint separately. Milliseconds aren't reported: they differ from run to run."""
    fraction = 1.0 if fact.what == "latency" else int(fact.what[1:]) / 100
    over: list[str] = []
    for name, entry in sorted(artifact.value.items()):
        times = latency_samples(entry)
        if not times:
            return leave_undecided(fact, f"no latency was measured of {name}", cite(artifact))
        value, limit = percentile(times, fraction), float(fact.value)
        if not (value < limit if fact.relation is Relation.LT else value <= limit):
            over.append(name)
    if fact.relation not in {Relation.LT, Relation.LE}:
        return leave_undecided(fact, "no measurement can say that", cite(artifact))
    if over:
        return contradict(fact, f"more for {', '.join(over[:SHOWN])}", cite(artifact))
    return compare(fact, fact.value, cite(artifact)) if fact.relation is Relation.LE else _hold_below(artifact, fact)


def _hold_below(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    return RuleOutcome(CheckOutcome.HOLDS, "less", str(fact), None, (cite(artifact),))


def measure_schema(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/ok``, and zero ``/errors``, by the rule ``schema_valid``; other numbers of ``/errors`` by counting."""
    if fact.what == "/ok" or (fact.value == 0 and fact.relation is Relation.EQ):
        asked = _ask_rule(facts, fact, "schema_valid")
        additional = artifact.value.get("additional") or ()
        if asked.outcome is not CheckOutcome.HOLDS or not additional or fact.what != "/ok":
            return asked
        why = f"{len(additional)} fields of responses are not in the schema"
        return leave_undecided(fact, why, *cite_each(artifact, "additional"))
    errors = artifact.value["errors"]
    count = max(len(errors), int(artifact.value.get("errors_total") or 0))
    return compare(fact, count, cite(artifact, "errors"))


def _ask_rule(facts: Facts, fact: StatedFact, key: str) -> RuleOutcome:
    """Decide by a rule that asks the same question. If the rule is refuted by a zero, the statement stays undecided."""
    answer = JUDGES[key](facts, True)
    if answer.outcome is CheckOutcome.HOLDS:
        return RuleOutcome(CheckOutcome.HOLDS, answer.actual, str(fact), None, answer.evidence)
    if answer.outcome is CheckOutcome.REFUTED and answer.actual:
        return contradict(fact, answer.message, *answer.evidence)
    return leave_undecided(fact, answer.message, *answer.evidence)


def measure_endpoints(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the counts ``/discovered`` and ``/undocumented``."""
    if not artifact.value["discovered"]:
        return leave_undecided(fact, "no endpoint was discovered", cite(artifact, "discovered"))
    key = fact.what.removeprefix("/")
    return compare(fact, len(artifact.value[key]), *(cite_each(artifact, key) or (cite(artifact, key),)))


def measure_auth(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``violations`` by the rule ``auth_required``, ``public`` by counting, an endpoint by its protection."""
    if fact.what == "violations":
        return _ask_rule(facts, fact, "auth_required")
    value = artifact.value
    if fact.what == "public":
        if not value["endpoints_protected"]:
            return leave_undecided(fact, "no endpoint is known to be protected", cite(artifact, "endpoints_protected"))
        return compare(fact, len(value["endpoints_public"]), cite(artifact, "endpoints_public"))
    for key, word in (("violations", "public"), ("endpoints_protected", "protected"), ("endpoints_public", "public")):
        for index in _find_endpoint(value.get(key) or (), fact.what):
            return compare(fact, word, cite(artifact, key, index))
    return leave_undecided(fact, "it was not probed")


def measure_rate_limits(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the count ``limited``, or whether one endpoint is limited."""
    value = artifact.value
    if fact.what != "limited":
        for key in ("limited", "probed"):
            for index in _find_endpoint(value.get(key) or (), fact.what):
                announced = _find_endpoint(value.get("announced") or (), fact.what)
                if key == "probed" and announced:
                    return leave_undecided(fact, "a rate limit is announced, but probing didn't reach it")
                return compare(fact, key if key == "limited" else "not limited", cite(artifact, key, index))
        return leave_undecided(fact, "it was not probed")
    if fact.relation is Relation.GT:
        return _ask_rule_unless_zero(facts, artifact, fact)
    if value.get("announced") or not value.get("probed"):
        return leave_undecided(fact, "no rate limit was reached, but one may exist", cite(artifact, "limited"))
    return compare(fact, len(value["limited"]), cite(artifact, "limited"))


def _ask_rule_unless_zero(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    if not artifact.value["limited"] and artifact.value.get("probed") and not artifact.value.get("announced"):
        return contradict(fact, 0, cite(artifact, "limited"))
    return _ask_rule(facts, fact, "rate_limit_required")


def _find_endpoint(items: Sequence[Any], wanted: str) -> list[int]:
    return [index for index, item in enumerate(items) if is_same_endpoint(wanted, _endpoint_name(item))]


def _endpoint_name(item: Any) -> str:
    if isinstance(item, dict):
        name = item.get("endpoint") or f"{item.get('method', '')} {item.get('path', '')}"
        return str(name).strip()
    return str(item)
