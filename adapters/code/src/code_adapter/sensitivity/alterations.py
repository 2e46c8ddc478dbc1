"""Alter what the changed tests of the subject compare with. A test that passes all the same can't fail there."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.sides import Sides
from code_adapter.sensitivity.asked_tests import Changed
from code_adapter.sensitivity.expected_values import list_expected
from code_adapter.sensitivity.mutants import Mutant
from code_adapter.sensitivity.trials import Bench, Budget, OutOfTimeError, Trials, choose_only

_MOST_ROUNDS = 5
"""So many values of one test are altered, one in each run."""


@dataclass(frozen=True)
class Value:
    """An altered value, and the text of the line that it stands in."""

    line: str
    mutant: Mutant

    def is_like(self, other: Value) -> bool:
        """Whether the other one, of another version of the file, is the same."""
        return (self.line, self.mutant.was, self.mutant.text) == (other.line, other.mutant.was, other.mutant.text)


@dataclass(frozen=True)
class Unfailing:
    """A test that passes though ``value``, which one of its assertions compares with, is altered."""

    test: Changed
    value: Value


def find_unfailing(bench: Bench, changed: Sequence[Changed]) -> tuple[list[Unfailing], str]:
    """Find values that can be altered, and why not all were tried, "" if they were.

    What base's form of a test doesn't notice either isn't the change's.
    """
    sides = bench.calls.sides
    chosen = frozenset(bench.runner.choose(sorted({each.test.path for each in changed}), sorted(sides.mixed)))
    own = {
        each.test: each
        for each in changed
        if each.test.path in chosen and (each.base is None or _differs(sides, each.base, each.test))
    }
    values = {test: listed for test, listed in _list_values(sides.head_forms, own).items() if listed}
    if not values:
        return [], ""
    try:
        trials = bench.begin("HH", sorted({test.path for test in values}), choose_only(values))
        if trials is None:
            return [], "the changed tests don't pass by themselves"
        found = [Unfailing(own[test], value) for test, value in _try(trials, values)]
        return list(_drop_old(bench, found, values, trials.budget)), ""
    except OutOfTimeError:
        return [], bench.time_up


def _differs(sides: Sides, base: TestName, head: TestName) -> bool:
    return sides.base_forms.find(base) != sides.head_forms.find(head)


def _list_values(forms: Forms, tests: Collection[TestName]) -> dict[TestName, list[Value]]:
    """List the altered values of these tests, with the lines that they stand in."""
    found: dict[TestName, list[Value]] = {test: [] for test in tests}
    for path in sorted({test.path for test in tests}):
        source = forms.read(path)
        if "\ufffd" in source:
            continue  # places in it are those of another text than the file's
        lines = source.split("\n")
        for item in list_expected(path, source.encode()):
            listed = found.get(TestName(path, item.test))
            if listed is not None:
                listed.append(Value(lines[item.value.line - 1].strip(), item.value))
    return found


def _digest(value: Value) -> str:
    return hashlib.sha256(f"{value.line} {value.mutant.start} {value.mutant.describe()}".encode()).hexdigest()


def _try(trials: Trials, values: Mapping[TestName, Sequence[Value]]) -> Iterator[tuple[TestName, Value]]:
    """Alter values, and yield those with which their test passes.

    Each test has one altered value in a run, so that all tests are tried at once.
    """
    ordered = {test: sorted(listed, key=_digest)[:_MOST_ROUNDS] for test, listed in values.items()}
    for number in range(_MOST_ROUNDS):
        turn = {
            test: listed[number] for test, listed in ordered.items() if number < len(listed) and test in trials.passing
        }
        passing = trials.find_passing(*(each.mutant for each in turn.values())) if turn else None
        yield from ((test, turn[test]) for test in sorted(passing or ()) if test in turn)


def _drop_old(
    bench: Bench, found: Sequence[Unfailing], head: Mapping[TestName, Sequence[Value]], budget: Budget
) -> Iterator[Unfailing]:
    """Drop the values in lines of base with which base's form passes as well, or of which nobody knows.

    Dropped is also what a test only has besides all values that base's form has: it takes the place of none of them.
    """
    bases = {each.test.base for each in found if each.test.base is not None}
    values = _list_values(bench.calls.sides.base_forms, bases)
    kept: dict[TestName, list[Value]] = {}
    for item in found:
        own = values.get(item.test.base, []) if item.test.base is not None else []
        same = [each for each in own if each.is_like(item.value)]
        if not same:
            is_replaced = any(not any(each.is_like(other) for other in head[item.test.test]) for each in own)
            if item.test.base is None or is_replaced:
                yield item
        elif item.test.base is not None:
            kept.setdefault(item.test.base, []).append(same[0])
    if not kept:
        return
    trials = bench.begin("BB", sorted({test.path for test in kept}), choose_only(kept), budget)
    if trials is None:
        return
    old = {test: [value for other, value in _try(trials, kept) if other == test] for test in kept}
    for item in found:
        if item.test.base in kept and item.test.base in trials.passing:
            noticed = [each for each in kept[item.test.base] if each not in old[item.test.base]]
            if any(each.is_like(item.value) for each in noticed):
                yield item
