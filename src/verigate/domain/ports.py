"""The seams between stages: what one stage needs of another, filled by ``composition``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun, Failure
from verigate.domain.plan import PlannedCapability
from verigate.domain.subject import Subject

if TYPE_CHECKING:
    from pathlib import Path


class Mount(Struct, frozen=True):
    """A path of the machine that a sandbox shows somewhere else; without ``source`` an empty folder. Both absolute."""

    source: str | None
    target: str
    read_only: bool


class Checkout(Protocol):
    """A private, writable checkout of the subject. One per parallel branch."""

    @property
    def path(self) -> str:
        """Absolute path of the checkout on the machine."""

    @property
    def mounts(self) -> Sequence[Mount]:
        """What a sandbox must show so that the checkout stands at the repository's own path, dependencies included.

        The first mount is the checkout itself over the repository's root.
        """

    def restore(self) -> tuple[str, ...]:
        """Put tracked files back and remove stray ones; returns the paths that had changed, sorted."""


class Workspace(Protocol):
    """The private temporary folder of one run. Removed at its end, also after an error."""

    @property
    def path(self) -> str:
        """Absolute path of the folder."""

    @property
    def subject(self) -> Subject:
        """What is checked out."""

    @property
    def policy_root(self) -> str:
        """A pristine copy of the subject's configuration and adapters; adapters of the repository run from here."""

    @property
    def project_env(self) -> str | None:
        """The project's own Python environment (absolute path on the machine), None where it has none."""

    @property
    def tool_folders(self) -> tuple[str, ...]:
        """Folders of the subject's own tools (``.venv/bin``, ``node_modules/.bin``), before the caller's PATH.

        Paths as a process sees them that runs without a sandbox; inside one they stand below the repository's root.
        """

    @property
    def editable_leaks(self) -> tuple[str, ...]:
        """Files of the project's environment that, without a sandbox, import the user's tree instead of the subject."""

    def checkout(self, number: int) -> Checkout:
        """The checkout of parallel branch ``number`` (0 is made first, others are copies of it)."""


class SubjectWorkspace(Workspace, Protocol):
    """A workspace that also answers what the gate itself wants to know about base and subject."""

    @property
    def changed_policy_files(self) -> tuple[str, ...]:
        """Paths of the gate's own configuration, hooks and adapters that differ between base and subject."""

    def read_base_file(self, path: str) -> bytes | None:
        """The content of a file in the base, None where it has none."""

    def read_committed(self, path: str) -> tuple[bytes, ...]:
        """The content of a file below ``.artifacts`` in the commits that the subject comes from, and where it lands."""

    def has_path(self, path: str) -> bool:
        """Whether base or subject have this path."""

    def begin_cleanup(self) -> None:
        """Begin to remove what only adapters needed: nothing will run there any more."""

    @property
    def code_touched(self) -> str | None:
        """A changed path that is code, None where there is none."""


class Collected(Struct, frozen=True):
    """What one capability left in its staging folder, after validation."""

    artifacts: tuple[Artifact, ...] = ()
    failure: Failure | None = None


class Staging(Protocol):
    """Isolated folders that capabilities write to."""

    def open(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> Path:
        """A fresh folder that ends in the task id, holding commitment, claim and copies of ``visible`` artifacts."""

    def show(self, planned: PlannedCapability, folder: Path, visible: Sequence[Artifact]) -> None:
        """Copy ``visible`` artifacts into the folder of a capability that was opened and hasn't run yet."""

    def collect(self, planned: PlannedCapability, folder: Path) -> Collected:
        """Attribute, validate and hash what was written there; keeps the accepted files for publication."""

    def keep_log(self, planned: PlannedCapability, out: bytes, err: bytes) -> None:
        """Keep what a capability printed for publication."""

    def input_fault(self, planned: PlannedCapability, spec_id: str, name: str, content: bytes) -> str | None:
        """What is wrong, by its media spec, with a file's bytes that a capability is to read; None if nothing is."""


class Listener(Protocol):
    """Told about progress; must not influence the run."""

    def started(self, capability: str) -> None:
        """A capability begins."""

    def finished(self, run: CapabilityRun) -> None:
        """A capability has ended, well or not."""


class RunContext(Struct, frozen=True):
    """What every adapter invocation of one run is told.

    ``profile_document`` is the generated ``--profile`` file; ``adapter_config`` maps adapter names to their resolved
    configuration; ``sandbox`` is ``require``, ``prefer`` or ``off``; ``jobs`` how many capabilities may run at once.
    """

    task_id: str
    profile_name: str
    profile_document: Mapping[str, Any]
    adapter_config: Mapping[str, Mapping[str, Any]]
    environ: Mapping[str, str]
    sandbox: str = "prefer"
    jobs: int = 2
    use_cache: bool = True
