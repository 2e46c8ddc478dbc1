"""Verifications that are asked for together: what each is of, and what holds for all of them."""

from __future__ import annotations

from msgspec import Struct

from verigate.domain.verdict import Verdict


class Job(Struct, frozen=True):
    """One verification. ``name`` is that of its line: a commit's id, a task's id, or that of a whole range.

    ``ref`` is the commit to verify, None for the working tree; ``base`` what it is compared with, None for what the
    task or the commit says. ``alone``: a commit by itself, compared with its first parent, and no task's.
    ``whole``: all commits of a range as one change, which takes longer than any of them.
    """

    name: str
    ref: str | None = None
    base: str | None = None
    task_id: str | None = None
    alone: bool = False
    whole: bool = False


class JobSettings(Struct, frozen=True):
    """What the command line says of all jobs, as in the request; ``stage`` is the word of one.

    ``capabilities`` is how many of a job may run at once, None for as many as there are processors.
    """

    profile: str | None = None
    policy_ref: str | None = None
    stage: str | None = None
    use_cache: bool = True
    llm: bool = True
    touched: bool = False
    capabilities: int | None = None


class JobResult(Struct, frozen=True):
    """What became of a job. ``verdict`` is None where nothing differs, or where ``problem`` says why there is none.

    ``server_notes`` are the warnings of its run about servers of the Remote Execution API.
    """

    job: Job
    verdict: Verdict | None
    problem: str = ""
    server_notes: tuple[str, ...] = ()
