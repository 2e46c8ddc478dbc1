"""What goes to a worker and comes back: a job and its settings, and next to the sealed folder how it ended."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from verigate.domain.verification_job import Job, JobSettings

JOB_FILE = "job.json"
REPORT_FILE = "report.json"
LONGEST_REPORT = 64 * 1024


class Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    """A job as it is written to ``job.json``. ``gate`` is the version that both sides must have."""

    gate: str
    job: Job
    settings: JobSettings


class WorkerReport(Struct, frozen=True, forbid_unknown_fields=True):
    """How a worker ended, as ``report.json``.

    ``task`` names the folder of the verdict, None where there is none; then ``problem`` says why, and is empty if there
    was nothing to verify. ``exit_code`` is that of the error.
    """

    task: str | None = None
    problem: str = ""
    exit_code: int = 0

    @property
    def is_final(self) -> bool:
        """Whether the same would come of it again: the subject, the policy or the call is to blame."""
        return self.exit_code == 2


def decode_report(content: bytes) -> WorkerReport:
    """Read what a worker wrote. Raises ValueError."""
    if len(content) > LONGEST_REPORT:
        raise ValueError(f"its report has more than {LONGEST_REPORT} bytes")
    try:
        return msgspec.json.decode(content, type=WorkerReport)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"its report can't be read: {problem}") from problem
