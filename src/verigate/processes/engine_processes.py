"""Run the processes of engines, one at a time, within an event loop of asyncio, contained as adapters are.

Each runs below ``supervise.py``: a process group of its own, and nothing outlives it or the gate. Its stdin comes from
a file: a prompt is larger than an argument may be, and than a pipe holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from verigate.domain.engine import Spawned, Stream
from verigate.domain.execution import Invocation, Outcome
from verigate.processes import job_ending, supervise
from verigate.processes.job import READ_SIZE, ControlEvent, Job, drain, read_control, read_outcome, start_contained
from verigate.processes.sandbox import launch_under_supervisor
from verigate.processes.streams import Capture, Redactor

_LONGEST_LINE = 1 << 20
_READ_FROM = 'exec "$@" < "$0"'

_STREAMS: tuple[Stream, Stream] = ("stdout", "stderr")

OnLog = Callable[[Stream, str], Awaitable[None]]
OnSpawn = Callable[[Spawned], Awaitable[None]]


async def _ignore_log(*_: Any) -> None:
    """Ignore a line of the log."""


class EngineProcesses:
    """Start what engines request; ``domain.engine.Processes``. ``python`` runs the supervisor."""

    def __init__(
        self, python: str, redact: Redactor, now: Callable[[], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._python = python
        self._redact = redact
        self._now = now
        self._clock = clock

    async def run(
        self,
        invocation: Invocation,
        *,
        stdin: bytes = b"",
        silence_s: float | None = None,
        grace_s: float = 2.0,
        on_log: OnLog = _ignore_log,
        on_spawn: OnSpawn = _ignore_log,
        is_over: Callable[[], bool] | None = None,
    ) -> tuple[Outcome, bytes, bytes]:
        """Run a program until it exits or its time is over. Raises ExecutionError if it can't be started.

        ``on_log`` gets whole lines, without secrets; if ``is_over`` is true after one, the program is ended. A
        cancellation ends the process with everything that it started.
        """
        with _write_stdin_file(stdin) as source:
            argv = invocation.argv if source is None else ("/bin/sh", "-c", _READ_FROM, source, *invocation.argv)
            launch = launch_under_supervisor(self._python, argv, invocation.cwd, invocation.memory_mb)
            # If the program kills its supervisor, its orphans become children of this process and stay in reach.
            strangers = frozenset(supervise.list_children(os.getpid()))
            job = Job("engine", replace(invocation, argv=argv), launch, self._clock())
            supervise.set_subreaper(on=True)
            watch = _Watch(job, self._clock, self._redact, grace_s, silence_s)
            try:
                await on_spawn(Spawned(job.process.pid, self._now()))
                await watch.run_to_end(on_log, is_over)
            finally:
                watch.close()
                if job.process.returncode != 0:
                    job_ending.end_orphans(strangers)
                supervise.set_subreaper(on=False)
        out, err = (capture.text(self._redact) for capture in job.captures)
        return read_outcome(job), out, err


@contextlib.contextmanager
def _write_stdin_file(stdin: bytes) -> Iterator[str | None]:
    """Write ``stdin`` to a private file; None where there is nothing to read."""
    if not stdin:
        yield None
        return
    descriptor, path = tempfile.mkstemp(prefix="verigate-stdin-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(stdin)
        yield path
    finally:
        Path(path).unlink(missing_ok=True)


class _Watch:
    """Follow one job from its start to its end."""

    def __init__(
        self, job: Job, clock: Callable[[], float], redact: Redactor, grace_s: float, silence_s: float | None
    ) -> None:
        self._job = job
        self._clock = clock
        self._redact = redact
        self._grace_s = grace_s
        self._silence_s = silence_s
        self._heard = clock()
        self._told = 0
        self._partial: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self._events: asyncio.Queue[tuple[Stream, str] | Literal["ended"]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        job.released = True
        job.started = clock()
        job.deadline = job.started + job.invocation.timeout_s
        self._loop.add_reader(job.control, self._on_control)
        self._loop.add_reader(job.pidfd, self._events.put_nowait, "ended")
        for fd, stream in zip(job.pipes, _STREAMS, strict=True):
            self._loop.add_reader(fd, self._on_output, fd, stream)

    async def run_to_end(self, on_log: OnLog, is_over: Callable[[], bool] | None = None) -> None:
        """Collect output until exit, timeout, or ``is_over``."""
        while True:
            due = self._due()
            try:
                # Not by wait_for: Python 3.11's forgets a cancellation that comes together with an event.
                async with asyncio.timeout(None if due is None else max(0.0, due - self._clock())):
                    event = await self._events.get()
            except TimeoutError:
                self._on_time()
                continue
            if event == "ended":
                break
            await on_log(*event)
            if is_over is not None and is_over():
                is_over = None
                self._end_now()
        self._reap()
        while not self._events.empty():
            event = self._events.get_nowait()
            if event != "ended":
                await on_log(*event)

    def _due(self) -> float | None:
        silent = [self._heard + self._silence_s] if self._silence_s is not None and self._job.deadline else []
        return min([at for at in (self._job.next_event(), *silent) if at is not None], default=None)

    def _on_time(self) -> None:
        job, now = self._job, self._clock()
        silent = self._silence_s is not None and now >= self._heard + self._silence_s
        if silent and job.deadline is not None:
            job.deadline = now
        job_ending.end_in_time(job, now, self._grace_s)

    def _end_now(self) -> None:
        job, now = self._job, self._clock()
        if job.deadline is not None:
            job.deadline = now
        job_ending.end_in_time(job, now, self._grace_s)

    def _on_control(self) -> None:
        heard = read_control(self._job)
        if heard is ControlEvent.END:
            self._loop.remove_reader(self._job.control)
        elif heard is ControlEvent.READY:
            self._job.ready = True
            start_contained(self._job)

    def _on_output(self, fd: int, stream: Stream) -> None:
        try:
            chunk = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return
        if not chunk:
            self._loop.remove_reader(fd)
            return
        self._heard = self._clock()
        self._job.captures[0 if stream == "stdout" else 1].feed(chunk)
        self._report(stream, chunk)

    def _report(self, stream: Stream, chunk: bytes, *, last: bool = False) -> None:
        """Report whole lines, so that no secret is cut in two; no more of them than are kept."""
        text = self._partial[stream] + chunk
        head, _, rest = text.rpartition(b"\n")
        if last or len(rest) > _LONGEST_LINE:
            head, rest = text, b""
        self._partial[stream] = rest
        if not head or self._told > self._job.invocation.stream_limit:
            return
        self._told += len(head)
        ended = head if head.endswith(b"\n") else head + b"\n"
        self._events.put_nowait((stream, self._redact(ended).decode("utf-8", "replace")))

    def _reap(self) -> None:
        """Read the supervisor's report and the rest of the pipes after its end."""
        job = self._job
        job.process.wait()
        job.duration = self._clock() - job.started
        read_control(job)
        self._unwatch()
        for fd, capture, stream in zip(job.pipes, job.captures, _STREAMS, strict=True):
            rest = Capture(sys.maxsize)  # Bounded by the capacity of a pipe.
            drain(fd, rest)
            left = rest.text(Redactor())
            capture.feed(left)
            self._report(stream, left, last=True)

    def _unwatch(self) -> None:
        for fd in (self._job.control.fileno(), self._job.pidfd, *self._job.pipes):
            self._loop.remove_reader(fd)

    def close(self) -> None:
        """Close every process and descriptor."""
        if self._closed:
            return
        self._closed = True
        job = self._job
        self._unwatch()
        if job.process.returncode is None:
            job_ending.kill_job(job, self._clock())
            try:
                job.process.wait(job_ending.LAST_RESORT_S)
            except subprocess.TimeoutExpired:
                job_ending.kill_from_here(job)
                job.process.wait()
        for fd in (*job.pipes, job.pidfd):
            os.close(fd)
        job.control.close()
