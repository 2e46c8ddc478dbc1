"""Compare statements that nothing was weakened with the findings of ``code:integrity``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import COUNTERFACTUAL, SENSITIVITY
from verigate.domain.facts import Facts
from verigate.domain.judged_weakenings import JudgedWeakening
from verigate.domain.known_failures import TESTS
from verigate.domain.statement_reading import StatedFact
from verigate.domain.weakening import CHANGED, NOT_COMPARABLE, OF_TESTS, AccountedBy
from verigate.domain.weight import REFUTING
from verigate.formats.pointer import join
from verigate.gate.measures.compare import compare, contradict, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite
from verigate.gate.time_for_mutants import describe_time_up

_OF_LINTERS = frozenset({"lint_config_weakened", "suppression_added"})
_OF_NEITHER = frozenset({"coverage_narrowed"})
_REMOVED = frozenset({"test_removed"})
_SKIPPED = frozenset({"test_skipped", "test_focused"})
_OF_ASSERTIONS = ("assertion_", "expectation_")
"""How the kinds begin that are about what a test checks, which runs as before."""
_OF_RUNS = ("/findings", "tests_")
_NOT_RUNNING = frozenset({"lost", NOT_COMPARABLE})

Chosen = Callable[[Any], bool]


def measure_integrity(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/findings`` (of tests), ``tests_removed``, ``tests_skipped``, ``linters`` or ``suppressions``.

    A weakening refutes the statement, also a disclosed one; one that runs of the test acquit is none. If
    that were runs on mutants, a statement about all tests is undecided, since mutants are a sample. A note, for which
    an honest change can have reasons, leaves it undecided: whether the tests are weaker is for a person to see. A
    suppression was added, whatever the reason.
    """
    if artifact.value["files_examined"] == 0:
        return leave_undecided(fact, "no changed file was examined", cite(artifact, "files_examined"))
    against, doubtful = _CHOSEN[fact.what]
    acquitted = _list_acquitted(facts, artifact)
    for chosen in (against, doubtful):
        found = [
            (index, item)
            for index, item in enumerate(artifact.value["findings"])
            if chosen(item) and join("findings", index) not in acquitted
        ]
        refs = tuple(cite(artifact, "findings", index) for index, _ in found[:SHOWN])
        if found and chosen is against:
            return contradict(fact, len(found), *refs)
        if found:
            noun = "note" if len(found) == 1 else "notes"
            return leave_undecided(fact, f"{len(found)} {noun}, first {_describe(found[0][1])}", *refs)
    return (
        _judge_measured(facts, fact)
        or _leave_sampled(facts, fact, artifact)
        or _leave_uncompared(facts, fact)
        or _leave_untried(facts, fact)
        or compare(fact, 0, cite(artifact, "findings"), cite(artifact, "files_examined"))
    )


def _leave_sampled(facts: Facts, fact: StatedFact, artifact: Artifact) -> RuleOutcome | None:
    """Leave open whether tests are weaker whose text is, and which notice all mutants that were tried."""
    if fact.what != "/findings":
        return None
    sampled = _list_acquitted(facts, artifact, SENSITIVITY)
    found = [
        (index, item)
        for index, item in enumerate(artifact.value["findings"])
        if join("findings", index) in sampled and _refutes(item)
    ]
    if not found:
        return None
    why = f"by its text a test is weaker, and the mutants that it notices are a sample: {_describe(found[0][1])}"
    return leave_undecided(fact, why, *(cite(artifact, "findings", index) for index, _ in found[:SHOWN]))


def _leave_uncompared(facts: Facts, fact: StatedFact) -> RuleOutcome | None:
    """Leave open whether tests are weaker where one that changed should have run on base, and couldn't.

    Of a file whose tests all stayed the same, or are new, the texts say enough.
    """
    if fact.what != "/findings":
        return None
    for artifact in facts.evidence.by_spec(COUNTERFACTUAL):
        tests = artifact.value.get("written", ())
        for index, each in enumerate(artifact.value["unexamined"]):
            own = [test for test in tests if test["path"] == each["path"]]
            if not own or any(test["in"] != "head" and not test["same"] for test in own):
                why = f"the changed tests of {each['path']} couldn't be compared with their base: {each['why']}"
                return leave_undecided(fact, why, cite(artifact, "unexamined", index))
    return None


