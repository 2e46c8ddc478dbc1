"""The runs and the time for mutants."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, cast

import pytest

from code_adapter.sensitivity.mutants import list_mutants
from code_adapter.sensitivity.project import Project
from code_adapter.sensitivity.trials import Bench, Budget, OutOfTimeError, Trials

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_adapter.counterfactual.cell_calls import CellCalls
    from code_adapter.counterfactual.cell_runs import CellRunner, TestName
    from code_adapter.sensitivity.mutants import Mutant
    from verigate.sdk import Request
    from verigate.sdk.subject import Repository


def make_bench(seconds: float | None) -> Bench:
    return Bench(cast("Request", None), cast("CellCalls", None), cast("CellRunner", None), seconds)


def make_project(wanted: int, seconds: float | None = None) -> Project:
    return Project(make_bench(seconds), cast("Repository", None), (), wanted)


@pytest.mark.parametrize(
    ("run_s", "number"),
    [(0.01, 25), (0.4, 25), (1.3, 25), (1.7, 18), (2.2, 13), (2.8, 9), (3.6, 6), (5.0, 3), (9.0, 3)],
)
def test_mutants_are_counted_so_that_a_machine_that_is_three_times_as_slow_tries_as_many(
    run_s: float, number: int
) -> None:
    assert make_project(20).choose_number(run_s) == number


@pytest.mark.parametrize(("wanted", "number"), [(3, 12), (5, 12), (10, 12), (40, 50)])
def test_where_few_are_wanted_there_is_still_something_to_choose_from(wanted: int, number: int) -> None:
    assert make_project(wanted).choose_number(0.4) == number


def test_where_the_time_is_configured_it_decides() -> None:
    assert make_project(20, 300.0).choose_number(0.4) == 100
    assert make_bench(300.0).stage_runs == math.inf
    assert make_bench(None).stage_runs == 40


@pytest.mark.parametrize(
    ("seconds", "runs"), [(0.01, 1), (0.25, 1), (1.0, 1), (1.2, 1), (1.3, 2), (2.0, 2), (2.2, 2), (9.9, 10)]
)
def test_a_longer_run_counts_as_several(seconds: float, runs: int) -> None:
    assert Budget(0, 1.0, 1.0).weigh(seconds) == runs


def test_the_time_ends_it_in_any_case() -> None:
    budget = Budget(time.monotonic() + 10, 0.1, 0.1)
    assert budget.has_room(9)
    assert not budget.has_room(11)
    assert 9 < budget.check() <= 10
    budget.until = time.monotonic()
    with pytest.raises(OutOfTimeError):
        budget.check()


class Scripted(Trials):
    """Trials whose runs take no time; those of ``slow`` mutants are ended by their limit, as long as five runs."""

    slow: frozenset[Mutant] = frozenset()

    def find_noticing(self, *mutants: Mutant) -> frozenset[TestName] | None:
        if self.slow & {*mutants}:
            self.ended_early += 4
            return None
        return frozenset()

    def find_reading(self, mutants: Iterable[Mutant]) -> None:
        pass


def make_trials(left_s: float, normal_s: float = 1.0) -> Scripted:
    budget = Budget(time.monotonic() + left_s, 1.0, 1.0)
    return Scripted(
        cast("CellRunner", None), cast("Any", None), cast("Any", None), (), {}, frozenset(), normal_s, budget
    )


MUTANTS = list_mutants("shop.py", b"def total(a, b):\n    return (a + b) * 2 - 3 * a + 4 * b\n", frozenset({2}))


def test_mutants_that_there_are_no_runs_for_are_left_out() -> None:
    assert len(MUTANTS) > 6
    assert len(make_trials(100).find_all_noticing(MUTANTS)) == len(MUTANTS)
    assert list(make_trials(100).find_all_noticing(MUTANTS, 8)) == list(MUTANTS[:5])
    assert list(make_trials(100, 2.0).find_all_noticing(MUTANTS, 8)) == list(MUTANTS[:1])
    assert make_trials(100, 3.0).find_all_noticing(MUTANTS, 8) == {}


def test_what_runs_into_its_limit_counts_as_many_runs_as_it_took() -> None:
    trials = make_trials(100)
    trials.slow = frozenset(MUTANTS[:1])
    assert list(trials.find_all_noticing(MUTANTS, 9)) == list(MUTANTS[:2])


def test_there_is_time_left_for_the_control_at_the_end() -> None:
    assert make_trials(1.9).find_all_noticing(MUTANTS) == {}


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, 'mutants_s isn\'t set (at most 120 s); set it in config/adapters.json, as {"code": {"mutants_s": 240}}'),
        (20.0, 'mutants_s is 20; raise it in config/adapters.json, as {"code": {"mutants_s": 40}}'),
        (3000.0, 'mutants_s is 3000; raise it in config/adapters.json, as {"code": {"mutants_s": 3600}}'),
    ],
)
def test_where_time_was_up_the_setting_and_its_value_are_named(seconds: float | None, said: str) -> None:
    bench = make_bench(seconds)
    assert bench.time_up == f"time was up: {said}"
    assert len(bench.time_up) <= 120, "reports show so many characters of it"
