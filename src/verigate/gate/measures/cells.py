"""Compare statements about behaviour, existing tests, fixes and rewritten tests with the cells of tests.

What isn't compared supports nothing: a file that no run examined, a test whose cells decide nothing, and a false report
leave each statement undecided. Nothing of them depends on what the profile allows: a test that followed a change of
behaviour is a fact against "no behaviour change".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import INTEGRITY, SENSITIVITY, reads_source
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.test_ids import split_name
from verigate.domain.verdict import CheckOutcome, EvidenceRef
from verigate.gate.fixes import judge_fix, list_believed, list_proofs
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.edited_tests import EDITED, measure_edited_tests
from verigate.gate.measures.parts import is_at_or_below
from verigate.gate.measures.rewritten_tests import measure_rewriting
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds

Entry = Mapping[str, Any]
_OPEN = frozenset({"flaky", "not_comparable"})


def measure_cells(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``fix:TEST``, ``fixes``, ``regression_tests``, ``behaviour``, ``existing_tests`` or a rewriting."""
    if fact.what.startswith("fix:"):
        return _measure_named_fix(facts, fact)
    if artifact not in list_believed(facts):
        why = "only runs with true reports decide it" if artifact.path == fact.artifact else "it isn't the standard one"
        return leave_undecided(fact, why, cite(artifact, "control"))
    if fact.what.startswith("behaviour:"):
        return _measure_own_behaviour(facts, artifact, fact)
    if fact.what.partition(":")[0] in EDITED:
        return measure_edited_tests(facts, artifact, fact)
    return _MEASURES.get(fact.what, _measure_rewriting)(facts, artifact, fact)


def _measure_named_fix(facts: Facts, fact: StatedFact) -> RuleOutcome:
    answer = judge_fix(facts, fact.what.removeprefix("fix:"))
    if answer.outcome is CheckOutcome.HOLDS:
        return holds(answer.actual, *answer.evidence, message=str(fact))
    if answer.outcome is CheckOutcome.REFUTED:
        return contradict(fact, f"not: {answer.message}", *answer.evidence)
    return leave_undecided(fact, answer.message, *answer.evidence)


