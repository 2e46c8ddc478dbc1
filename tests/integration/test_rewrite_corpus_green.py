"""Every suite of the rewrite corpus is green before and after the change, by its real runner."""

from __future__ import annotations

from pathlib import Path

import pytest
from rewrite_corpus import RUNNERS, SIDES, read_cases
from rewrite_suites import run_suites


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("runner", RUNNERS)
def test_suites_are_green(runner: str, tmp_path: Path) -> None:
    expected = {(case.name, side) for case in read_cases() for side in SIDES if case.runner_of(side) == runner}
    outcomes = run_suites(runner, read_cases(), tmp_path)
    assert set(outcomes) == expected
    red = {suite: outcome.output[-2000:] for suite, outcome in outcomes.items() if not outcome.green}
    assert not red, "\n".join(f"{suite}:\n{output}" for suite, output in red.items())
