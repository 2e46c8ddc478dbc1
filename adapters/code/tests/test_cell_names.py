"""A test has one name in each cell, whenever it runs."""

from __future__ import annotations

from datetime import UTC, datetime

from code_adapter.counterfactual import cell_runs
from code_adapter.counterfactual.cell_runs import merge_parameters
from code_adapter.counterfactual.classes import Outcome

Written = cell_runs.TestName


def test_the_time_of_the_run_in_a_name_is_left_out() -> None:
    now = datetime.now(UTC)
    cases = [
        (Written("test/date.ts", f"casts {now.isoformat(timespec='milliseconds')}"), Outcome.PASSED),
        (Written("test/date.ts", f"casts {now.isoformat(timespec='microseconds')}"), Outcome.FAILED),
    ]
    assert merge_parameters(cases) == {Written("test/date.ts", "casts <time>"): Outcome.FAILED}


def test_a_time_that_a_test_is_about_stays() -> None:
    names = [Written("test/date.ts", f"casts 2011-10-0{day}T14:48:00.000Z") for day in (5, 6)]
    merged = merge_parameters((name, Outcome.PASSED) for name in names)
    assert list(merged) == names