def _measure_fixes(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by tests that prove a fix; refuted where a failing test was edited until it passed, on code as broken."""
    tests = artifact.value["tests"]
    if reading := tuple(cite(artifact, "tests", index) for index, each in enumerate(tests) if reads_source(each)):
        return contradict(fact, "a test reads the source of the code", *reading[:SHOWN])
    against = _cite_classes(artifact, {"greened"})
    if against:
        return contradict(fact, "a test that failed was edited, and fails as before without the edit", *against)
    return _count_proofs(artifact, fact, list(range(len(tests))))


def _measure_regression_tests(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by new tests that prove a fix; refuted if every new test passes on the code of base, or there is none."""
    tests = artifact.value["tests"]
    added = [index for index, entry in enumerate(tests) if set(entry["cells"]["BB"]) == {"N"}]
    judged = _count_proofs(artifact, fact, added)
    if judged.outcome is CheckOutcome.HOLDS or artifact.value["unexamined"]:
        return judged
    if any(entry["class"] in {"proven", "added", *_OPEN} for entry in tests):
        return judged
    if not added:
        return contradict(fact, 0, cite(artifact, "total"))
    refs = tuple(cite(artifact, "tests", index) for index in added[:SHOWN])
    return contradict(fact, "no new test fails on the code of base", *refs)


def _measure_new_tests(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by tests that base doesn't have, that pass and that can fail.

    What is one test, and what a case of it, is counted in several ways: too few of a number refute nothing.
    """
    tests, place = artifact.value["tests"], fact.scope
    blind = {
        (entry["path"], entry["test"])
        for own in facts.evidence.by_spec(SENSITIVITY)
        for entry in own.value["unfailing"]
        if entry["new"]
    }
    added = [
        index
        for index, each in enumerate(tests)
        if set(each["cells"]["BB"]) == {"N"} and set(each["cells"]["HH"]) == {"P"}
    ]
    if place is not None:
        elsewhere, added = added, [index for index in added if is_at_or_below(tests[index]["path"], place)]
        if elsewhere and not added:
            return leave_undecided(fact, "the new tests are in other files", cite(artifact, "tests", elsewhere[0]))
    able = [index for index in added if (tests[index]["path"], tests[index]["test"]) not in blind]
    refs = tuple(cite(artifact, "tests", index) for index in (able or added)[:SHOWN])
    if len(able) >= int(fact.value) > 0:
        return holds(len(able), *refs, message=f"{fact}")
    if artifact.value["unexamined"]:
        return leave_undecided(fact, "not all changed tests were run", cite(artifact, "unexamined"))
    if able:
        return leave_undecided(fact, f"{len(able)} new tests pass and can fail", *refs)
    if added:
        return contradict(fact, "the new tests pass whatever they compare with", *refs)
    return contradict(fact, 0, cite(artifact, "total"))


def _measure_removed_tests(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by tests that ran on base and are in no report of the subject, as cases or without their parameters."""
    tests = artifact.value["tests"]
    gone = [index for index, each in enumerate(tests) if _is_gone(each)]
    refs = tuple(cite(artifact, "tests", index) for index in gone[:SHOWN])
    names = {(tests[index]["path"], split_name(tests[index]["test"])) for index in gone}
    if gone and int(fact.value) in {len(gone), len(names)}:
        return holds(int(fact.value), *refs, message=f"{fact}")
    if artifact.value["unexamined"]:
        return leave_undecided(fact, "not all changed tests were run", cite(artifact, "unexamined"))
    found = [own for own in facts.evidence.by_spec(INTEGRITY) if any(map(_says_removed, own.value["findings"]))]
    if gone or found:
        return leave_undecided(fact, f"tests of base that are gone: {len(gone)}", *(refs or (cite(artifact, "total"),)))
    return contradict(fact, 0, cite(artifact, "total"))


def _is_gone(entry: Entry) -> bool:
    """Whether a test that ran on base isn't in the reports of the subject's own tests."""
    return set(entry["cells"]["HH"]) == {"N"} and set(entry["cells"]["BB"]) != {"N"}


def _says_removed(finding: Mapping[str, Any]) -> bool:
    return finding.get("kind") in {"test_removed", "unexamined"}


def _count_proofs(artifact: Artifact, fact: StatedFact, among: list[int]) -> RuleOutcome:
    judged = [(index, answer) for index, answer in list_proofs(artifact) if index in set(among)]
    proven = [index for index, answer in judged if answer.outcome is CheckOutcome.HOLDS]
    refs = tuple(cite(artifact, "tests", index) for index in proven[:SHOWN])
    if len(proven) >= int(fact.value) > 0:
        return holds(len(proven), *refs, message=f"{fact}")
    open_ones = [answer.message for _, answer in judged if answer.outcome is not CheckOutcome.HOLDS]
    why = open_ones[0] if open_ones else f"{len(proven)} tests prove a fix"
    return leave_undecided(fact, why, *(refs or (cite(artifact, "total"),)))


def _measure_behaviour(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Refuted by a test that does something else on the code of the subject, in one form or the other."""
    differing = [index for index, entry in enumerate(artifact.value["tests"]) if _differs(entry)]
    if differing:
        refs = tuple(cite(artifact, "tests", index) for index in differing[:SHOWN])
        first = artifact.value["tests"][differing[0]]
        what = f"{len(differing)} tests do something else, first {first['path']}::{first['test']} ({first['class']})"
        return contradict(fact, what, *refs)
    return _require_compared(artifact, fact) or _hold(artifact, fact)


def _measure_own_behaviour(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support of a function what is supported of all code; a test that does something else may be about other code."""
    judged = _measure_behaviour(facts, artifact, fact)
    if judged.outcome is not CheckOutcome.REFUTED:
        return judged
    return leave_undecided(fact, f"{judged.actual}", *judged.evidence)


def _differs(entry: Entry) -> bool:
    """Whether one form of a test passes on the code of one version, and fails on that of the other.

    What the form of the subject does without names that base doesn't have says nothing.
    """
    if entry["class"] in _OPEN:
        return False
    cells = entry["cells"]
    of_head = () if entry.get("new") else ((cells["BH"], cells["HH"]),)
    pairs = ((cells["BB"], cells["HB"]), *of_head)
    failing = {"F", "X"} if entry.get("gone") else {"F"}
    return any(
        (set(one) == {"P"} and set(other) <= failing) or (set(one) == {"F"} and set(other) == {"P"})
        for one, other in pairs
    )


def _measure_existing_tests(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Refuted by a test of base that, as it was there, fails on the code of the subject.

    One that ran by other names, or found what it imports where it no longer stands, ran, but not as it was.
    """
    against = []
    for index, entry in enumerate(artifact.value["tests"]):
        cells = entry["cells"]
        broken = set(cells["HB"]) <= ({"F", "X"} if entry.get("gone") else {"F"})
        if entry["class"] not in _OPEN and set(cells["BB"]) != {"N"} and broken:
            against.append(index)
    if against:
        refs = tuple(cite(artifact, "tests", index) for index in against[:SHOWN])
        return contradict(fact, f"{len(against)} tests of base fail as they were", *refs)
    for key, what in (("moved", "moved"), ("renamed", "has another name")):
        if entries := artifact.value.get(key):
            why = f"{entries[0]['from']} {what}, and tests that use it were run as if it hadn't"
            return leave_undecided(fact, why, cite(artifact, key, 0))
    if gone := _cite_classes(artifact, {"lost"}):
        return leave_undecided(fact, f"{len(gone)} tests of base are gone", *gone)
    return _require_compared(artifact, fact) or _hold(artifact, fact)


def _measure_rewriting(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    return measure_rewriting(facts, artifact, fact, _require_compared(artifact, fact))


def _require_compared(artifact: Artifact, fact: StatedFact) -> RuleOutcome | None:
    """Leave it undecided if anything was not compared."""
    if artifact.value["unexamined"]:
        first = artifact.value["unexamined"][0]
        why = f"{first['path']} was not compared: {first['why']}"
        return leave_undecided(fact, why, cite(artifact, "unexamined"))
    open_ones = [index for index, entry in enumerate(artifact.value["tests"]) if _is_open(entry)]
    if open_ones:
        refs = tuple(cite(artifact, "tests", index) for index in open_ones[:SHOWN])
        return leave_undecided(fact, f"{len(open_ones)} tests can't be compared", *refs)
    return None


def _is_open(entry: Entry) -> bool:
    """Whether the runs say nothing of what the form of base does on the code of the subject."""
    cells = entry["cells"]
    return entry["class"] in _OPEN or (set(cells["BB"]) == {"P"} and not set(cells["HB"]) <= {"P", "F"})


def _cite_classes(artifact: Artifact, classes: set[str]) -> tuple[EvidenceRef, ...]:
    found = [index for index, entry in enumerate(artifact.value["tests"]) if entry["class"] in classes]
    return tuple(cite(artifact, "tests", index) for index in found[:SHOWN])


def _hold(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support by the tests whose form of base passes on the new code; without any, by those that are the same.

    That the same ones pass is for the statement's other fact.
    """
    held = [index for index, each in enumerate(artifact.value["tests"]) if set(each["cells"]["HB"]) == {"P"}]
    if held:
        return holds(len(held), *(cite(artifact, "tests", index) for index in held[:SHOWN]), message=f"{fact}")
    if artifact.value.get("same"):
        return holds(0, cite(artifact, "same"), message=f"{fact}")
    return leave_undecided(fact, "there is no test of base to go by", cite(artifact, "total"))


_MEASURES: Mapping[str, Callable[[Facts, Artifact, StatedFact], RuleOutcome]] = {
    "fixes": _measure_fixes,
    "regression_tests": _measure_regression_tests,
    "new_tests": _measure_new_tests,
    "removed_tests": _measure_removed_tests,
    "behaviour": _measure_behaviour,
    "existing_tests": _measure_existing_tests,
}
