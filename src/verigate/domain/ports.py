"""Interfaces between stages, implemented by objects that ``composition`` wires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun, Failure
from verigate.domain.plan import PlannedCapability
from verigate.domain.subject import Subject, SubjectNames

if TYPE_CHECKING:
    from pathlib import Path

    from verigate.domain.commit_text import CommitText
    from verigate.domain.grants import Grants
    from verigate.domain.policy_source import PolicySource


class Mount(Struct, frozen=True):
    """A path of the machine mounted elsewhere in a sandbox; without ``source`` an empty folder. Both absolute."""

    source: str | None
    target: str
    read_only: bool


class Checkout(Protocol):
    """A private, writable checkout of the subject. One per parallel branch."""

    @property
    def path(self) -> str:
        """Absolute path of the checkout on the machine."""

    @property
    def is_written(self) -> bool:
        """Whether the gate writes its files; if not, they are in the index, and the capability writes what it needs."""

    @property
    def mounts(self) -> Sequence[Mount]:
        """Mounts that put the checkout, with its dependencies, at the repository's own path in a sandbox.

        The first mount is the checkout itself over the repository's root.
        """

    def write(self) -> None:
        """Write it, unless it is there already. Raises GateError, OSError."""

    def write_git_without_base(self, folder: str) -> bool:
        """Write a git folder with the same index, on a branch without a commit; False where the subject has no git."""

    def took_base(self) -> bool:
        """Whether anybody may have read which commit is the base since the checkout was made, or since last asked."""

    def restore(self) -> tuple[str, ...]:
        """Restore tracked files and remove untracked ones; return the paths that had changed, sorted."""


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
        """A pristine copy of the configuration and adapters that judge; adapters of the repository run from here."""

    @property
    def project_envs(self) -> tuple[str, ...]:
        """The project's own Python environments (absolute paths on the machine), the one to use first."""

    @property
    def tool_folders(self) -> tuple[str, ...]:
        """Folders of the subject's own tools (``.venv/bin``, ``node_modules/.bin``), before the caller's PATH.

        Paths as a process sees them that runs without a sandbox; inside one they stand below the repository's root.
        """

    @property
    def editable_leaks(self) -> tuple[str, ...]:
        """Files of these environments that, without a sandbox, import the user's tree instead of the subject."""

    @property
    def is_large(self) -> bool:
        """Whether writing a checkout may take longer than starting a process."""

    @property
    def is_huge(self) -> bool:
        """Whether a capability that can write the files that it needs itself is faster if it does."""

    def is_verified(self, path: str) -> bool:
        """Whether a path, relative to the root, is part of base or subject, or a folder with such a path."""

    def checkout(self, number: int) -> Checkout:
        """The checkout of parallel branch ``number`` (0 is made first, others are copies of it)."""

    def declared_checkout(self, number: int, patterns: tuple[str, ...], *, based: bool) -> Checkout | None:
        """Return a checkout of branch ``number`` with only the files that ``patterns`` match; None outside git.

        It has no dependencies, and unless ``based`` no commit. Nothing is written before ``Checkout.write``.
        """

    def on_demand_checkout(self) -> Checkout | None:
        """Return a checkout for one call in which only the index is written.

        None outside git, and with submodules.
        """

    def digest_declared(self, patterns: tuple[str, ...]) -> str | None:
        """Return the digest of these files, by path, mode and object id; None outside git. Nothing is written."""


class SubjectVersions(Protocol):
    """What git has of base and subject, beyond the checkout."""

    @property
    def commit(self) -> str | None:
        """The id of the commit that is verified; None of any other subject."""

    def read_subject(self, path: str) -> bytes | None:
        """Return the content of a regular file in the subject, None if it has none there."""

    def describe_versions(self, path: str) -> tuple[str | None, str | None]:
        """Return mode and object id of a path in base and in subject, None where it isn't there."""

    def read_approvals(self) -> tuple[tuple[str, bytes | None], ...]:
        """Return path and content of the approvals that an index or a commit carries; None for one too large."""


