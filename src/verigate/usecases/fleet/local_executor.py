"""Run jobs as processes of the gate's own command on this machine, each in a process group of its own.

They share the repository, which they read, the kept evidence and the caches, which are made for several runs at once.
What each finds goes to a private folder.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from verigate import __version__
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import ExecutionError
from verigate.usecases.fleet.reports import JOB_FILE, REPORT_FILE, Assignment
from verigate.usecases.fleet.scheduler import Ended
from verigate.usecases.fleet.sealed_results import Expected, read_result

_GRACE_S = 10.0
"""Seconds in which a worker that was asked to end ends its own programs."""

_ERRORS_FILE = "stderr"
_LAST_BYTES = 4096


class _Worker(Struct):
    attempt: int
    job: Job
    folder: Path
    process: subprocess.Popen[bytes]
    pidfd: int
    kill_at: float | None = None


class LocalExecutor:
    """At most ``places`` processes at once.

    ``gate`` is the argument vector that starts a worker, before the path of its folder; ``folder`` a private one for
    what they find. Close it at the end: then no worker is left.
    """

    def __init__(
        self,
        places: int,
        jobs: Sequence[Job],
        settings: JobSettings,
        *,
        gate: Sequence[str],
        root: Path,
        environ: Mapping[str, str],
        folder: Path,
        expected: Expected,
    ) -> None:
        self.places = places
        self._jobs = jobs
        self._settings = settings
        self._gate = tuple(gate)
        self._root = root
        self._environ = dict(environ)
        self._folder = folder
        self._expected = expected
        self._workers: dict[int, _Worker] = {}
        self._selector = selectors.DefaultSelector()

    def close(self) -> None:
        """End every worker that is left: ask each, then kill those that don't end."""
        for worker in self._workers.values():
            self._ask_to_end(worker)
        while self._workers:
            self.wait(None)
        self._selector.close()

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The process ids of the workers, each of which leads its group."""
        return tuple(worker.process.pid for worker in self._workers.values())

    def start(self, attempt: int, job: int) -> None:
        """As in the protocol. Raises ExecutionError if no process can be started."""
        folder = self._folder / str(attempt)
        folder.mkdir(mode=0o700)
        assignment = Assignment(__version__, self._jobs[job], self._settings)
        (folder / JOB_FILE).write_bytes(msgspec.json.encode(assignment))
        try:
            with (folder / _ERRORS_FILE).open("wb") as errors:
                process = subprocess.Popen(
                    (*self._gate, str(folder)),
                    cwd=self._root,
                    env=self._environ,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,
                )
            pidfd = _open_pidfd(process)
        except OSError as problem:
            hint = "ask for fewer at once: --executor local:1"
            raise ExecutionError(f"a worker can't be started: {problem.strerror}", hint=hint) from problem
        worker = _Worker(attempt, self._jobs[job], folder, process, pidfd)
        self._workers[attempt] = worker
        self._selector.register(pidfd, selectors.EVENT_READ, worker)

    def wait(self, timeout: float | None) -> Sequence[Ended]:
        """As in the protocol."""
        kills = [worker.kill_at for worker in self._workers.values() if worker.kill_at is not None]
        if kills:
            until = max(0.0, min(kills) - time.monotonic())
            timeout = until if timeout is None else min(timeout, until)
        ended = []
        for key, _ in self._selector.select(timeout):
            worker: _Worker = key.data
            self._selector.unregister(worker.pidfd)
            os.close(worker.pidfd)
            del self._workers[worker.attempt]
            code = worker.process.wait()
            if worker.kill_at is None:
                ended.append(self._read(worker, code))
        self._kill_late()
        return ended

    def cancel(self, attempt: int) -> None:
        """As in the protocol."""
        worker = self._workers.get(attempt)
        if worker is not None:
            self._ask_to_end(worker)

    def _read(self, worker: _Worker, code: int) -> Ended:
        if code == 0 or (worker.folder / REPORT_FILE).exists():
            return read_result(worker.attempt, worker.folder, worker.job, self._expected)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
        last = _read_last_line(worker.folder / _ERRORS_FILE)
        return Ended(worker.attempt, failure=f"its process {how}{f': {last}' if last else ''}")

    def _ask_to_end(self, worker: _Worker) -> None:
        if worker.kill_at is None:
            worker.kill_at = time.monotonic() + _GRACE_S
            _signal_group(worker.process.pid, signal.SIGTERM)

    def _kill_late(self) -> None:
        now = time.monotonic()
        for worker in self._workers.values():
            if worker.kill_at is not None and worker.kill_at <= now:
                worker.kill_at = now + _GRACE_S
                _signal_group(worker.process.pid, signal.SIGKILL)


def _open_pidfd(process: subprocess.Popen[bytes]) -> int:
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        process.kill()
        process.wait()
        raise


def _signal_group(leader: int, number: int) -> None:
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return


def _read_last_line(path: Path) -> str:
    """Return the last line that isn't empty, of the end of a file."""
    with path.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _LAST_BYTES))
        lines = stream.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
