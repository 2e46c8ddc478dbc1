"""The time for mutants: what may extend it, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from code_adapter.sensitivity.trials import Bench, Budget

if TYPE_CHECKING:
    from code_adapter.counterfactual.cell_calls import CellCalls
    from code_adapter.counterfactual.cell_runs import CellRunner
    from verigate.sdk import Request


def test_what_decides_may_take_longer_than_planned_but_never_longer_than_the_most() -> None:
    budget = Budget.of(10, 120)
    assert not budget.has_room(11)
    budget.reserve(5)  # there is more already
    assert budget.has_room(9)
    budget.reserve(50)
    assert budget.has_room(49)
    assert not budget.has_room(51)
    budget.spend(20)
    assert not budget.has_room(31)
    budget.reserve(500)
    assert budget.has_room(99)
    assert not budget.has_room(101)


def test_a_configured_time_is_never_extended() -> None:
    budget = Budget.of(10, 10)
    budget.reserve(50)
    assert not budget.has_room(11)


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
