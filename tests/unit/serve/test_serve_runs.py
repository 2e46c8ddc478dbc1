"""Runs of the gate for pages: a few at a time, each of its kind once, ended with the server. Starts sh."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from verigate.errors import UsageError
from verigate.serve.live import runs as module
from verigate.serve.live.events import EventLog
from verigate.serve.live.runs import GateRun, GateRuns
from verigate.serve.repositories import ServedRepository

SH = ("/bin/sh", "-c")


async def wait_until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - what is waited for is a process
            await asyncio.sleep(0.01)


async def wait_for(run: GateRun, state: str) -> None:
    await wait_until(lambda: run.state == state)


def test_lines_are_events_and_the_end_says_how(tmp_path: Path) -> None:
    async def scenario() -> None:
        events = EventLog()
        found = GateRuns(SH, {"PATH": "/usr/bin:/bin"}, events)
        ended: list[str] = []

        async def note(run: GateRun) -> None:
            ended.append(run.id)

        script = 'echo "one \033[31m$NO_COLOR" >&2; echo two >&2; echo report; exit 4'
        start = events.last_id
        run = found.start("verify", ServedRepository("shop", tmp_path), (script,), task_id="T1", when_ended=note)
        assert found.start("verify", ServedRepository("shop", tmp_path), ("other",), task_id="T1") is run
        await wait_for(run, "ended")
        await asyncio.sleep(0.05)
        assert (run.exit_code, run.output, run.problem, ended) == (4, "report\n", "", ["1"])
        assert run.lines == ["one \\x1b[31m1", "two"]
        follower = events.follow(start, run.about)
        seen = [await asyncio.wait_for(anext(follower), 5) for _ in range(4)]
        assert [(event.kind, event.data.get("text")) for event in seen] == [
            ("started", None),
            ("line", "one \\x1b[31m1"),
            ("line", "two"),
            ("ended", None),
        ]
        await follower.aclose()
        # What has ended doesn't keep another from beginning.
        again = found.start("verify", ServedRepository("shop", tmp_path), ("true",), task_id="T1")
        assert again is not run
        assert found.latest("verify", "shop", "T1") is again
        await wait_for(again, "ended")

    asyncio.run(scenario())


def test_two_run_at_once_and_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)

    async def scenario() -> None:
        found = GateRuns(SH, {"PATH": "/usr/bin:/bin"}, EventLog())
        repository = ServedRepository("shop", tmp_path)
        started = [found.start("verify", repository, (f"touch {n}; exec sleep 60",), task_id=f"T{n}") for n in range(3)]
        await wait_until(lambda: sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"])
        assert [run.state for run in started] == ["running", "running", "waiting"]
        for number in (3, 4):
            found.start("verify", repository, ("true",), task_id=f"T{number}")
        with pytest.raises(UsageError, match="3 runs wait already"):
            found.start("verify", repository, ("true",), task_id="T9")
        await found.end_all()
        assert [run.state for run in started] == ["ended"] * 3
        assert not (tmp_path / "2").exists()

    asyncio.run(scenario())


def test_a_gate_that_cannot_be_started_is_a_problem(tmp_path: Path) -> None:
    async def scenario() -> None:
        found = GateRuns(("/no/such/program",), {}, EventLog())
        run = found.start("doctor", ServedRepository("shop", tmp_path), ())
        await wait_for(run, "ended")
        assert run.exit_code is None
        assert "can't start the gate" in run.problem

    asyncio.run(scenario())


def test_old_runs_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)

    async def scenario() -> None:
        found = GateRuns(SH, {"PATH": "/usr/bin:/bin"}, EventLog())
        for number in range(5):
            run = found.start("verify", ServedRepository("shop", tmp_path), ("true",), task_id=f"T{number}")
            await wait_for(run, "ended")
        assert [found.find(str(number)) is not None for number in range(1, 6)] == [False, False, True, True, True]

    asyncio.run(scenario())
