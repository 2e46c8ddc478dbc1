"""kill -9 of every command that writes: twenty moments, chosen and by chance. tests/bench/killed.py has a thousand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from killed_calls import COMMANDS, Lane

STEPS = {
    "verify": [("unlink", 2), ("rename", 1), ("rename", 2)],
    "start": [("rename", 1), ("rename", 2)],
    "claim": [("rename", 1)],
    "approve": [("rename", 2)],
    "attest": [("rename", 2)],
    "end": [("unlinkat", 24), ("rmdir", 4)],
    "install": [("rename", 2)],
}
"""Calls of the kernel in the middle of what a command writes: the file before it is there, the one after it isn't."""

CHANCES = {"verify": 3, "commit": 2, "start": 1, "claim": 1, "attest": 1, "end": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands",
    [
        ("verify",),
        pytest.param(("commit", "claim", "approve", "attest"), marks=pytest.mark.release),
        pytest.param(("start", "end", "install"), marks=pytest.mark.release),
    ],
)
def test_a_killed_call_breaks_nothing_and_the_next_is_right(tmp_path: Path, commands: tuple[str, ...]) -> None:
    lane = Lane.create(tmp_path)
    moments = random.Random("".join(commands))  # noqa: S311 - moments, not secrets
    killed = [lane.kill(name, step=step) for name in commands for step in STEPS.get(name, ())]
    assert [each.command for each in killed if each.ended] == [], "a step that isn't there"
    if commands == ("verify",):
        assert killed[0].state == "not verified", "between the old verdict and the new one"
    killed += [lane.kill(name, moments.uniform(0, 1.1)) for name in commands for _ in range(CHANCES.get(name, 0))]
    assert [(each.command, each.fraction, each.problems) for each in killed if each.problems] == []


def test_every_command_of_the_bench_is_killed_here_too() -> None:
    assert set(COMMANDS) == {*STEPS, *CHANCES}
