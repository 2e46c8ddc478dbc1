"""The services that do I/O for a verification. ``composition`` provides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from verigate.config.configuration import Configuration
from verigate.config.profiles import Profiles
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Registry
from verigate.domain.media import MediaSpec
from verigate.domain.plan import Plan
from verigate.domain.policy_source import PolicyWanted
from verigate.domain.ports import KnownEvidence, Listener, RunContext, Staging, SubjectWorkspace
from verigate.domain.subject import SubjectKind
from verigate.errors import Fault

if TYPE_CHECKING:
    from verigate.domain.remote_call import RemoteEvidence
    from verigate.usecases.ask_verifier import Ask
    from verigate.usecases.kept_evidence import EvidenceStore
    from verigate.usecases.remote_evidence import RunRemote


class Clock(Protocol):
    """The time of the machine."""

    def now(self) -> str:
        """Return the moment in UTC, ISO 8601 with milliseconds."""

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment."""


class Workspaces(Protocol):
    """The subjects of a repository, checked out."""

    def open(
        self, root: Path, *, kind: SubjectKind, ref: str | None, base: str | None, policy: PolicyWanted
    ) -> AbstractContextManager[SubjectWorkspace]:
        """Find the subject and open a private workspace for it. Raises GateError if there is no such subject.

        Without a ref in ``policy`` the one of the environment, the CI job or the user counts.
        """


class Policy(Protocol):
    """The configuration of a repository, merged over the shipped one."""

    def read(self, policy_root: Path) -> Configuration:
        """Read all files at ``policy_root``. Raises ConfigError with every fault of every file."""

    def read_base_profiles(self, content: bytes) -> Profiles | None:
        """Read the profiles of a base from the content of its file; None if they can't be used."""


class Adapters(Protocol):
    """The adapters of a repository, with those that ship and those of the user."""

    def discover(self, policy_root: str, stands: str | None = None) -> Registry:
        """Find the adapters. ``stands`` is the path of the repository if ``policy_root`` is a copy.

        Raises ConfigError.
        """

    def find_entry_problem(self, path: str) -> str | None:
        """Explain why an executable can't be started; None if it can."""

    def resolve_settings(self, configuration: Configuration, registry: Registry) -> Mapping[str, Mapping[str, Any]]:
        """Resolve what is configured for each adapter, by its name, without defaults. Raises ConfigError."""


class ArtifactCheck(Protocol):
    """Checks a parsed artifact by its media spec."""

    def __call__(self, spec: MediaSpec, value: Any, /) -> Sequence[Fault]:
        """Return the faults; none means valid."""


class Runner(Protocol):
    """Runs the capabilities of a plan."""

    def __call__(
        self,
        plan: Plan,
        workspace: SubjectWorkspace,
        staging: Staging,
        context: RunContext,
        listener: Listener,
        /,
        *,
        known: KnownEvidence | None,
        remote: RemoteEvidence | None,
    ) -> tuple[CapabilityRun, ...]:
        """Return one record per capability, in the plan's order; what is ``known``, or found by others, isn't run.

        Raises ExecutionError, Interrupted.
        """


class Attestor(Protocol):
    """Signs verdicts."""

    def __call__(self, verdict: Mapping[str, Any], digests: Mapping[str, str], /) -> bytes | None:
        """Return the attestation of a verdict and the sha256 of its evidence, by path; None without a key."""


class OpenRemote(Protocol):
    """Opens the remote cache that is configured."""

    def __call__(
        self, configuration: Configuration, workspace: SubjectWorkspace, plan: Plan, /, *, takes: bool
    ) -> RunRemote | None:
        """Open it for one run, which may take results from it or not; None without one.

        Raises ConfigError, UsageError for one that can't be used as it is configured.
        """


def _open_nothing(_configuration: Configuration, _workspace: SubjectWorkspace, _plan: Plan, /, *, takes: bool) -> None:
    """Open no remote cache."""


class Services(Struct, frozen=True):
    """What a verification gets from the machine. ``jobs`` is how many capabilities may run at once.

    ``publication`` is the folder whose ``.artifacts`` gets the verdict, None for the repository's own. There it is in
    no chain of verdicts: whoever asked for it checks it first. ``remote`` opens the remote cache for a run, which may
    take from it or not; None without one. Raises GateError for one that can't be used as it is configured.
    """

    root: Path
    version: str
    environ: Mapping[str, str]
    host: str
    jobs: int
    clock: Clock
    workspaces: Workspaces
    policy: Policy
    adapters: Adapters
    artifact_check: ArtifactCheck
    runner: Runner
    verifier: Ask
    attestor: Attestor
    kept_evidence: Callable[[], EvidenceStore | None]
    listener: Listener
    publication: Path | None = None
    remote: OpenRemote = _open_nothing
