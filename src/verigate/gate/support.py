"""Take away the support of what rests on a weakened check: a test that checks less says less when it passes."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.facts import Facts
from verigate.domain.judged_weakenings import JudgedWeakening
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import CheckOutcome
from verigate.domain.weakening import OF_TESTS
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, unknown

_TESTS = frozenset({"tests.json", "coverage.json"})
_LINT = frozenset({"lint.json"})
_COVERAGE = frozenset({"coverage.json"})
_RESTING = _TESTS | _LINT | _COVERAGE | {"build.json"}
"""Artifacts whose facts rest on checks that a change can weaken. ``counterfactual.json`` knows each test by itself."""

_AMOUNTS = frozenset({"/skipped", "/total", "/files_checked"})
_BY_KIND = {
    "coverage_narrowed": _COVERAGE,
    "threshold_lowered": _COVERAGE,
    "lint_config_weakened": _LINT,
    "suppression_added": _LINT,
}
_CLASSES = frozenset({"lost", "blinded", "greened", "loosened", "followed", "flaky", "not_comparable", "lost_power"})


def withdraw_support(facts: Facts, fact: StatedFact, answer: RuleOutcome) -> RuleOutcome:
    """Return ``answer``, undecided if it is supported by what a check found that is weakened.

    How much there was to check, and what is stated as a shortcoming, doesn't rest on the strength of a check.
    """
    if answer.outcome is not CheckOutcome.HOLDS or fact.bad or fact.what in _AMOUNTS:
        return answer
    weakened = list(find_weakened(facts, fact.artifact))
    if not weakened:
        return answer
    named = ", ".join(dict.fromkeys(f"{item.weakening.kind} in {item.weakening.target}" for item in weakened[:SHOWN]))
    more = f" and {len(weakened) - SHOWN} more" if len(weakened) > SHOWN else ""
    refs = (*answer.evidence, *(ref for item in weakened[:SHOWN] for ref in item.evidence[:1]))
    return unknown("WEAKENING_DISCLOSED", f"it rests on what the change weakens: {named}{more}", answer.actual, *refs)


def find_weakened(facts: Facts, artifact: str) -> Iterator[JudgedWeakening]:
    """Find the weakenings that take support away from the facts of an artifact. An unknown kind takes it from all."""
    for item in facts.weakenings.items if facts.weakenings is not None else ():
        if item.takes_support and artifact in _list_artifacts(item.weakening.kind):
            yield item


def _list_artifacts(kind: str) -> frozenset[str]:
    if kind in _CLASSES or kind.startswith(OF_TESTS):
        return _TESTS
    return _BY_KIND.get(kind, _RESTING)