def _judge_measured(facts: Facts, fact: StatedFact) -> RuleOutcome | None:
    """Judge by the weakenings that runs of the tests show; None if none is about the fact."""
    measured = _list_measured(facts) if fact.what.startswith(_OF_RUNS) else []
    if fact.what != "/findings":
        measured = [item for item in measured if item.weakening.kind in _NOT_RUNNING]
    if not measured:
        return None
    refs = tuple(item.evidence[0] for item in measured[:SHOWN])
    if all(item.weakening.follows for item in measured):
        return leave_undecided(fact, f"{len(measured)} tests follow a change of behaviour", *refs)
    if fact.what != "/findings":
        return leave_undecided(fact, f"tests of base that don't run any more: {len(measured)}", *refs)
    return contradict(fact, len(measured), *refs)


def _leave_untried(facts: Facts, fact: StatedFact) -> RuleOutcome | None:
    """Leave open whether tests are weaker that pass as before, and of which nobody knows what they notice by now."""
    if fact.what != "/findings":
        return None
    for artifact in facts.evidence.by_spec(SENSITIVITY):
        value = artifact.value
        held = {f"{each['path']}::{each['test']}" for each in value["held"]}
        if value["unexamined"] and value["asked"] > len(held):
            why = f"whether changed tests notice what they noticed isn't known: {value['unexamined'][0]['why']}"
            return leave_undecided(fact, why, cite(artifact, "unexamined", 0))
        for index, mutant in enumerate(value["mutants"]):
            if mutant["fate"] == "open" and not held.issuperset(mutant["base"]):
                why = f"whether {mutant['base'][0]} notices what it noticed isn't known: {describe_time_up(value)}"
                return leave_undecided(fact, why, cite(artifact, "mutants", index))
    return None


def _list_acquitted(facts: Facts, artifact: Artifact, spec: str | None = None) -> frozenset[str]:
    """List the places of findings that evidence accounts for, or artifacts of one kind."""
    judged = facts.weakenings
    by = None if spec is None else {each.path for each in facts.evidence.by_spec(spec)}
    return frozenset(
        ref.pointer
        for item in (judged.accounted if judged is not None else ())
        if item.accounted is not None and item.accounted.by is AccountedBy.EVIDENCE
        if by is None or item.accounted.reference.partition("#")[0] in by
        for ref in item.evidence
        if ref.artifact == artifact.path
    )


def _list_measured(facts: Facts) -> list[JudgedWeakening]:
    """List the weakenings that runs of the tests show."""
    judged = facts.weakenings
    own = {artifact.path for spec in (COUNTERFACTUAL, TESTS, SENSITIVITY) for artifact in facts.evidence.by_spec(spec)}
    return [item for item in (judged.items if judged is not None else ()) if item.evidence[0].artifact in own]


def _describe(item: Any) -> str:
    line = f":{item['line']}" if item.get("line") else ""
    return f"{item.get('kind')} in {item.get('path')}{line}"


def _refutes(item: Any) -> bool:
    return item.get("weight") in REFUTING and item.get("kind") != CHANGED


def _refutes_linters(item: Any) -> bool:
    return _refutes(item) and not str(item.get("kind")).startswith(OF_TESTS)


def _is_suppression(item: Any) -> bool:
    return bool(item.get("kind") == "suppression_added")


def _refutes_kinds(kinds: frozenset[str]) -> Chosen:
    return lambda item: _refutes(item) and item.get("kind") in kinds


def _leaves_running(item: Any, elsewhere: frozenset[str]) -> bool:
    """Whether a finding is about linters, about what tests check, or of a kind that another statement is about."""
    kind = str(item.get("kind"))
    return kind in _OF_LINTERS or kind in elsewhere or kind.startswith(_OF_ASSERTIONS)


def _leaves_open(others: Chosen) -> Chosen:
    """Choose all that ``others`` doesn't and that is about tests or linters: an unknown kind counts."""
    return lambda item: item.get("kind") not in _OF_NEITHER and not others(item)


_CHOSEN: Mapping[str, tuple[Chosen, Chosen]] = {
    "/findings": (_refutes, _leaves_open(lambda item: item.get("kind") in _OF_LINTERS)),
    "tests_removed": (_refutes_kinds(_REMOVED), _leaves_open(lambda item: _leaves_running(item, _SKIPPED))),
    "tests_skipped": (_refutes_kinds(_SKIPPED), _leaves_open(lambda item: _leaves_running(item, _REMOVED))),
    "linters": (_refutes_linters, _leaves_open(lambda item: str(item.get("kind")).startswith(OF_TESTS))),
    "suppressions": (_is_suppression, lambda _: False),
}
"""For each fact, the findings that refute it, and those that leave it undecided."""
