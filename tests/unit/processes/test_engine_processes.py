"""Processes of engines: how each ends, and that none is left. Real shells, below the real supervisor."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from verigate.domain.engine import Spawned
from verigate.domain.execution import Invocation, Outcome
from verigate.errors import ExecutionError
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.streams import Redactor


def processes(secrets: tuple[str, ...] = ()) -> EngineProcesses:
    return EngineProcesses(sys.executable, Redactor(secrets), lambda: "2026-01-02T03:04:05Z")


def run(tmp_path: Path, script: str, *, timeout_s: float = 20, **more: Any) -> tuple[Outcome, bytes, bytes]:
    secrets = more.pop("secrets", ())
    invocation = Invocation(("/bin/sh", "-c", script), str(tmp_path), {"PATH": os.defpath}, timeout_s, 4096)
    return asyncio.run(processes(secrets).run(invocation, **more))


ENDS = {
    "well": ("echo out; echo err >&2", (0, None, False)),
    "with a code": ("exit 7", (7, None, False)),
    "by its own SIGKILL": ("kill -9 $$", (None, 9, False)),
    "by SIGTERM": ("kill $$", (None, 15, False)),
    "with 137, which is no signal here": ("exit 137", (137, None, False)),
}


@pytest.mark.parametrize("case", ENDS)
def test_how_a_process_ends_is_told_as_it_was(case: str, tmp_path: Path) -> None:
    script, wanted = ENDS[case]
    outcome, _, _ = run(tmp_path, script)
    assert (outcome.exit_code, outcome.signal, outcome.timed_out) == wanted
    assert outcome.ok is (case == "well")


def test_stdin_is_whole_and_streams_are_told_apart(tmp_path: Path) -> None:
    given = b"x" * 700_000 + b"\nlast\n"
    outcome, out, err = run(tmp_path, "wc -c; echo err >&2", stdin=given)
    assert outcome.ok
    assert out.split() == [str(len(given)).encode()]
    assert err == b"err\n"
    assert run(tmp_path, "cat")[1] == b""


def test_lines_are_told_while_it_runs_and_the_last_without_a_line_feed(tmp_path: Path) -> None:
    heard: list[tuple[str, str, bool]] = []
    done = tmp_path / "done"

    async def hear(stream: str, chunk: str) -> None:
        heard.append((stream, chunk, done.exists()))
        (tmp_path / "go").touch()

    spawned: list[Spawned] = []

    async def spawn(meta: Spawned) -> None:
        spawned.append(meta)

    script = "echo first; while [ ! -e go ]; do sleep 0.02; done; touch done; printf last"
    outcome, out, _ = run(tmp_path, script, on_log=hear, on_spawn=spawn)
    assert outcome.ok
    assert out == b"first\nlast"
    assert heard == [("stdout", "first\n", False), ("stdout", "last\n", True)]
    assert spawned[0].pid > 0
    assert spawned[0].started_at == "2026-01-02T03:04:05Z"


def test_secrets_are_taken_out_of_what_is_told_and_kept_also_across_chunks(tmp_path: Path) -> None:
    heard: list[str] = []

    async def hear(_: str, chunk: str) -> None:
        heard.append(chunk)

    script = "printf 'key hunter'; sleep 0.2; echo '2-secret end'"
    _, out, _ = run(tmp_path, script, on_log=hear, secrets=("hunter2-secret",))
    assert out == b"key [redacted] end\n"
    assert "".join(heard) == "key [redacted] end\n"


LATE = {  # on a busy machine a shell takes more than half a second to begin
    "sleeps": ("echo begun; sleep 60", {"timeout_s": 3.0}, b"begun\n"),
    "says nothing": ("echo begun; sleep 60", {"silence_s": 3.0}, b"begun\n"),
    "cleans up at TERM": (
        "trap 'echo cleaned; exit 0' TERM; echo begun; sleep 60 & wait",
        {"timeout_s": 3.0},
        b"begun\ncleaned\n",
    ),
    "ignores TERM": ("trap '' TERM; echo begun; sleep 60; sleep 60", {"timeout_s": 3.0, "grace_s": 0.3}, b"begun\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LATE)
def test_what_takes_too_long_is_ended_and_is_no_success(case: str, tmp_path: Path) -> None:
    script, options, said = LATE[case]
    began = time.monotonic()
    outcome, out, _ = run(tmp_path, script, **options)
    assert outcome.timed_out
    assert not outcome.ok
    assert out == said
    assert time.monotonic() - began < 15


@pytest.mark.slow
def test_who_goes_on_talking_is_not_silent(tmp_path: Path) -> None:
    outcome, _, _ = run(tmp_path, "for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done", silence_s=1.0)
    assert outcome.ok


def test_nothing_outlives_the_process(tmp_path: Path) -> None:
    outcome, _, _ = run(
        tmp_path, "(setsid sh -c 'echo $$ > pid; sleep 300' &) ; while [ ! -s pid ]; do sleep 0.02; done"
    )
    assert outcome.exit_code == 0
    assert outcome.leftover_processes >= 1
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


def test_who_kills_its_supervisor_has_not_succeeded_and_leaves_nothing(tmp_path: Path) -> None:
    script = "setsid sh -c 'echo $$ > pid; sleep 300' & while [ ! -s pid ]; do sleep 0.02; done; kill -9 $PPID; exit 0"
    outcome, _, _ = run(tmp_path, script)
    assert not outcome.ok
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


def test_a_cancellation_ends_all_of_it(tmp_path: Path) -> None:
    async def cancelled() -> None:
        invocation = Invocation(("/bin/sh", "-c", "echo $$ > pid; sleep 300"), str(tmp_path), {"PATH": os.defpath}, 60)
        task = asyncio.create_task(processes().run(invocation))
        # A file of another process, which says nothing when it is there.
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


@pytest.mark.parametrize("turns", range(6))
def test_a_cancellation_that_comes_together_with_output_is_not_lost(turns: int, tmp_path: Path) -> None:
    """``turns``: of the event loop, between the line that was read and the cancellation."""

    async def cancelled() -> None:
        loop = asyncio.get_running_loop()

        def cancel(left: int) -> None:
            if left:
                loop.call_soon(cancel, left - 1)
            else:
                task.cancel()

        class Cancelling(Redactor):
            def __call__(self, text: bytes) -> bytes:
                if text == b"said\n":
                    loop.call_soon(cancel, turns)
                return super().__call__(text)

        async def hold(*_: Any) -> None:
            await asyncio.sleep(30)

        asked = EngineProcesses(sys.executable, Cancelling(()), lambda: "2026-01-02T03:04:05Z")
        invocation = Invocation(("/bin/sh", "-c", "echo said; sleep 300"), str(tmp_path), {"PATH": os.defpath}, 60)
        task = asyncio.create_task(asked.run(invocation, on_log=hold))
        done, _ = await asyncio.wait({task}, timeout=15)
        assert done == {task}
        assert task.cancelled()

    asyncio.run(cancelled())


def test_a_flood_is_bounded(tmp_path: Path) -> None:
    told = 0

    async def hear(_: str, chunk: str) -> None:
        nonlocal told
        told += len(chunk)

    outcome, out, _ = run(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' 'a'", on_log=hear)
    assert outcome.stdout_bytes == 3_000_000
    assert len(out) < 5000
    assert told < 3_000_000


def test_what_can_t_be_started_is_named(tmp_path: Path) -> None:
    async def start() -> None:
        runner = EngineProcesses("/no/python", Redactor(), str)
        await runner.run(Invocation(("true",), str(tmp_path), {}, 5))

    with pytest.raises(ExecutionError):
        asyncio.run(start())
