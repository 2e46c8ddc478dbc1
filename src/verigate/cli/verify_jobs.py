"""Verify what was asked for together, one after the other, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.cli.target import Target
from verigate.domain.remote_call import find_server_notes
from verigate.domain.verification_job import JobResult
from verigate.errors import GateError, Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from verigate.domain.ports import Listener
    from verigate.domain.verification_job import Job, JobSettings
    from verigate.usecases.services import Services
    from verigate.usecases.verify import Verified


def verify_jobs(
    jobs: Iterable[Job], settings: JobSettings, root: Path, listener: Listener | None = None
) -> Iterator[JobResult]:
    """Verify the jobs in their order. What ends one without a verdict doesn't end the others."""
    from verigate import composition

    services = composition.services(root, listener=listener)
    for job in jobs:
        try:
            verified = judge_job(job, settings, services)
            yield JobResult(job, verified.verdict, server_notes=find_server_notes(verified.warnings))
        except Interrupted:
            raise
        except GateError as problem:
            yield JobResult(job, None, str(problem))


def judge_job(job: Job, settings: JobSettings, services: Services) -> Verified:
    """Verify one. Raises GateError if there can be no verdict."""
    from verigate.domain.weakening import Stage
    from verigate.usecases.verify import verify

    target = Target(
        services.root,
        job.task_id,
        ref=job.ref,
        base=job.base,
        profile=settings.profile,
        policy_ref=settings.policy_ref,
        alone=job.alone,
    )
    request = target.request(
        job.task_id,
        use_cache=settings.use_cache,
        llm=settings.llm,
        commitment=target.read_commitment(job.task_id),
        stage=None if settings.stage is None else Stage(settings.stage),
        touched=settings.touched,
    )
    if settings.capabilities is not None:
        services = replace(services, jobs=settings.capabilities)
    return verify(request, services)