class SubjectWorkspace(Workspace, Protocol):
    """A workspace that also answers the gate's own questions about base and subject."""

    @property
    def names(self) -> SubjectNames:
        """What people call the subject."""

    @property
    def policy_source(self) -> PolicySource | None:
        """The ref that policy is trusted from; None where it is the subject's own, compared with the base's."""

    @property
    def policy_warnings(self) -> tuple[str, ...]:
        """Warnings about that ref."""

    @property
    def other_policy(self) -> str | None:
        """The digest of the subject's policy if the subject changes policy and is judged by that of a ref.

        Raises SubjectError for one that can't be read.
        """

    def is_trusted(self, folder: str) -> bool:
        """Whether the subject's files below a folder, relative to the root, are those of the trusted ref."""

    def read_trusted_file(self, path: str) -> bytes | None:
        """Return a policy file as the change can't have written it: of the trusted ref, without one of the base.

        None if there is none.
        """

    def read_own_file(self, path: str) -> bytes | None:
        """Return the content of a file in the subject, None if it has none."""

    @property
    def changed_policy_files(self) -> tuple[str, ...]:
        """Paths of the gate's own configuration, hooks and adapters that differ between base and subject.

        With a trusted ref, those that are as in the ref are left out: they have landed.
        """

    @property
    def weakened_policy_files(self) -> tuple[str, ...]:
        """Those of them whose change is a weakening for ``code:integrity`` to report, and nothing else."""

    def find_landed_policy(self, task_id: str) -> Mapping[str, tuple[str, ...]]:
        """Map those that landed since the base in commits of their own, other than the task's, to these commits."""

    @property
    def landing(self) -> tuple[str, str | None] | None:
        """The tree that git would commit from the index, and the commit it stands on; None of any other subject."""

    @property
    def merged(self) -> tuple[str, ...]:
        """The commits that a merge under way joins with it; none of any other subject."""

    def read_commits(self) -> tuple[CommitText, ...]:
        """Return the commits of the change that are made already, the newest first."""

    def read_reverted_lines(self, commit: CommitText) -> tuple[str, ...] | None:
        """Return the lines that one of these takes out if it undoes an earlier one exactly, as it says; else None."""

    def read_base_file(self, path: str) -> bytes | None:
        """Return the content of a file in the base, None if it doesn't exist there."""

    @property
    def versions(self) -> SubjectVersions | None:
        """The files of base and subject as git has them; None of a plain folder."""

    def read_committed(self, path: str) -> tuple[bytes, ...]:
        """Return the versions of a file below ``.artifacts`` in the subject's history and in its target."""

    def read_landing(self, path: str) -> bytes | None:
        """Return the content of a file below ``.artifacts`` in an index or a commit; None if it has none."""

    @property
    def installed(self) -> tuple[str, ...]:
        """Absolute paths of the machine's folders and files that are installed for the project."""

    @property
    def lacking_submodules(self) -> tuple[str, ...]:
        """The paths of submodules whose commits aren't here, so that their folders are empty in the checkout."""

    @property
    def tags(self) -> str:
        """The digest of the names and commits of the repository's tags."""

    def has_path(self, path: str) -> bool:
        """Whether base or subject contain this path."""

    def begin_cleanup(self) -> None:
        """Begin to remove what only adapters needed: nothing will run there any more."""

    @property
    def code_touched(self) -> str | None:
        """A changed path that is code, None if there is none."""


class Collected(Struct, frozen=True):
    """The validated contents of one capability's staging folder."""

    artifacts: tuple[Artifact, ...] = ()
    failure: Failure | None = None


class Staging(Protocol):
    """Isolated folders that capabilities write to."""

    def open(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> Path:
        """Create a folder that ends in the task id, with commitment, claim and copies of ``visible`` artifacts."""

    def show(self, planned: PlannedCapability, folder: Path, visible: Sequence[Artifact]) -> None:
        """Copy ``visible`` artifacts into the folder of a capability that was opened and hasn't run yet."""

    def collect(self, planned: PlannedCapability, folder: Path) -> Collected:
        """Attribute, validate and hash the files written there; keep the accepted ones for publication."""

    def keep_log(self, planned: PlannedCapability, out: bytes, err: bytes) -> None:
        """Keep the output of a capability for publication."""

    def input_fault(self, planned: PlannedCapability, spec_id: str, name: str, content: bytes) -> str | None:
        """Check a capability's input file against its media spec; return the problem, None if it is valid."""


class KnownCall(Struct, frozen=True):
    """What an earlier call found: its record (of artifacts only path and digest), its files by path, its output."""

    record: CapabilityRun
    files: Mapping[str, bytes]
    out: bytes
    err: bytes


class KnownEvidence(Protocol):
    """What earlier runs found, by all that a capability can read."""

    def take(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> KnownCall | None:
        """Return what is known of a capability that would be given ``visible``, None if it must run."""

    def note(
        self, planned: PlannedCapability, visible: Sequence[Artifact], run: CapabilityRun, *, took_base: bool
    ) -> None:
        """Note how a capability ran. ``took_base``: it may have read which commit is the base."""


class Listener(Protocol):
    """Receives progress events; must not influence the run.

    ``watches``: it shows how far a running capability is, which then reports that.
    """

    @property
    def watches(self) -> bool:
        """Whether it reads what a running capability reports."""

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Called when a capability starts; ``progress`` is the file that it reports to, as verigate.sdk.progress."""

    def finished(self, run: CapabilityRun) -> None:
        """Called when a capability has ended, successfully or not."""


class RunContext(Struct, frozen=True):
    """Context of every adapter invocation of one run.

    ``profile_document`` is the generated ``--profile`` file; ``adapter_config`` maps adapter names to what the
    repository configures, over the defaults of the manifest; ``sandbox`` is ``require``, ``prefer`` or ``off``;
    ``jobs`` how many capabilities may run at once; ``grants`` maps adapter names to what their sandboxes open;
    ``reports_progress``: somebody looks at GATE_PROGRESS.
    """

    task_id: str
    profile_name: str
    profile_document: Mapping[str, Any]
    adapter_config: Mapping[str, Mapping[str, Any]]
    environ: Mapping[str, str]
    sandbox: str = "prefer"
    jobs: int = 2
    use_cache: bool = True
    grants: Grants = field(default_factory=dict)
    reports_progress: bool = False
