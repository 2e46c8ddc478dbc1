"""One event loop that runs many processes at once: bounded streams, timeouts, no process left behind.

It waits on pidfds (pidfd_open(2)), so that no process is polled and none can be mistaken for another by a reused id.
Each process is started through a containment (``sandbox.py``) with a handshake on its stdin: it sends ``ready`` once it
is bound to the gate's life, receives ``go``, starts the adapter with an empty stdin, and reports its end. A containment
whose gate has died reads end of file and starts nothing.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, Self

from verigate.domain.execution import Invocation, Outcome
from verigate.errors import Interrupted
from verigate.processes import job_ending, supervise
from verigate.processes.job import (
    READ_SIZE,
    Containment,
    ControlEvent,
    EndedProcess,
    Job,
    Launch,
    drain,
    end_limits,
    limit_job,
    read_control,
    read_outcome,
    start_contained,
)
from verigate.processes.stop_request import StoppedError, StopRequest
from verigate.processes.streams import Capture, Redactor, find_last_line

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Processes:
    """The running processes of one run; a context manager that leaves none behind.

    Must be used from one thread, the main one if signals are to be handled: PR_SET_PDEATHSIG (prctl(2)) fires when the
    thread that started a process ends. A ``stop`` request ends them as a signal does.
    """

    def __init__(
        self,
        redact: Redactor,
        *,
        grace_s: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
        stop: StopRequest | None = None,
    ) -> None:
        self._redact = redact
        self._grace_s = grace_s
        self._clock = clock
        self._selector = selectors.DefaultSelector()
        self._jobs: dict[str, Job] = {}
        self._ended: deque[EndedProcess] = deque()
        self._early: dict[str, EndedProcess] = {}
        self._elsewhere: set[str] = set()
        self._stops = 0
        self._stop = stop
        self._is_asked = False
        self._previous: dict[signal.Signals, Any] = {}
        self._wakeup: tuple[socket.socket, socket.socket] | None = None
        self._previous_wakeup = -1
        self._strangers: frozenset[int] | None = None

    def __enter__(self) -> Self:
        if self._stop is not None:
            self._selector.register(self._stop, selectors.EVENT_READ, self._on_request)
        if threading.current_thread() is threading.main_thread():
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            theirs.setblocking(False)
            self._wakeup = (ours, theirs)
            self._selector.register(ours, selectors.EVENT_READ, self._on_wakeup)
            self._previous_wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
            for number in _STOPPING:
                # nohup(1) and a shell's background jobs start a program with a signal ignored: leave it so.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end_all(grace_s=0.0)
        finally:
            if self._strangers is not None:
                supervise.set_subreaper(on=False)
            for number, handler in self._previous.items():
                signal.signal(number, handler)
            if self._wakeup:
                signal.set_wakeup_fd(self._previous_wakeup)
                for end in self._wakeup:
                    end.close()
            self._selector.close()

    def __len__(self) -> int:
        """Return how many run, or have ended and were not waited for; without those that wait for their release."""
        running = sum(job.released for job in self._jobs.values())
        return running + len(self._ended) + len(self._elsewhere)

    def start(self, key: str, invocation: Invocation, launch: Launch) -> None:
        """Start a process; ``wait`` returns it by its ``key``. Raises ExecutionError if it can't be started."""
        self.prepare(key, invocation, launch)
        self.release(key)

    def prepare(self, key: str, invocation: Invocation, launch: Launch) -> None:
        """Build a process's containment without its adapter. Raises ExecutionError if it can't be started."""
        self._check_stopped()
        if launch.containment is Containment.SUPERVISOR and self._strangers is None:
            # If an adapter kills its supervisor, its orphans become children of this process and stay in reach.
            self._strangers = frozenset(supervise.list_children(os.getpid()))
            supervise.set_subreaper(on=True)
        job = Job(key, invocation, launch, self._clock())
        self._jobs[key] = job
        self._selector.register(job.control, selectors.EVENT_READ, lambda: self._on_control(job))
        self._selector.register(job.pidfd, selectors.EVENT_READ, lambda: self._on_exit(job))
        for fd, capture in zip(job.pipes, job.captures, strict=True):
            self._selector.register(fd, selectors.EVENT_READ, self._reader(fd, capture))

    def release(self, key: str) -> None:
        """Start the adapter of a prepared process as soon as its containment is ready; its time begins."""
        self._check_stopped()
        if key in self._early:
            self._ended.append(self._early.pop(key))
            return
        job = self._jobs[key]
        job.released = True
        job.started = self._clock()
        job.deadline = job.started + job.invocation.timeout_s
        if job.ready:
            start_contained(job)

    def expect(self, key: str, fd: int) -> None:
        """Expect the end of what another machine runs: ``wait`` returns it by its ``key`` once ``fd`` can be read."""
        self._elsewhere.add(key)

        def end() -> None:
            self._selector.unregister(fd)
            self._elsewhere.discard(key)
            self._ended.append(EndedProcess(key, Outcome(exit_code=0), contained=True, last_line=""))

        self._selector.register(fd, selectors.EVENT_READ, end)

    def drop(self, key: str) -> None:
        """End a prepared process that won't be released; ``wait`` doesn't return it."""
        if self._early.pop(key, None) is not None:
            return
        job = self._jobs[key]
        job.dropped = True
        job_ending.kill_job(job, self._clock())
        while key in self._jobs:
            self._step()

    def let_begin(self) -> None:
        """Run the loop until each released process has begun or ended: nothing starts it during other, longer work."""
        while any(job.released and not job.ready and not job.is_ending for job in self._jobs.values()):
            self._step()
            self._check_stopped()

    def wait(self, meanwhile: Iterator[None] | None = None) -> EndedProcess:
        """Run the loop until a process has ended with everything that it started.

        Whenever nothing has happened, one step of ``meanwhile`` (other work) is done. Raises Interrupted on SIGINT,
        SIGTERM or SIGHUP, StoppedError on a request, after all processes have been ended. Raises ValueError if none is
        running.
        """
        if not len(self):
            raise ValueError("no process is running")
        while not self._ended:
            happened = self._step(at_once=meanwhile is not None)
            self._check_stopped()
            if meanwhile is not None and not happened and next(meanwhile, self) is self:
                meanwhile = None
        self._check_stopped()
        return self._ended.popleft()

    def _check_stopped(self) -> None:
        if self._stops:
            self._end_all(grace_s=self._grace_s)
            raise Interrupted
        if self._is_asked:
            self._end_all(grace_s=self._grace_s)
            raise StoppedError

    def _step(self, *, at_once: bool = False) -> bool:
        """Handle pending events, waiting for one unless ``at_once``; return whether there was any."""
        due = [at for job in self._jobs.values() if (at := job.next_event()) is not None]
        timeout = 0.0 if at_once else max(0.0, min(due) - self._clock()) if due else None
        # Handle exits last: read a process's output before its end.
        events = self._selector.select(timeout)
        for selected, _ in sorted(events, key=lambda event: self._is_exit(event[0].fd)):
            if selected.fd in self._selector.get_map():
                callback: Callable[[], None] = selected.data
                callback()
        now = self._clock()
        for job in list(self._jobs.values()):
            job_ending.end_in_time(job, now, self._grace_s)
        return bool(events)

    def _is_exit(self, fd: int) -> bool:
        return any(fd in {job.pidfd, job.init_fd} for job in self._jobs.values())

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        # Only record it: an exception at any instruction could lose a process that has just been started.
        self._stops += 1

    def _on_request(self) -> None:
        if self._stop is not None:
            self._selector.unregister(self._stop)
            self._is_asked = True

    def _on_wakeup(self) -> None:
        if self._wakeup:
            with contextlib.suppress(BlockingIOError):
                self._wakeup[0].recv(4096)

    def _reader(self, fd: int, capture: Capture) -> Callable[[], None]:
        def read() -> None:
            try:
                chunk = os.read(fd, READ_SIZE)
            except BlockingIOError:
                return
            if chunk:
                capture.feed(chunk)
            else:
                self._selector.unregister(fd)

        return read

    def _on_control(self, job: Job) -> None:
        heard = read_control(job)
        if heard is ControlEvent.END:
            self._selector.unregister(job.control)
        elif heard is ControlEvent.READY:
            self._on_ready(job)

    def _on_ready(self, job: Job) -> None:
        if job.containment is Containment.NAMESPACE:
            # The guard is waiting below it, so the namespace's first process lives and its id can't be reused here.
            first = supervise.list_children(job.process.pid)
            if len(first) != 1:
                job_ending.kill_job(job, self._clock())
                return
            job.init_fd = os.pidfd_open(first[0])
        if not limit_job(job):
            job_ending.kill_job(job, self._clock())
            return
        job.ready = True
        if job.released:
            start_contained(job)

    def _on_exit(self, job: Job) -> None:
        self._selector.unregister(job.pidfd)
        job.process.wait()
        job.duration = self._clock() - job.started
        if job.init_fd is None:
            self._finish(job)
            return
        # bubblewrap ends with its main process; the namespace is empty only when its first process is gone.
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(job.init_fd, signal.SIGKILL)
        self._selector.register(job.init_fd, selectors.EVENT_READ, lambda: self._finish(job))

    def _finish(self, job: Job) -> None:
        read_control(job)
        if job.containment is Containment.SUPERVISOR and job.process.returncode != 0:
            # All that this loop has not started itself.
            running = {other.process.pid for other in self._jobs.values()}
            job_ending.end_orphans((self._strangers or frozenset()) | running)
        del self._jobs[job.key]
        watched = self._selector.get_map()
        for fd in (job.control.fileno(), job.init_fd, *job.pipes):
            if fd is not None and fd in watched:
                self._selector.unregister(fd)
        for fd, capture in zip(job.pipes, job.captures, strict=True):
            drain(fd, capture)
            os.close(fd)
        os.close(job.pidfd)
        if job.init_fd is not None:
            os.close(job.init_fd)
        job.control.close()
        reached = end_limits(job)
        if job.dropped:
            return
        out, err = (capture.text(self._redact) for capture in job.captures)
        ended = EndedProcess(job.key, read_outcome(job), job.ready, find_last_line(err), (out, err), reached)
        if job.released:
            self._ended.append(ended)
        else:
            self._early[job.key] = ended

    def _end_all(self, *, grace_s: float) -> None:
        for job in self._jobs.values():
            job_ending.terminate_job(job, self._clock(), grace_s)
        stops = self._stops
        while self._jobs:
            self._step()
            if self._stops > stops:
                stops = self._stops
                for job in self._jobs.values():
                    job_ending.kill_job(job, self._clock())
