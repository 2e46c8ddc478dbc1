"""Evaluate a profile's custom rules, written in CEL (Common Expression Language, cel.dev).

Variables: ``artifacts`` (path -> value), ``claim``, ``commitment`` and ``metrics``. The library is imported only when a
profile has such a rule. An expression that can't be evaluated is an error, never false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verigate.domain.facts import Facts
from verigate.domain.rules import list_custom_rule_places, list_custom_rule_reads
from verigate.domain.verdict import Check, CheckOutcome
from verigate.formats import pointer
from verigate.gate.rule_outcome import RuleOutcome, cite, error, not_applicable, refuted, unknown

_MOST_CITED = 20
_OF_VALUES = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError)
"""What the library lets through of operators that don't suit their values."""


def check_custom_rules(facts: Facts, metrics: Mapping[str, Any]) -> Iterable[Check]:
    """Check each entry of the profile's ``rules``, as ``custom.<id>``."""
    rules = facts.profile.rules.get("rules") or ()
    if not rules:
        return
    engine = _Engine(_collect_variables(facts, metrics))
    for rule in rules:
        yield _judge_rule(facts, engine, rule).as_check(f"custom.{rule['id']}", rule["expr"])


def _collect_variables(facts: Facts, metrics: Mapping[str, Any]) -> dict[str, Any]:
    claim = facts.task.claim
    return {
        "artifacts": {
            path: pointer.copy_without(artifact.value, artifact.volatile)
            for path, artifact in facts.evidence.artifacts.items()
            if artifact.is_json
        },
        "claim": dict(claim.document) if claim else {},
        "commitment": dict(facts.task.commitment.document),
        "metrics": dict(metrics),
    }


def _judge_rule(facts: Facts, engine: _Engine, rule: Mapping[str, Any]) -> RuleOutcome:
    reads = list_custom_rule_reads(rule)
    absent = [path for path in reads if path not in facts.evidence.artifacts]
    if absent:
        return unknown("ARTIFACT_MISSING", f"{', '.join(absent)} is not among the artifacts of this run")
    evidence = tuple(
        cite(facts.evidence.artifacts[path], *steps) for path, steps in list_custom_rule_places(rule)[:_MOST_CITED]
    )
    try:
        if rule.get("when") and not engine.evaluate(rule["when"]):
            return not_applicable(f"its condition is false: {rule['when']}")
        true = engine.evaluate(rule["expr"])
    except CelError as failure:
        return error("CUSTOM_RULE", f"{failure}; expression: {rule['expr']}")
    if true:
        return RuleOutcome(CheckOutcome.HOLDS, actual=True, evidence=evidence)
    return refuted("CUSTOM_RULE", str(rule.get("message") or f"{rule['expr']} is false"), False, *evidence)


class CelError(Exception):
    """An expression that does not compile, does not evaluate, or is not a boolean."""


class _Engine:
    """A CEL interpreter with a fixed set of variables."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        import celpy
        from celpy.adapter import json_to_cel

        self._celpy = celpy
        self._environment = celpy.Environment()
        self._activation = {name: json_to_cel(value) for name, value in variables.items()}

    def evaluate(self, expression: str) -> bool:
        """Evaluate a boolean expression. Raises CelError."""
        celpy = self._celpy
        try:
            program = self._environment.program(self._environment.compile(expression))
            value = program.evaluate(self._activation)
        except (celpy.CELParseError, celpy.CELEvalError, *_OF_VALUES) as problem:
            said = problem.args[0] if problem.args and isinstance(problem.args[0], str) else str(problem)
            first = (said.splitlines() or [type(problem).__name__])[0]
            raise CelError(f"it does not evaluate: {first[:200]}") from problem
        if not isinstance(value, bool | celpy.celtypes.BoolType):
            raise CelError(f"it is {type(value).__name__}, not a boolean")
        return bool(value)
