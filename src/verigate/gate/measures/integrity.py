"""Compare statements that nothing was weakened with the findings of ``code:integrity``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.weight import REFUTING
from verigate.gate.measures.compare import compare, contradict, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, cite_each

_ABOUT_TESTS = ("test_", "assertion_")
_OF_LINTERS = frozenset({"lint_config_weakened", "suppression_added"})
_OF_NEITHER = frozenset({"coverage_narrowed"})

Chosen = Callable[[Any], bool]


def measure_integrity(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/findings`` (of tests), ``linters`` or ``suppressions``.

    What refutes the rule ``integrity`` refutes the statement. A note, for which an honest change can have reasons,
    leaves it undecided: whether the tests are weaker is for a person to see. A suppression was added, whatever the
    reason.
    """
    if artifact.value["files_examined"] == 0:
        return leave_undecided(fact, "no changed file was examined", cite(artifact, "files_examined"))
    against, doubtful = _CHOSEN[fact.what]
    for chosen in (against, doubtful):
        found = [item for item in artifact.value["findings"] if chosen(item)]
        refs = cite_each(artifact, "findings", chosen)
        if found and chosen is against:
            return contradict(fact, len(found), *refs)
        if found:
            noun = "note" if len(found) == 1 else "notes"
            return leave_undecided(fact, f"{len(found)} {noun}, first {_describe(found[0])}", *refs)
    return compare(fact, 0, cite(artifact, "findings"), cite(artifact, "files_examined"))


def _describe(item: Any) -> str:
    line = f":{item['line']}" if item.get("line") else ""
    return f"{item.get('kind')} in {item.get('path')}{line}"


def _refutes(item: Any) -> bool:
    return item.get("weight") in REFUTING


def _refutes_linters(item: Any) -> bool:
    return _refutes(item) and not str(item.get("kind")).startswith(_ABOUT_TESTS)


def _is_suppression(item: Any) -> bool:
    return bool(item.get("kind") == "suppression_added")


def _leaves_open(others: Chosen) -> Chosen:
    """Choose all that ``others`` doesn't and that is about tests or linters: an unknown kind counts."""
    return lambda item: item.get("kind") not in _OF_NEITHER and not others(item)


_CHOSEN: Mapping[str, tuple[Chosen, Chosen]] = {
    "/findings": (_refutes, _leaves_open(lambda item: item.get("kind") in _OF_LINTERS)),
    "linters": (_refutes_linters, _leaves_open(lambda item: str(item.get("kind")).startswith(_ABOUT_TESTS))),
    "suppressions": (_is_suppression, lambda _: False),
}
"""For each fact, the findings that refute it, and those that leave it undecided."""
