"""Construct what runs many verifications at the same time."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from verigate import __version__, composition
from verigate.composition.range_policy import describe_policy
from verigate.domain.ci import is_ci
from verigate.domain.verification_job import Job, JobResult, JobSettings
from verigate.errors import UsageError
from verigate.execution.evidence_cache import EvidenceCache
from verigate.subject.git import Git
from verigate.subject.git_query import read_git_line
from verigate.subject.judged_tree import find_judged_trees
from verigate.subject.temporary_folder import open_temporary_folder
from verigate.usecases.fleet.adopt import adopt
from verigate.usecases.fleet.known_results import KnownResults
from verigate.usecases.fleet.local_executor import LocalExecutor
from verigate.usecases.fleet.run_jobs import run_jobs
from verigate.usecases.fleet.scheduler import Executor, Progress
from verigate.usecases.fleet.sealed_results import Expected, Sealed
from verigate.user_folders import UserFolders

MOST_PLACES = 256

_LOCAL = re.compile(r"local(?::([1-9][0-9]{0,3}))?")
_DASK = re.compile(r"dask://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):([1-9][0-9]{0,4})")
_HINT = "local, local:4 for four at once, dask://HOST:PORT, or grpc://HOST:PORT"


class LocalPlaces(Struct, frozen=True):
    """``--executor local[:N]``: N processes on this machine."""

    places: int


class DaskScheduler(Struct, frozen=True):
    """``--executor dask://HOST:PORT``: the workers of the scheduler at ``address``, ``HOST:PORT``."""

    address: str


def parse_executor(text: str) -> LocalPlaces | DaskScheduler:
    """Parse the value of ``--executor``. Raises UsageError."""
    if (dask := _DASK.fullmatch(text)) is not None:
        return DaskScheduler(f"{dask[1]}:{dask[2]}")
    found = _LOCAL.fullmatch(text)
    if found is None:
        raise UsageError(f"there is no executor {text!r}", where="--executor", hint=_HINT)
    places = int(found[1]) if found[1] else os.cpu_count() or 1
    if places > MOST_PLACES:
        raise UsageError(f"it takes at most {MOST_PLACES} at once", where="--executor", hint=_HINT)
    return LocalPlaces(places)


class _Closing(Executor, Protocol):
    def close(self) -> None:
        """End what is left."""


@contextmanager
def open_fleet(
    asked: LocalPlaces | DaskScheduler,
    jobs: Sequence[Job],
    settings: JobSettings,
    root: Path,
    *,
    worker: Sequence[str],
    tell: Callable[[Progress], None],
    warn: Callable[[Sequence[str]], None],
) -> Iterator[Iterator[JobResult]]:
    """Yield the results of the jobs in their order, while they run. At the end no process of them is left here.

    ``worker`` is the argument vector that starts a worker, before its folder. ``tell`` hears of each change, and
    ``warn`` of what publishing couldn't do. Raises GateError.
    """
    environ = dict(os.environ)
    with open_temporary_folder(environ, str(root), time.time_ns) as place, ExitStack() as stack:
        folder = Path(place)
        find_tree = _find_trees(root, environ)
        make: Callable[[Sequence[Job]], _Closing]
        if isinstance(asked, LocalPlaces):
            expected = Expected(find_tree)
            local = replace(settings, capabilities=max(1, (os.cpu_count() or 1) // asked.places))
            make = partial(
                LocalExecutor,
                asked.places,
                settings=local,
                gate=worker,
                root=root,
                environ=environ,
                folder=folder,
                expected=expected,
            )
        else:
            from verigate.composition.dask_fleet import prepare_dask

            make, expected = prepare_dask(
                asked.address, jobs, settings, root, environ=environ, folder=folder, find_tree=find_tree, stack=stack
            )
        known = _open_known(jobs, settings, root, environ, folder=folder, expected=expected)

        def open_executor(left: Sequence[Job]) -> Executor:
            return stack.enter_context(closing(make(left)))

        def publish(sealed: Sealed) -> None:
            if sealed.published is not None:
                warn(adopt(root, environ, sealed.published, composition.now))

        yield run_jobs(jobs, open_executor, publish, known=known, tell=tell)


def _find_trees(root: Path, environ: Mapping[str, str]) -> Callable[[str], str]:
    git = Git.from_root(str(root), environ)

    @cache
    def find_tree(commit: str) -> str:
        return find_judged_trees(git, [commit])[0]

    return find_tree


def _open_known(
    jobs: Sequence[Job],
    settings: JobSettings,
    root: Path,
    environ: Mapping[str, str],
    *,
    folder: Path,
    expected: Expected,
) -> KnownResults | None:
    """Open what an interrupted run of the same call has found; None in CI, with --no-cache, and without a folder."""
    if not settings.use_cache or is_ci(environ):
        return None
    cache = EvidenceCache.from_user(UserFolders(environ, str(root)), "fleet")
    common = read_git_line(root, environ, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if cache is None or common is None:
        return None
    call: dict[str, Any] = {
        "gate": __version__,
        "repository": [str(root), common],
        "settings": to_builtins(replace(settings, capabilities=None)),
        "policy": describe_policy(root, environ, settings),
        "environment": {key: value for key, value in environ.items() if key == "PATH" or key.startswith("GATE_")},
        "day": composition.today(),
    }
    return KnownResults(cache, call, jobs, folder=folder, expected=expected, now=composition.now)
