"""Read what a worker delivered, and let nothing through that isn't a verdict of just this job by just this policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate import __version__
from verigate.config.files import read_bytes
from verigate.domain.subject import SubjectKind
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.verdict import Verdict, parse_verdict
from verigate.domain.verification_job import Job
from verigate.errors import EvidenceError, GateError
from verigate.evidence.store import Published, task_folder
from verigate.reporting.commit_range import digest_verdict
from verigate.usecases.fleet.reports import LONGEST_REPORT, REPORT_FILE, decode_report
from verigate.usecases.fleet.scheduler import Delivery, Ended
from verigate.usecases.replay import read_genuine


class Sealed(Struct, frozen=True):
    """A checked result: the verdict as published below ``folder``; both None where there was nothing to verify."""

    folder: Path
    published: Published | None = None
    verdict: Verdict | None = None


class Expected(Struct, frozen=True):
    """What the results of all jobs must say.

    ``find_tree`` returns the tree that is verified of a commit; ``policy_commit`` and ``policy_digest`` are those of
    the policy ref that the caller names, None without one. ``settles_policy``: without one, a worker must not have
    taken another's.
    """

    find_tree: Callable[[str], str]
    policy_commit: str | None = None
    policy_digest: str | None = None
    settles_policy: bool = False


def read_result(attempt: int, folder: Path, job: Job, expected: Expected) -> Ended:
    """Read the result of an attempt from its folder.

    What doesn't fit is final: a worker that delivers something else isn't asked again.
    """
    try:
        content = read_bytes(folder / REPORT_FILE, shown=REPORT_FILE, max_bytes=LONGEST_REPORT)
        if content is None:
            return Ended(attempt, failure="its worker ended without a result")
        report = decode_report(content)
        if report.task is None:
            if report.problem:
                return Ended(attempt, failure=report.problem, is_final=report.is_final)
            return Ended(attempt, Delivery(Sealed(folder), None))
        sealed = read_sealed(folder, job, expected)
    except (GateError, ValueError) as problem:
        return Ended(attempt, failure=f"what its worker delivered doesn't count: {problem}", is_final=True)
    return Ended(attempt, Delivery(sealed, digest_verdict(sealed.verdict)))


def read_sealed(folder: Path, job: Job, expected: Expected) -> Sealed:
    """Read the verdict below ``folder``: intact, following from its evidence, of this subject and policy.

    Raises EvidenceError.
    """
    name = job.task_id or IMPLICIT_TASK_ID
    published = read_genuine(folder, task_folder(folder, name))
    wrong = next(_find_mismatches(published.verdict, job, expected), None)
    if wrong is not None:
        raise EvidenceError(wrong, where=str(published.folder), hint="see what that worker runs")
    return Sealed(folder, published, parse_verdict(published.verdict))


def _find_mismatches(verdict: Mapping[str, Any], job: Job, expected: Expected) -> Iterator[str]:
    """Say in which ways a verdict isn't that of a job."""
    subject, metadata = verdict["subject"], verdict["metadata"]
    if metadata.get("gate_version") != __version__:
        yield f"it is of the gate {metadata.get('gate_version')!r}, and this is {__version__}"
    is_commit = subject.get("kind") == SubjectKind.COMMIT
    if is_commit != (job.ref is not None):
        yield f"its subject is a {subject.get('kind')}"
    if job.ref is not None and subject.get("tree") != expected.find_tree(job.ref):
        yield f"its subject is {str(subject.get('tree'))[:80]}, and not the tree of the commit {job.ref}"
    if job.base is not None and subject.get("base") != job.base:
        yield f"it is compared with {str(subject.get('base'))[:80]}, and not with {job.base}"
    ref = verdict["policy"].get("ref") or {}
    if expected.policy_commit is not None and ref.get("commit") != expected.policy_commit:
        yield f"its policy is of {str(ref.get('commit'))[:80]}, and not of {expected.policy_commit}"
    if expected.settles_policy and expected.policy_commit is None and ref:
        yield f"its policy is of {str(ref.get('commit'))[:80]}, which nobody named here"
    if expected.policy_digest is not None and ref.get("digest") != expected.policy_digest:
        yield "its policy has other files than the ref"
