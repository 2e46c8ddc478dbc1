"""End a job: SIGTERM, then SIGKILL, then SIGKILL to everything below it. Every event loop calls this.

There are two loops. ``Processes`` runs many adapters from a thread that isn't in a coroutine: it handles signals, holds
sandboxes back until their turn, and doesn't load asyncio, which every verdict would pay for. ``EngineProcesses`` is
awaited by engines, which are coroutines by contract, and passes on each line as it comes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Collection

from verigate.processes import supervise
from verigate.processes.job import Containment, Job

LAST_RESORT_S = 3.0
"""Seconds between the request to a containment to end and its SIGKILL."""


def end_in_time(job: Job, now: float, grace_s: float) -> None:
    """Do what is due: terminate at the deadline, kill ``grace_s`` seconds later, kill directly as a last resort."""
    if job.deadline is not None and now >= job.deadline:
        job.timed_out = True
        terminate_job(job, now, grace_s)
    if job.kill_at is not None and now >= job.kill_at:
        kill_job(job, now)
    if job.give_up_at is not None and now >= job.give_up_at:
        job.give_up_at = now + LAST_RESORT_S
        kill_from_here(job)


def terminate_job(job: Job, now: float, grace_s: float) -> None:
    """Send SIGTERM to a job's program and schedule SIGKILL in ``grace_s`` seconds; kill at once if nothing runs yet."""
    job.deadline = None
    if not (job.ready and job.released) or grace_s <= 0:
        kill_job(job, now)
        return
    job.kill_at = now + grace_s
    supervise.send_signal(supervise.list_descendants(job.process.pid, below=job.containment.value), signal.SIGTERM)


def kill_job(job: Job, now: float) -> None:
    """Request the kill of the containment and everything in it."""
    job.deadline = job.kill_at = None
    if job.process.returncode is not None:
        return
    job.give_up_at = now + LAST_RESORT_S
    if job.init_fd is not None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(job.init_fd, signal.SIGKILL)
    elif job.containment is Containment.NAMESPACE:
        kill_from_here(job)
    else:
        # The supervisor reads end of file and kills until nothing is left; it alone sees all orphans.
        with contextlib.suppress(OSError):
            job.control.shutdown(socket.SHUT_WR)


def kill_from_here(job: Job) -> None:
    """Kill the containment and all its descendants directly."""
    supervise.send_signal([*supervise.list_descendants(job.process.pid), job.process.pid], signal.SIGKILL)


def end_orphans(known: Collection[int]) -> None:
    """Kill the orphans of a killed supervisor: all children of this process that aren't ``known``."""
    while orphans := [pid for pid in supervise.list_children(os.getpid()) if pid not in known]:
        for pid in orphans:
            supervise.send_signal([*supervise.list_descendants(pid), pid], signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
