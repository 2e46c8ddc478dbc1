"""Construct the parts that do I/O, for the pipeline, the conformance kit and the doctor."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from verigate import __version__
from verigate.composition.adapters import RepositoryAdapters
from verigate.composition.policy import RepositoryPolicy
from verigate.config.builtin import find_builtin_root
from verigate.domain.ci import is_ci
from verigate.domain.execution import CapabilityRun
from verigate.domain.policy_source import PolicyUse, PolicyWanted
from verigate.domain.ports import Listener, SubjectWorkspace
from verigate.domain.subject import SubjectKind
from verigate.usecases.policy_ref import find_policy_ref
from verigate.usecases.silent import Silent
from verigate.user_folders import UserFolders

if TYPE_CHECKING:
    from verigate.config.configuration import Configuration
    from verigate.domain.plan import Plan
    from verigate.domain.verdict import Check
    from verigate.evidence.store import Published
    from verigate.execution.prefetch import Prefetched
    from verigate.reporting.explain import Excerpt
    from verigate.usecases.kept_evidence import EvidenceStore
    from verigate.usecases.remote_evidence import RunRemote
    from verigate.usecases.services import Services
    from verigate.verifier.managed_engine import Watch


_NEEDED_LATER = (
    "verigate.processes.environment",
    "verigate.processes.tool_path",
    "verigate.processes.process_loop",
    "verigate.execution.runner",
    "verigate.gate.decision",
    "verigate.evidence.run_record",
    "verigate.reporting.text",
    "verigate.reporting.console_lines",
)


def load_later_modules() -> Iterator[None]:
    """Load what running, deciding and reporting need, a module per step, while the gate waits for git and adapters."""
    import importlib

    for name in _NEEDED_LATER:
        importlib.import_module(name)
        yield


def _run(*arguments: Any, **options: Any) -> tuple[CapabilityRun, ...]:
    from verigate.execution.runner import run_plan

    return run_plan(*arguments, **options)


def _ask(*arguments: Any, **options: Any) -> Mapping[str, bytes]:
    from verigate.usecases.engines import ask_engine

    return ask_engine(*arguments, now=now, **options)


def _open_kept_evidence(root: Path, environ: Mapping[str, str]) -> EvidenceStore | None:
    """Open the user's kept evidence; None in CI, which runs everything, and where the user has no folder for them."""
    if is_ci(environ):
        return None
    from verigate.execution.evidence_cache import EvidenceCache
    from verigate.usecases.kept_evidence import EvidenceStore

    folders = UserFolders(environ, str(root))
    cache, outcomes = (EvidenceCache.from_user(folders, name) for name in ("runs", "outcomes"))
    return None if cache is None or outcomes is None else EvidenceStore(cache, outcomes, now)


def _open_remote(
    configuration: Configuration,
    workspace: SubjectWorkspace,
    plan: Plan,
    /,
    *,
    takes: bool,
    root: Path,
    environ: Mapping[str, str],
) -> RunRemote | None:
    """Open the remote cache and executor; None without any, as nearly always."""
    named = environ.get("GATE_REMOTE_CACHE") or environ.get("GATE_REMOTE_EXECUTOR")
    if not named and configuration.remote_cache is None:
        return None
    from verigate.composition.remote_cache import open_remote_cache

    return open_remote_cache(root, environ, configuration.remote_cache, workspace, plan, takes=takes)


def now() -> str:
    """Return the moment in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """Return the date in UTC, ISO 8601: the day on which a baseline's entries are judged."""
    return datetime.now(UTC).date().isoformat()


class _MachineClock:
    """The ``Clock`` of ``verigate.usecases.services``."""

    def now(self) -> str:
        return now()

    def monotonic(self) -> float:
        return time.monotonic()


class _Workspaces(Struct, frozen=True):
    """The ``Workspaces`` of ``verigate.usecases.services``; ``opener`` does it, and ``meanwhile`` while git works.

    ``environ`` may name the policy ref.
    """

    opener: Callable[..., AbstractContextManager[SubjectWorkspace]]
    meanwhile: Iterator[None]
    environ: Mapping[str, str]

    def open(
        self, root: Path, *, kind: SubjectKind, ref: str | None, base: str | None, policy: PolicyWanted
    ) -> AbstractContextManager[SubjectWorkspace]:
        if policy.ref is None and policy.use is not PolicyUse.OWN:
            policy = replace(policy, ref=find_policy_ref(str(root), self.environ))
        return self.opener(root, kind=kind, ref=ref, base=base, policy=policy, meanwhile=self.meanwhile)


def services(
    root: Path,
    *,
    listener: Listener | None = None,
    ahead: Prefetched | None = None,
    watch: Watch | None = None,
    engine_options: Mapping[str, Any] | None = None,
) -> Services:
    """Return everything that a verification of the repository at ``root`` needs.

    ``ahead`` is what was started for it before. ``watch`` gets the run log of a verifier's
    engine, and ``engine_options`` are those of this run.
    """
    from verigate.config import validation_cache
    from verigate.config.validation import check_media
    from verigate.evidence.attestation import load_signer
    from verigate.subject.workspace import open_workspace
    from verigate.usecases.services import Services

    # Everything is loaded by now and stays; from here on garbage is made.
    gc.freeze()
    gc.enable()
    builtin = find_builtin_root()
    environ = dict(os.environ)
    validation_cache.use_cache(UserFolders(environ, str(root)))
    upcoming = load_later_modules()
    opener = ahead.workspace if ahead else partial(open_workspace, environ=environ, gate_prefix=sys.prefix)
    return Services(
        root=root,
        version=__version__,
        environ=environ,
        host=os.uname().nodename,
        jobs=os.cpu_count() or 1,
        clock=_MachineClock(),
        workspaces=_Workspaces(opener, upcoming, environ),
        policy=RepositoryPolicy(builtin, today),
        adapters=RepositoryAdapters(str(builtin), environ),
        artifact_check=check_media,
        runner=partial(_run, probed=ahead.sandbox if ahead else None, meanwhile=upcoming),
        verifier=partial(
            _ask,
            root=root,
            environ=environ,
            listener=listener or Silent(),
            watch=watch,
            overrides=engine_options or {},
        ),
        attestor=load_signer(environ, root),
        kept_evidence=partial(_open_kept_evidence, root, environ),
        listener=listener or Silent(),
        remote=partial(_open_remote, root=root, environ=environ),
    )


def read_excerpts(published: Published, check: Check) -> Sequence[Excerpt]:
    """Read the values of evidence that a check cites from the published artifacts."""
    from verigate.formats.strict_json import loads
    from verigate.reporting.explain import excerpt_value

    cited = [ref for ref in check.evidence if published.index.get(ref.artifact, {}).get("is_json")]
    values = {path: loads(published.read(path)) for path in {ref.artifact for ref in cited}}
    return [excerpt_value(ref, values[ref.artifact]) for ref in cited]
