"""Verify many jobs by the executor that the command line names."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from verigate.cli.fleet_progress import FleetProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from verigate.domain.verification_job import Job, JobResult, JobSettings

_WORKER = "from verigate.cli.fleet_worker import main; main()"


@contextmanager
def verify_by(
    executor: str | None, jobs: Sequence[Job], settings: JobSettings, root: Path
) -> Iterator[tuple[Iterator[JobResult], Callable[[Callable[[], None]], None]]]:
    """Yield the results of the jobs in their order, and a function through which lines are printed meanwhile.

    Without an executor they are verified in this process, one after the other. Raises GateError.
    """
    if executor is None:
        from verigate.cli.verify_jobs import verify_jobs

        yield verify_jobs(jobs, settings, root), _call
        return
    from verigate.cli.output import warn
    from verigate.composition.fleet import open_fleet, parse_executor

    places = parse_executor(executor)
    how = "-I" if sys.flags.isolated else "-P"
    worker = (sys.executable, how, "-c", _WORKER, str(os.getpid()))
    with (
        FleetProgress() as progress,
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


def _call(say: Callable[[], None]) -> None:
    say()
