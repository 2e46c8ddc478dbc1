from __future__ import annotations

import pytest

from verigate.reporting.fleet_line import render_fleet


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((0, 40, 2, 0, 3.0), "verify  0 of 40, 2 running"),
        ((10, 40, 2, 0, 5.0), "verify  10 of 40, 2.0 a second, about 15 s left, 2 running"),
        ((1, 1000, 4, 1, 60.0), "verify  1 of 1000, 1.0 a minute, about 16.6 h left, 4 running, 1 without a verdict"),
        ((5, 10, 0, 0, 600.0), "verify  5 of 10, 0.5 a minute, about 10 min left"),
        ((40, 40, 0, 0, 20.0), "verify  40 of 40, 2.0 a second"),
        ((0, 0, 0, 0, 0.0), "verify  0 of 0"),
        ((3, 3, 0, 0, 0.0), "verify  3 of 3"),
    ],
)
def test_how_far_a_run_is(arguments: tuple[int, int, int, int, float], line: str) -> None:
    assert render_fleet(*arguments) == line


def test_what_an_earlier_run_found_makes_no_rate() -> None:
    assert render_fleet(30, 40, 0, 0, 5.0, before=20) == "verify  30 of 40, 2.0 a second, about 5 s left"
    assert render_fleet(20, 40, 2, 0, 5.0, before=20) == "verify  20 of 40, 2 running"


def test_the_line_fits_into_the_terminal() -> None:
    assert len(render_fleet(1, 1000, 4, 1, 60.0, width=40)) <= 40
