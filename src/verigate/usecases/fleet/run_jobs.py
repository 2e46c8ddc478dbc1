"""Run many jobs by an executor, check and publish what they find, and yield it in their order."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from verigate.domain.remote_call import find_server_notes
from verigate.domain.verification_job import Job, JobResult
from verigate.errors import ExecutionError, GateError
from verigate.usecases.fleet.known_results import KnownResults
from verigate.usecases.fleet.scheduler import Ended, Executor, Outcome, Progress, Scheduler
from verigate.usecases.fleet.sealed_results import Sealed

Publish = Callable[[Sealed], None]
"""Publishes a checked result. Raises GateError."""


def run_jobs(
    jobs: Sequence[Job],
    make_executor: Callable[[Sequence[Job]], Executor],
    publish: Publish,
    *,
    known: KnownResults | None = None,
    monotonic: Callable[[], float] = time.monotonic,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Iterator[JobResult]:
    """Yield the result of each job, in their order. What an interrupted run found already isn't run again.

    ``make_executor`` gets the jobs that are left. Raises what the executor raises: then nothing more can be run.
    """
    found = {} if known is None else {job: sealed for job in jobs if (sealed := known.find(job)) is not None}
    left = [job for job in jobs if job not in found]
    executor = make_executor(left)
    if known is not None:
        executor = _Keeping(executor, known, left)
    longest = tuple(number for number, job in enumerate(left) if job.whole)
    outcomes = Scheduler(len(left), executor, monotonic, _count_in(len(found), tell), longest=longest).run()
    for job in jobs:
        if job in found:
            # It may have been found, and not been published, when the run was interrupted.
            yield _publish(job, Outcome(0, found[job]), publish)
        else:
            try:
                outcome = next(outcomes)
            except ExecutionError as problem:
                finished = len(found) + (executor.kept if isinstance(executor, _Keeping) else 0)
                kept = f"{finished} of {len(jobs)} are finished and kept for an hour"
                message = f"{problem.message}; {kept if known is not None else 'nothing of it is kept'}"
                raise ExecutionError(message, where=problem.where, hint=problem.hint) from problem
            yield _publish(job, outcome, publish)
    if known is not None:
        known.forget()


def _count_in(found: int, tell: Callable[[Progress], None]) -> Callable[[Progress], None]:
    return lambda progress: tell(replace(progress, done=progress.done + found, total=progress.total + found))


def _publish(job: Job, outcome: Outcome, publish: Publish) -> JobResult:
    if outcome.problem:
        return JobResult(job, None, outcome.problem)
    sealed: Sealed = outcome.value
    try:
        if sealed.published is not None:
            publish(sealed)
    except GateError as problem:
        return JobResult(job, None, str(problem))
    finally:
        shutil.rmtree(sealed.folder, ignore_errors=True)
    warnings = () if sealed.published is None else sealed.published.run.get("warnings", ())
    return JobResult(job, sealed.verdict, server_notes=find_server_notes(map(str, warnings)))


class _Keeping:
    """An executor whose results are kept as soon as they are there: a run may end before their turn comes."""

    def __init__(self, executor: Executor, known: KnownResults, jobs: Sequence[Job]) -> None:
        self._executor = executor
        self._known = known
        self._jobs = jobs
        self._of: dict[int, int] = {}
        self._finished: set[int] = set()

    @property
    def kept(self) -> int:
        """How many jobs have a result."""
        return len(self._finished)

    @property
    def places(self) -> int:
        return self._executor.places

    def start(self, attempt: int, job: int) -> None:
        self._of[attempt] = job
        self._executor.start(attempt, job)

    def wait(self, timeout: float | None) -> Sequence[Ended]:
        ended = self._executor.wait(timeout)
        for each in ended:
            if each.delivery is not None:
                job = self._of[each.attempt]
                self._known.keep(self._jobs[job], each.delivery.value)
                self._finished.add(job)
        return ended

    def cancel(self, attempt: int) -> None:
        self._executor.cancel(attempt)
