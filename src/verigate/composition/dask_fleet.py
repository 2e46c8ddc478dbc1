"""Connect to a Dask cluster, and prepare what its workers are sent."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.composition.trusted_policy import open_policy
from verigate.domain.policy_source import PolicySource
from verigate.domain.task_folder import APPROVALS_FOLDER
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import ExecutionError, UsageError
from verigate.subject.git import Git
from verigate.usecases.fleet.sealed_results import Expected

if TYPE_CHECKING:
    from verigate.usecases.fleet.dask_executor import DaskExecutor

_CONNECTS_IN_S = 10
_MOST_CARRIED = 1024 * 1024


def prepare_dask(
    address: str,
    jobs: Sequence[Job],
    settings: JobSettings,
    root: Path,
    *,
    environ: Mapping[str, str],
    folder: Path,
    find_tree: Callable[[str], str],
    stack: ExitStack,
) -> tuple[Callable[[Sequence[Job]], DaskExecutor], Expected]:
    """Return what makes the executor for jobs, and what their results must say; ``stack`` closes the connection.

    The policy ref is resolved here, once: workers get the commit. TLS and all else about the connection is what Dask's
    own configuration says. Raises UsageError without the extra or for jobs that workers can't do, ExecutionError where
    no scheduler answers, SubjectError for a repository that can't be sent.
    """
    try:
        from distributed import Client

        from verigate.usecases.fleet.dask_executor import DaskExecutor
        from verigate.usecases.fleet.dask_task import Wanted
        from verigate.usecases.fleet.mirror import BundleMaker
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("dask", [problem.name or "distributed"])
        raise UsageError(f"{lack.message} ({problem})", where="--executor", hint=lack.command) from problem
    if any(job.ref is None or job.task_id is not None for job in jobs):
        hint = "--executor local; or verify commits, --range"
        raise UsageError("tasks are of this working tree, which workers don't have", where="--executor", hint=hint)
    source = _find_policy(root, environ, settings)
    git = Git.from_root(str(root), environ)
    head = git.run("rev-parse", "--verify", "HEAD^{commit}").decode("ascii").strip()
    tips = [head, *(job.ref for job in jobs if job.ref is not None), *(() if source is None else (source.commit,))]
    bundles = BundleMaker(root, environ, folder, _find_tips(git, tips))
    wanted = Wanted(bundles.key, bundles.object_format, bundles.tips, head, root.name)
    expected = Expected(
        find_tree,
        None if source is None else source.commit,
        None if source is None else source.digest,
        settles_policy=True,
    )
    # What its client would write of a scheduler that is gone, a traceback, is raised here with what to do.
    logging.disable(logging.CRITICAL)
    try:
        opened: Any = Client  # its types are incomplete
        client = stack.enter_context(opened(address, timeout=_CONNECTS_IN_S, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as problem:
        hint = "start one with `dask scheduler`, and workers with `dask worker`; see docs/fleet.md"
        raise ExecutionError(
            f"no scheduler answers at {address}: {problem}", where="--executor", hint=hint
        ) from problem
    make = partial(
        DaskExecutor,
        client,
        settings=settings if source is None else replace(settings, policy_ref=source.commit),
        bundles=bundles,
        wanted=wanted,
        carried=_read_approvals(root),
        folder=folder,
        expected=expected,
    )
    return make, expected


def _find_policy(root: Path, environ: Mapping[str, str], settings: JobSettings) -> PolicySource | None:
    """Find the commit of the policy, as it is here and now; None if each commit is judged by its own."""
    from verigate.domain.policy_source import POLICY_VARIABLE

    named = {} if settings.policy_ref is None else {POLICY_VARIABLE: settings.policy_ref}
    with open_policy(root, {**environ, **named}) as (_, source, _doubts):
        return source


def _find_tips(git: Git, commits: Sequence[str]) -> tuple[str, ...]:
    """Return those of the commits from which all of them can be reached."""
    listed = "".join(f"{commit}\n" for commit in dict.fromkeys(commits))
    reached = git.run("rev-list", "--no-walk=unsorted", "--stdin", stdin=listed.encode()).decode("ascii").split()
    return tuple(git.run("merge-base", "--independent", *reached).decode("ascii").split()) if reached else ()


def _read_approvals(root: Path) -> dict[str, bytes]:
    """Read the signed approvals, which lie next to the repository's objects."""
    folder = root / APPROVALS_FOLDER
    found: dict[str, bytes] = {}
    if not folder.is_dir() or folder.is_symlink():
        return found
    for path in sorted(folder.glob("*.json")):
        if path.is_file() and not path.is_symlink():
            found[f"{APPROVALS_FOLDER}/{path.name}"] = path.read_bytes()
    if sum(map(len, found.values())) > _MOST_CARRIED:
        raise UsageError(f"they have more than {_MOST_CARRIED} bytes", where=str(folder), hint="remove old ones")
    return found
