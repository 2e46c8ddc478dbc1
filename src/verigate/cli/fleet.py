"""Verify many jobs by the executor that the command line names."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from verigate.cli.fleet_progress import FleetProgress
from verigate.domain.ci import is_ci
from verigate.errors import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from verigate.domain.verification_job import Job, JobResult, JobSettings

_WORKER = "from verigate.cli.fleet_worker import main; main()"


@contextmanager
def verify_by(
    executor: str | None, jobs: Sequence[Job], settings: JobSettings, root: Path, *, quiet: bool
) -> Iterator[tuple[Iterator[JobResult], Callable[[Callable[[], None]], None]]]:
    """Yield the results of the jobs in their order, and a function through which lines are printed meanwhile.

    Without an executor they are verified in this process, one after the other. What runs is shown on a terminal, unless
    ``quiet``. Raises GateError.
    """
    counted = _Counted()
    try:
        with _open(executor, jobs, settings, root, quiet=quiet) as (results, print_above):
            yield counted.count(results), print_above
    except (KeyboardInterrupt, Interrupted) as problem:
        raise Interrupted(_describe_interrupted(counted.seen, len(jobs), executor, settings)) from problem


class _Counted:
    """Counts results as they are taken."""

    def __init__(self) -> None:
        self.seen = 0

    def count(self, results: Iterator[JobResult]) -> Iterator[JobResult]:
        for each in results:
            self.seen += 1
            yield each


def _describe_interrupted(seen: int, total: int, executor: str | None, settings: JobSettings) -> str:
    """Say what an interrupted run leaves, and whether the same command goes on with it."""
    what = f"interrupted; {seen} of {total} have their result" if seen else "interrupted; no verdict was written"
    if executor is None or not settings.use_cache or is_ci(os.environ):
        return what
    return f"{what}; the same command within an hour doesn't verify again what has finished"


@contextmanager
def _open(
    executor: str | None, jobs: Sequence[Job], settings: JobSettings, root: Path, *, quiet: bool
) -> Iterator[tuple[Iterator[JobResult], Callable[[Callable[[], None]], None]]]:
    if executor is None:
        from verigate.cli.progress import watch_running
        from verigate.cli.verify_jobs import verify_jobs

        with watch_running(root, quiet=quiet) as running:
            yield verify_jobs(jobs, settings, root, running), running.print_above
        return
    from verigate.cli.output import warn
    from verigate.composition.fleet import open_fleet, parse_executor

    places = parse_executor(executor)
    how = "-I" if sys.flags.isolated else "-P"
    worker = (sys.executable, how, "-c", _WORKER, str(os.getpid()))
    with (
        FleetProgress(quiet=quiet) as progress,
        open_fleet(
            places,
            jobs,
            settings,
            root,
            worker=worker,
            tell=progress.tell,
            warn=lambda messages: progress.print_above(lambda: warn(messages)) if messages else None,
        ) as results,
    ):
        yield results, progress.print_above
