"""Compare what is said to have been done to the checks of tests: which code they are of, stricter, or other values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.test_ids import split_name
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds

Entry = Mapping[str, Any]
_WEAKER = frozenset({"loosened", "blinded", "greened", "lost"})
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")


def measure_edited_tests(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``tests_of:NAME``, ``stricter:TEST`` or ``expectations:TEST``; the name follows the colon."""
    kind, _, name = fact.what.partition(":")
    if kind == "tests_of":
        return _measure_tests_of(artifact, fact, name)
    return _measure_named(facts, artifact, fact, _SHOWS[kind])


def _measure_tests_of(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Support where each changed test of base is called after the code; what a test is of, nothing else shows."""
    wanted = _list_words(split_name(name)[-1] if split_name(name) else "")
    changed = [
        (at, each)
        for at, each in enumerate(artifact.value.get("written", ()))
        if each["in"] != "head" and not each["same"]
    ]
    other = next((each for _, each in changed if not wanted or not wanted <= _list_words(each["test"])), None)
    if not changed or other is not None:
        what = f"whether {other['test']} is a test of {name} isn't known" if other else "no test of base changed"
        return leave_undecided(fact, what, cite(artifact, "total"))
    return holds(fact.value, *(cite(artifact, "written", at) for at, _ in changed[:SHOWN]), message=f"{fact}")


def _list_words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORDS.split(name) if word)


def _measure_named(facts: Facts, artifact: Artifact, fact: StatedFact, shows: Callable[[Entry], bool]) -> RuleOutcome:
    """Support by what the runs of a test show; refuted where its text is the same, or it checks less."""
    wanted = split_name(fact.what.partition(":")[2])
    tests = [(at, each) for at, each in enumerate(artifact.value["tests"]) if _is_called(each, wanted)]
    written = [(at, each) for at, each in enumerate(artifact.value.get("written", ())) if _is_called(each, wanted)]
    if written and all(each["same"] for _, each in written):
        return contradict(fact, "the text of the test is the same", cite(artifact, "written", written[0][0]))
    if len(tests) != 1:
        return leave_undecided(fact, f"{len(tests)} changed tests are called so", cite(artifact, "total"))
    at, entry = tests[0]
    ref = cite(artifact, "tests", at)
    if entry["class"] in _WEAKER:
        return contradict(fact, f"{entry['path']}::{entry['test']} is {entry['class']}", ref)
    judged = facts.weakenings
    for item in judged.items if judged is not None and shows is _notices_more else ():
        if item.weakening.test == entry["test"] and item.weakening.path == entry["path"] and item.accounted is None:
            return leave_undecided(fact, f"{item.weakening.target} may check less", ref)
    if shows(entry):
        return holds(fact.value, ref, message=f"{fact}")
    return leave_undecided(fact, "no run of its old and new form shows it", ref)


def _is_called(place: Mapping[str, Any], wanted: tuple[str, ...]) -> bool:
    return bool(wanted) and split_name(place["test"])[-len(wanted) :] == wanted


def _notices_more(entry: Entry) -> bool:
    """Whether the new form fails on the code of base, and the old one passes on both."""
    cells = entry["cells"]
    return [set(cells[key]) for key in ("BB", "HB", "BH", "HH")] == [{"P"}, {"P"}, {"F"}, {"P"}]


def _follows(entry: Entry) -> bool:
    """Whether each form passes on the code of its own version alone."""
    cells = entry["cells"]
    return [set(cells[key]) for key in ("BB", "HB", "BH", "HH")] == [{"P"}, {"F"}, {"F"}, {"P"}]


_SHOWS: Mapping[str, Callable[[Entry], bool]] = {"stricter": _notices_more, "expectations": _follows}
EDITED = frozenset({"tests_of", *_SHOWS})
"""What a fact is called, before its colon, that is compared here."""
