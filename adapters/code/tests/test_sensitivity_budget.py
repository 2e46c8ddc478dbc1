"""The time for mutants: what may extend it, and how far."""

from __future__ import annotations

from code_adapter.sensitivity.trials import Budget


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
