"""One process of the event loop: its invocation, its file descriptors, and its end."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.execution import Invocation, Outcome
from verigate.errors import ExecutionError
from verigate.processes import supervise
from verigate.processes.streams import Capture

if TYPE_CHECKING:
    from verigate.processes.control_groups import ControlGroup, Limits

READ_SIZE = 262_144
_PIPE_SIZE = 1_048_576
_REPORT_SIZE = 256
_READY = b"ready\n"
FILTER = "@filter"
"""The word of a launch that stands for the descriptor of its filter."""


class Containment(Enum):
    """What holds an adapter's processes together; the value is the number of its own generations above them."""

    NAMESPACE = 1
    """bubblewrap, and the guard, which is the first process of its pid namespace."""
    SUPERVISOR = 0
    """``supervise.py``, the process that is started itself."""


class Launch(Struct, frozen=True):
    """How an invocation is started: the containment's argument vector around the adapter's.

    ``filter`` is a program for seccomp(2), read from a descriptor that the word FILTER of ``argv`` stands for; without
    one, that word and the option before it are left out. ``limits`` are those of a control group, if there is one.
    """

    argv: tuple[str, ...]
    containment: Containment
    filter: bytes = b""
    limits: Limits | None = None


class EndedProcess(Struct, frozen=True):
    """A process that has ended. ``contained`` is False if its containment never started; ``last_line`` is stderr's.

    ``streams`` are the kept parts of stdout and stderr, None where nothing was started; ``reached`` is the controller
    of a control group whose limit was reached.
    """

    key: str
    outcome: Outcome
    contained: bool
    last_line: str
    streams: tuple[bytes, bytes] | None = None
    reached: str | None = None


