"""Run jobs on the workers of a Dask cluster, which chooses the worker, and runs a job again whose worker is gone.

Dask's own protocol uses pickle in both directions: whoever can speak to the scheduler has the rights of its clients and
workers. What is checked here finds workers that are wrong, not ones that attack; the cluster's TLS keeps others out.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from verigate import __version__
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import ExecutionError, GateError
from verigate.usecases.fleet.dask_task import Answer, Wanted, list_haves, take_bundle, verify_job
from verigate.usecases.fleet.mirror import BundleMaker
from verigate.usecases.fleet.packing import unpack
from verigate.usecases.fleet.reports import Assignment
from verigate.usecases.fleet.scheduler import Ended
from verigate.usecases.fleet.sealed_results import Expected, read_result

_LOOK_AGAIN_S = 1.0
_PATIENCE_S = 60.0
"""Seconds without any worker after which a run ends."""

_MOST_SENDS = 3
"""Times that a worker is sent the same objects before a job counts as failed."""

_RESUME = "start the scheduler and its workers, and run the same command again: what is kept isn't run again"
_START = "start workers with `dask worker`, and run the same command again"


class DaskExecutor:
    """As many places as the workers have threads.

    ``client`` is a ``distributed.Client``; ``bundles`` makes what workers are sent; ``carried`` are files that a job
    needs next to the objects, by path; ``folder`` is a private one for what is found. Raises ExecutionError where the
    scheduler is gone or has no worker.
    """

    def __init__(
        self,
        client: Any,
        jobs: Sequence[Job],
        settings: JobSettings,
        *,
        bundles: BundleMaker,
        wanted: Wanted,
        carried: Mapping[str, bytes],
        folder: Path,
        expected: Expected,
    ) -> None:
        self._client = client
        self._jobs = jobs
        self._settings = settings
        self._bundles = bundles
        self._wanted = wanted
        self._carried = dict(carried)
        self._folder = folder
        self._expected = expected
        self._futures: dict[int, Any] = {}
        self._of: dict[int, int] = {}
        self._sends: dict[int, int] = {}
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._workers: Mapping[str, int] = {}
        self._looked = float("-inf")
        self._ready: set[str] = set()
        self.bytes_sent = 0
        self.bytes_received = 0

    @property
    def places(self) -> int:
        """The threads of all workers; they are sent what they lack when they are first seen."""
        if time.monotonic() - self._looked >= _LOOK_AGAIN_S:
            self._look()
        return sum(self._workers.values())

    def start(self, attempt: int, job: int) -> None:
        """As in the protocol."""
        self._of[attempt] = job
        self._submit(attempt)

    def wait(self, timeout: float | None) -> Sequence[Ended]:
        """As in the protocol."""
        until = None if timeout is None else time.monotonic() + timeout
        before = sum(self._workers.values())
        last_seen = time.monotonic()
        while True:
            left = _LOOK_AGAIN_S if until is None else min(_LOOK_AGAIN_S, until - time.monotonic())
            ended = self._collect(max(0.0, left))
            if ended or (until is not None and time.monotonic() >= until):
                return ended
            if self.places > before:
                return ended  # there is room for more
            if self._workers or self._has_result():
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen > _PATIENCE_S:
                raise ExecutionError("the scheduler has no workers", where="--executor", hint=_START)

    def cancel(self, attempt: int) -> None:
        """As in the protocol. Dask can't end a job that runs: what its worker still finds is thrown away."""
        future = self._futures.pop(attempt, None)
        if future is not None and self._client.status == "running":
            future.cancel()

    def close(self) -> None:
        """Cancel what is left."""
        for attempt in list(self._futures):
            self.cancel(attempt)

    def _has_result(self) -> bool:
        return not self._done.empty()

    def _look(self) -> None:
        """Find the workers, and send those that are new what they lack."""
        self._check_scheduler()
        try:
            self._workers = dict(self._client.nthreads())
        except (OSError, TimeoutError) as problem:
            raise _make_gone(problem) from problem
        self._looked = time.monotonic()
        for address in self._workers:
            if address not in self._ready:
                self._prepare(address)

    def _check_scheduler(self) -> None:
        if self._client.status != "running":
            raise _make_gone(None)

    def _prepare(self, address: str) -> None:
        """Send a worker what its mirror lacks. One that is gone meanwhile is sent nothing."""
        try:
            haves = self._client.run(list_haves, self._wanted, workers=[address])[address]
            if not set(self._wanted.commits) <= set(haves):
                bundle = self._bundles.make(haves)
                self.bytes_sent += len(bundle)
                self._client.run(take_bundle, self._wanted, bundle, workers=[address])
        except GateError as problem:
            raise ExecutionError(f"the worker {address} can't take the commits: {problem}", hint=problem.hint) from None
        except ImportError as problem:
            hint = f"install this gate there, {__version__}, with the extra dask"
            raise ExecutionError(f"the worker {address} has no gate: {problem}", hint=hint) from None
        except (OSError, TimeoutError, KeyError):
            return
        self._ready.add(address)

    def _submit(self, attempt: int) -> None:
        self._check_scheduler()
        assignment = msgspec.json.encode(Assignment(__version__, self._jobs[self._of[attempt]], self._settings))
        self.bytes_sent += len(assignment) + sum(map(len, self._carried.values()))
        future = self._client.submit(
            verify_job, assignment, self._wanted, self._carried, pure=False, key=f"gate-{attempt}-{time.time_ns()}"
        )
        self._futures[attempt] = future
        future.add_done_callback(lambda done: self._done.put((attempt, done)))

    def _collect(self, timeout: float) -> list[Ended]:
        """Wait for the first result, and take all that are there; none is a reason to look at the scheduler."""
        ended: list[Ended] = []
        try:
            attempt, future = self._done.get(timeout=timeout) if timeout else self._done.get_nowait()
        except queue.Empty:
            self._check_scheduler()
            return ended
        while True:
            if self._futures.get(attempt) is future and (end := self._read(attempt, future)) is not None:
                ended.append(end)
            if self._done.empty():
                return ended
            attempt, future = self._done.get()

    def _read(self, attempt: int, future: Any) -> Ended | None:
        """Read what came of a job; None if it goes on."""
        status = future.status
        if status in {"cancelled", "lost"}:
            raise _make_gone(None)
        del self._futures[attempt]
        if status != "finished":
            return Ended(attempt, failure=f"Dask gave it up: {future.exception()}")
        answer = future.result()
        future.release()
        if not isinstance(answer, Answer):
            return Ended(attempt, failure="what its worker delivered doesn't count: it is no answer", is_final=True)
        if answer.lacks:
            return self._send_again(attempt, answer.worker)
        if answer.failure:
            return Ended(attempt, failure=answer.failure)
        self.bytes_received += len(answer.packed)
        folder = self._folder / str(attempt)
        try:
            unpack(answer.packed, folder)
        except GateError as problem:
            return Ended(attempt, failure=f"what its worker delivered doesn't count: {problem}", is_final=True)
        return read_result(attempt, folder, self._jobs[self._of[attempt]], self._expected)

    def _send_again(self, attempt: int, address: str) -> Ended | None:
        sends = self._sends[attempt] = self._sends.get(attempt, 0) + 1
        if sends > _MOST_SENDS:
            return Ended(attempt, failure=f"the mirror of {address} never has the commits")
        self._ready.discard(address)
        self._prepare(address)
        self._submit(attempt)
        return None


def _make_gone(problem: BaseException | None) -> ExecutionError:
    why = f": {problem}" if problem is not None else ""
    return ExecutionError(f"the scheduler is gone{why}", where="--executor", hint=_RESUME)
