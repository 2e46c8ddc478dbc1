"""The runs and the time for mutants."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

import pytest

from code_adapter.sensitivity.trials import Bench, Budget, OutOfTimeError

if TYPE_CHECKING:
    from code_adapter.counterfactual.cell_calls import CellCalls
    from code_adapter.counterfactual.cell_runs import CellRunner
    from verigate.sdk import Request


@pytest.mark.parametrize(
    ("run_s", "runs"),
    [(0.01, 40), (0.4, 40), (1.0, 40), (2.9, 40), (3.9, 30), (5.0, 22), (7.0, 16), (8.0, 12), (10.0, 12)],
)
def test_runs_are_counted_so_that_a_machine_that_is_three_times_as_slow_has_as_many(run_s: float, runs: int) -> None:
    assert Budget.of(run_s, 120, 40, 12).runs == runs


def test_where_the_least_number_of_runs_does_not_fit_into_the_time_none_begins() -> None:
    with pytest.raises(OutOfTimeError):
        Budget.of(10.1, 120, 40, 12)
    assert Budget.of(10.1, 120, 40, 4).runs == 9
    assert Budget.of(30, 120, 40, 4).runs == 4
    with pytest.raises(OutOfTimeError):
        Budget.of(30.1, 120, 40, 4)


@pytest.mark.parametrize(
    ("seconds", "runs"), [(0.01, 1), (0.25, 1), (1.0, 1), (1.2, 1), (1.3, 2), (2.0, 2), (2.2, 2), (9.9, 10)]
)
def test_a_longer_run_counts_as_several(seconds: float, runs: int) -> None:
    assert Budget.of(1.0, 120, 40, 12).weigh(seconds) == runs


def test_the_time_ends_it_in_any_case() -> None:
    budget = Budget.of(0.1, 10, 40, 12)
    assert budget.has_room(9)
    assert not budget.has_room(11)
    assert 9 < budget.check() <= 10
    budget.until = time.monotonic()
    with pytest.raises(OutOfTimeError):
        budget.check()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, 'mutants_s isn\'t set (at most 120 s); set it in config/adapters.json, as {"code": {"mutants_s": 240}}'),
        (20.0, 'mutants_s is 20; raise it in config/adapters.json, as {"code": {"mutants_s": 40}}'),
        (3000.0, 'mutants_s is 3000; raise it in config/adapters.json, as {"code": {"mutants_s": 3600}}'),
    ],
)
def test_where_time_was_up_the_setting_and_its_value_are_named(seconds: float | None, said: str) -> None:
    bench = Bench(cast("Request", None), cast("CellCalls", None), cast("CellRunner", None), seconds)
    assert bench.time_up == f"time was up: {said}"
    assert len(bench.time_up) <= 120, "reports show so many characters of it"