class Job:
    """One running process and all its file descriptors."""

    def __init__(self, key: str, invocation: Invocation, launch: Launch, started: float) -> None:
        self.key = key
        self.invocation = invocation
        self.containment = launch.containment
        self.started = started
        self.released = False
        self.dropped = False
        self.deadline: float | None = None
        self.kill_at: float | None = None
        self.give_up_at: float | None = None
        self.timed_out = False
        self.ready = False
        self.report = b""
        self.duration = 0.0
        self.init_fd: int | None = None
        self.limits = launch.limits
        self.group: ControlGroup | None = None
        self.captures = (Capture(invocation.stream_limit), Capture(invocation.stream_limit))
        self.control, theirs = socket.socketpair()
        self.control.setblocking(False)
        self.pipes: list[int] = []
        ends: list[int] = []
        try:
            for _ in self.captures:
                read, write = os.pipe()
                self.pipes.append(read)
                ends.append(write)
                os.set_blocking(read, False)
                with contextlib.suppress(OSError):
                    fcntl.fcntl(read, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
            passed = _write_filter(launch.filter)
            ends += passed
            self.process = subprocess.Popen(
                _name_filter(launch.argv, passed),
                stdin=theirs.fileno(),
                stdout=ends[0],
                stderr=ends[1],
                cwd="/",
                env=dict(invocation.env),
                close_fds=True,
                pass_fds=passed,
                start_new_session=True,
            )
            self.pidfd = _open_pidfd(self.process)
        except (OSError, ValueError) as error:
            self.control.close()
            for fd in self.pipes:
                os.close(fd)
            raise ExecutionError(
                f"can't start {launch.argv[0]}: {error}", hint="gate doctor shows what is missing"
            ) from error
        finally:
            theirs.close()
            for fd in ends:
                os.close(fd)

    @property
    def is_ending(self) -> bool:
        """Whether it was asked to end, or killed."""
        return self.kill_at is not None or self.give_up_at is not None

    def next_event(self) -> float | None:
        """Return the clock's time when something is due for this job, None if nothing is."""
        times = [at for at in (self.deadline, self.kill_at, self.give_up_at) if at is not None]
        return min(times, default=None)


def _write_filter(program: bytes) -> list[int]:
    """Return the reading end of a pipe that holds the program; empty without one. A pipe holds 64 KiB, it has one."""
    if not program:
        return []
    read, write = os.pipe()
    with os.fdopen(write, "wb") as stream:
        stream.write(program)
    return [read]


def _name_filter(argv: tuple[str, ...], passed: list[int]) -> tuple[str, ...]:
    if FILTER not in argv:
        return argv
    at = argv.index(FILTER)
    return (*argv[: at - 1], *((argv[at - 1], str(passed[0])) if passed else ()), *argv[at + 1 :])


def _open_pidfd(process: subprocess.Popen[bytes]) -> int:
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        process.kill()
        process.wait()
        raise


class ControlEvent(Enum):
    """A message of a containment on its control socket."""

    NOTHING = 0
    READY = 1
    END = 2


def read_control(job: Job) -> ControlEvent:
    """Read the control socket of a job and keep the report; READY once, while the job isn't ready yet."""
    try:
        chunk = job.control.recv(_REPORT_SIZE)
    except BlockingIOError:
        return ControlEvent.NOTHING
    except OSError:
        return ControlEvent.END
    if not chunk:
        return ControlEvent.END
    job.report = (job.report + chunk)[-_REPORT_SIZE:]
    if job.ready or not job.report.startswith(_READY):
        return ControlEvent.NOTHING
    job.report = job.report.removeprefix(_READY)
    return ControlEvent.READY


def limit_job(job: Job) -> bool:
    """Move a containment that is ready into a group with its limits; False if that fails."""
    if job.limits is None or not job.limits.parents:
        return True
    from verigate.processes.control_groups import ControlGroup  # where groups are delegated

    below = supervise.list_descendants(job.process.pid)
    try:
        job.group = ControlGroup(job.limits)
        # bubblewrap itself stays outside: killed by a limit it couldn't report how its program has ended.
        job.group.add(below if job.containment is Containment.NAMESPACE else [job.process.pid, *below])
    except OSError:
        return False
    return True


def end_limits(job: Job) -> str | None:
    """Remove the group of a job that has ended; return the controller whose limit it reached."""
    if job.group is None:
        return None
    reached = job.group.find_reached()
    job.group.close()
    return reached


def start_contained(job: Job) -> None:
    """Let a containment that is ready start its program. One that has ended gets no message."""
    with contextlib.suppress(OSError):
        job.control.send(b"go\n")


def drain(fd: int, capture: Capture) -> None:
    """Read the rest of a pipe whose writers are gone; bounded, in case a writer has escaped."""
    taken = 0
    with contextlib.suppress(OSError):
        while taken <= 2 * _PIPE_SIZE and (chunk := os.read(fd, READ_SIZE)):
            capture.feed(chunk)
            taken += len(chunk)


def read_outcome(job: Job) -> Outcome:
    """Read how an ended process ended, from its containment's report or else from the containment's own end."""
    common: Mapping[str, Any] = {
        "timed_out": job.timed_out,
        "duration_s": job.duration,
        "stdout_bytes": job.captures[0].total,
        "stderr_bytes": job.captures[1].total,
    }
    words = job.report.decode("ascii", "replace").split()
    if len(words) == 3 and words[0] in {"exit", "signal"} and words[1].isdigit() and words[2].isdigit():
        code, leftovers = int(words[1]), int(words[2])
        by_signal = words[0] == "signal"
        if job.containment is Containment.NAMESPACE and code == 0 and job.process.returncode != 0:
            # It ends with the code that it reports: somebody else has written this.
            code, by_signal = job.process.returncode, job.process.returncode < 0
    else:
        # The containment was killed before it could report; only its own end is known.
        code, leftovers = job.process.returncode, 0
        by_signal = code < 0
        if job.containment is Containment.SUPERVISOR and code == 0:
            code = supervise.SETUP_FAILED
    if by_signal:
        return Outcome(signal=abs(code), leftover_processes=leftovers, **common)
    if job.containment is Containment.NAMESPACE and 128 < code <= 128 + signal.SIGRTMAX:
        # bubblewrap and sh report a signal as 128 + its number.
        return Outcome(signal=code - 128, leftover_processes=leftovers, **common)
    return Outcome(exit_code=code, leftover_processes=leftovers, **common)
