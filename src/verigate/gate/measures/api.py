"""What statements about an API are held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome
from verigate.gate.answer import SHOWN, Answer, cite, cite_each
from verigate.gate.measures.compare import compared, contradicted, undecided
from verigate.gate.rules.api import JUDGES, percentile, samples
from verigate.gate.symbols import same_endpoint
from verigate.statements.values import Fact, Relation


def responses(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``failing``, counted; ``p50`` to ``p99`` and ``latency`` in ms; an endpoint, whose value is its status."""
    if not artifact.value:
        return undecided(fact, "no endpoint was called", cite(artifact))
    if fact.what == "failing":
        failing = [name for name, entry in sorted(artifact.value.items()) if not _succeeds(entry)]
        refs = tuple(cite(artifact, name, "status") for name in failing[:SHOWN])
        return compared(fact, len(failing), *(refs or (cite(artifact, min(artifact.value), "status"),)))
    if fact.what in {"latency", "p50", "p90", "p95", "p99"}:
        return _latency(artifact, fact)
    called = [name for name in sorted(artifact.value) if same_endpoint(fact.what, name)]
    if not called:
        return undecided(fact, "it was not called")
    wrong = [name for name in called if artifact.value[name]["status"] != fact.value]
    name = (wrong or called)[0]
    return compared(fact, artifact.value[name]["status"], cite(artifact, name, "status"))


def _succeeds(entry: Any) -> bool:
    status = entry["status"]
    return isinstance(status, int) and 200 <= status <= 299


def _latency(artifact: Artifact, fact: Fact) -> Answer:
    """Each endpoint by itself; the milliseconds differ from run to run and are not told."""
    fraction = 1.0 if fact.what == "latency" else int(fact.what[1:]) / 100
    over: list[str] = []
    for name, entry in sorted(artifact.value.items()):
        times = samples(entry)
        if not times:
            return undecided(fact, f"no latency was measured of {name}", cite(artifact))
        value, limit = percentile(times, fraction), float(fact.value)
        if not (value < limit if fact.relation is Relation.LT else value <= limit):
            over.append(name)
    if fact.relation not in {Relation.LT, Relation.LE}:
        return undecided(fact, "no measurement can say that", cite(artifact))
    if over:
        return contradicted(fact, f"more for {', '.join(over[:SHOWN])}", cite(artifact))
    return compared(fact, fact.value, cite(artifact)) if fact.relation is Relation.LE else _below(artifact, fact)


def _below(artifact: Artifact, fact: Fact) -> Answer:
    return Answer(CheckOutcome.HOLDS, "less", str(fact), None, (cite(artifact),))


def schema(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``/ok``, and no ``/errors``, as the rule ``schema_valid`` has it; other numbers of ``/errors`` are counted."""
    if fact.what == "/ok" or (fact.value == 0 and fact.relation is Relation.EQ):
        return _by_rule(facts, fact, "schema_valid")
    errors = artifact.value["errors"]
    count = max(len(errors), int(artifact.value.get("errors_total") or 0))
    return compared(fact, count, cite(artifact, "errors"))


def _by_rule(facts: Facts, fact: Fact, key: str) -> Answer:
    """The answer of a rule to the same question. A zero that refutes the rule decides no statement."""
    answer = JUDGES[key](facts, True)
    if answer.outcome is CheckOutcome.HOLDS:
        return Answer(CheckOutcome.HOLDS, answer.actual, str(fact), None, answer.evidence)
    if answer.outcome is CheckOutcome.REFUTED and answer.actual:
        return contradicted(fact, answer.message, *answer.evidence)
    return undecided(fact, answer.message, *answer.evidence)


def endpoints(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``/discovered`` and ``/undocumented``, counted."""
    if not artifact.value["discovered"]:
        return undecided(fact, "no endpoint was discovered", cite(artifact, "discovered"))
    key = fact.what.removeprefix("/")
    return compared(fact, len(artifact.value[key]), *(cite_each(artifact, key) or (cite(artifact, key),)))


def auth(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``violations`` as the rule ``auth_required`` has it, ``public`` counted, an endpoint ``protected`` or not."""
    if fact.what == "violations":
        return _by_rule(facts, fact, "auth_required")
    value = artifact.value
    if fact.what == "public":
        if not value["endpoints_protected"]:
            return undecided(fact, "no endpoint is known to be protected", cite(artifact, "endpoints_protected"))
        return compared(fact, len(value["endpoints_public"]), cite(artifact, "endpoints_public"))
    for key, word in (("violations", "public"), ("endpoints_protected", "protected"), ("endpoints_public", "public")):
        for index in _same(value.get(key) or (), fact.what):
            return compared(fact, word, cite(artifact, key, index))
    return undecided(fact, "it was not probed")


def rate_limits(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``limited``, counted; or an endpoint that is."""
    value = artifact.value
    if fact.what != "limited":
        for key in ("limited", "probed"):
            for index in _same(value.get(key) or (), fact.what):
                announced = _same(value.get("announced") or (), fact.what)
                if key == "probed" and announced:
                    return undecided(fact, "a limit is announced that the probing didn't reach")
                return compared(fact, key if key == "limited" else "not limited", cite(artifact, key, index))
        return undecided(fact, "it was not probed")
    if fact.relation is Relation.GT:
        return _by_rule_or_zero(facts, artifact, fact)
    if value.get("announced") or not value.get("probed"):
        return undecided(fact, "no limit was met, and one may be there", cite(artifact, "limited"))
    return compared(fact, len(value["limited"]), cite(artifact, "limited"))


def _by_rule_or_zero(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    if not artifact.value["limited"] and artifact.value.get("probed") and not artifact.value.get("announced"):
        return contradicted(fact, 0, cite(artifact, "limited"))
    return _by_rule(facts, fact, "rate_limit_required")


def _same(items: Sequence[Any], wanted: str) -> list[int]:
    return [index for index, item in enumerate(items) if same_endpoint(wanted, _name(item))]


def _name(item: Any) -> str:
    if isinstance(item, dict):
        name = item.get("endpoint") or f"{item.get('method', '')} {item.get('path', '')}"
        return str(name).strip()
    return str(item)
