"""The private temporary folder of one run: the subject's checkouts, the gate's git folder, the policy files.

Layout::

    lock                  held with flock(2) by the run; the next run removes folders whose lock nobody holds
    control.git/          the gate's own git folder: index files, the objects that the subject adds
    work/0/, work/1/      the checkouts of the whole subject
    declared-0/           one with the files that a capability declares to read
    policy/               a pristine copy of the configuration and adapters that judge, of the subject or a ref
    policy.npm/           copies of the npm packages that it pins
    calls/                the runner's own: the input of each adapter, and its staging folder
    accepted/             large files accepted from there
    deps/                 targets of links to dependencies and object stores; a sandbox mounts a folder of its own here
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.domain.code_paths import is_code
from verigate.domain.policy_source import JUDGED, PolicySource, PolicyWanted
from verigate.domain.subject import Subject, SubjectKind, SubjectNames
from verigate.errors import SubjectError
from verigate.removal import begin_removal
from verigate.subject.checkout import Clock, PrivateCheckout
from verigate.subject.checkouts import Checkouts
from verigate.subject.committed_files import CommittedFiles
from verigate.subject.declared_files import DeclaredCheckout, digest_entries
from verigate.subject.dependencies import Dependencies, find_dependencies
from verigate.subject.generated_files import find_generated_files
from verigate.subject.git import is_git
from verigate.subject.git_folder import read_tags
from verigate.subject.git_side import GitSide, open_git_side
from verigate.subject.known_paths import KnownPaths
from verigate.subject.names import name_folder, name_subject
from verigate.subject.plain_folder import FolderTree, copy_folder
from verigate.subject.policy_copy import copy_policy
from verigate.subject.resolve_subject import empty_tree_id, find_lacking_submodules
from verigate.subject.subject_policy import SubjectPolicy
from verigate.subject.temporary_folder import open_temporary_folder

if TYPE_CHECKING:
    from verigate.domain.commit_text import CommitText
    from verigate.subject.entry_order import EntryOrder
    from verigate.subject.on_demand import OnDemandCheckout
    from verigate.subject.verified_packs import ObjectRecords

_MANY_FILES = 300
"""Of so many files the checkout takes 30 ms on a fast disk, some hundred on a slow one."""

MANY_TO_WRITE = 5000
"""From so many files on, a capability that can write those that it needs itself is faster with an empty checkout."""

REAL_CLOCK = Clock(time.time_ns, time.sleep)


class RunWorkspace:
    """The Workspace of one run, from ``open_workspace``. Everything but the subject is created on first use."""

    def __init__(
        self,
        path: str,
        source: GitSide | tuple[Subject, FolderTree],
        *,
        environ: Mapping[str, str],
        gate_prefix: str,
        clock: Clock,
        wanted: EntryOrder | None = None,
        policy: PolicyWanted = JUDGED,
        open_records: Callable[[], ObjectRecords | None] | None = None,
    ) -> None:
        self._path = path
        self._source = source
        self._environ = environ
        self._gate_prefix = gate_prefix
        self._clock = clock
        self._wanted = wanted
        self._wanted_policy = policy
        self._open_records = open_records
        self._notes: list[str] = []
        self._digests: dict[tuple[str, ...], str] = {}
        self._removal: subprocess.Popen[bytes] | None = None

    @property
    def path(self) -> str:
        """Absolute path of the folder."""
        return self._path

    @property
    def subject(self) -> Subject:
        """What is checked out."""
        return self._source.found.subject if isinstance(self._source, GitSide) else self._source[0]

    @cached_property
    def names(self) -> SubjectNames:
        """What people call the subject."""
        if not isinstance(self._source, GitSide):
            return name_folder(self.subject.root)
        return name_subject(self._source.git, self.subject.root, self._source.found.tip)

    @property
    def notes(self) -> tuple[str, ...]:
        """For people: what of the subject is incomplete (submodules, links left out, ...)."""
        return tuple(self._notes)

    @cached_property
    def _policy(self) -> SubjectPolicy | None:
        if not isinstance(self._source, GitSide) or self._files is None:
            return None
        source = self._source
        isolated = source.git.isolate(source.control.path, self._path)
        return SubjectPolicy(
            source.git, isolated, source.control, source.found, self._files, wanted=self._wanted_policy,
            has_path=self.has_path,
        )  # fmt: skip

    @property
    def policy_source(self) -> PolicySource | None:
        """As in the SubjectWorkspace port. Raises SubjectError and UsageError for a ref that can't be used."""
        trusted = self._policy.trusted if self._policy is not None else None
        return None if trusted is None else trusted.source

    @property
    def policy_warnings(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port."""
        trusted = self._policy.trusted if self._policy is not None else None
        base = self._source.warnings if isinstance(self._source, GitSide) else ()
        return base if trusted is None else (*trusted.warnings, *base)

    @property
    def other_policy(self) -> str | None:
        """As in the SubjectWorkspace port."""
        return None if self._policy is None else self._policy.find_other()

    def is_trusted(self, folder: str) -> bool:
        """As in the SubjectWorkspace port."""
        return self._policy is not None and not self._policy.differs_from_trusted((folder,))

    @property
    def changed_policy_files(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port; see ``SubjectPolicy.changed``."""
        return () if self._policy is None else self._policy.changed

    @property
    def weakened_policy_files(self) -> tuple[str, ...]:
        """Those of them that only leave out hooks, or narrow them: a weakening, and no change of the judges."""
        return () if self._policy is None else self._policy.weakened

    def find_landed_policy(self, task_id: str) -> Mapping[str, tuple[str, ...]]:
        """As in the SubjectWorkspace port."""
        return {} if self._policy is None else self._policy.find_landed(task_id)

    def read_trusted_file(self, path: str) -> bytes | None:
        """As in the SubjectWorkspace port; None also for a plain folder."""
        return None if self._policy is None else self._policy.read_trusted(path)

    def read_own_file(self, path: str) -> bytes | None:
        """As in the SubjectWorkspace port; None also for a plain folder."""
        return None if self._files is None else self._files.read_subject(path)

    @property
    def landing(self) -> tuple[str, str | None] | None:
        """As in the SubjectWorkspace port."""
        if not isinstance(self._source, GitSide) or self.subject.kind is not SubjectKind.INDEX:
            return None
        return self._source.found.whole_tree, self._source.found.tip

    @property
    def merged(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port."""
        return self._source.found.merged if isinstance(self._source, GitSide) else ()

    def read_commits(self) -> tuple[CommitText, ...]:
        """Return the commits between base and subject, or between base and what it stands on; see the module."""
        if not isinstance(self._source, GitSide) or self._source.found.tip is None:
            return ()
        control, found = self._source.control, self._source.found
        base = found.subject.base
        if base == empty_tree_id(control.repository.object_format):
            base = None
        from verigate.subject.commit_messages import read_commits  # few changes weaken anything

        tips = (str(found.tip), *found.merged)
        return read_commits(self._source.git.isolate(control.path, self._path), base, *tips)

    def read_reverted_lines(self, commit: CommitText) -> tuple[str, ...] | None:
        """As in the SubjectWorkspace port."""
        if not isinstance(self._source, GitSide):
            return None
        from verigate.subject.reverts import read_reverted_lines  # few commits say that

        control = self._source.control
        return read_reverted_lines(self._source.git.isolate(control.path, self._path), commit)

    @cached_property
    def code_touched(self) -> str | None:
        """The first changed path that is code, None where there is none. A plain folder is a change as a whole."""
        if isinstance(self._source, GitSide):
            return next((change.path for change in self.subject.changes if is_code(change)), None)
        return next((change.path for change in self._source[1].changes() if is_code(change)), None)

    def has_path(self, path: str) -> bool:
        """Whether a repository path is a file, a link or a submodule in base or subject."""
        return self._known.has(path)

    def is_verified(self, path: str) -> bool:
        """Whether a path, relative to the root, is part of base or subject, or a folder with such a path."""
        return self._known.has(path) or self._known.has_below(path)

    def read_base_file(self, path: str) -> bytes | None:
        """As in the SubjectWorkspace port; None also for a plain folder."""
        return None if self._files is None else self._files.read_base(path)

    def read_committed(self, path: str) -> tuple[bytes, ...]:
        """As in the SubjectWorkspace port; empty for a plain folder."""
        return () if self._files is None else self._files.read_committed(path)

    def read_landing(self, path: str) -> bytes | None:
        """As in the SubjectWorkspace port; None also for a plain folder."""
        return None if self._files is None else self._files.read_landing(path)

    @property
    def versions(self) -> CommittedFiles | None:
        """As in the SubjectWorkspace port."""
        return self._files

    @cached_property
    def _files(self) -> CommittedFiles | None:
        if not isinstance(self._source, GitSide):
            return None
        return self._source.read_files(self._path)

    @cached_property
    def policy_root(self) -> str:
        """A pristine copy of the configuration, adapters and hooks that judge, made before anything runs."""
        target = f"{self._path}/policy"
        dropped: tuple[str, ...] | None = None
        if self._policy is not None and self._policy.judges_by_trusted:
            dropped = self._policy.write_trusted(target, self._dependencies, self._notes)
        elif self._policy is not None:
            dropped = self._policy.write_own(target, self._dependencies)
        if dropped is None:
            checkout = self._checkouts.open(0)
            folders = {folder.path for folder in self._dependencies.folders}
            modules = self._dependencies.linked.get(b"node_modules")
            places = (modules.target, modules.source) if modules else (None, None)
            dropped = copy_policy(checkout.path, target, folders, *places)
        self._notes.extend(f"{link} leads out of the adapters and is left out" for link in dropped)
        return target

    def begin_cleanup(self) -> None:
        """Begin to remove what only adapters needed; nothing runs here any more."""
        gone = [name for name in os.listdir(self._path) if name.startswith(("work", "declared-", "policy", "calls"))]
        self._removal = begin_removal(self._path, gone)

    def wait_for_cleanup(self) -> None:
        """Wait until the cleanup that was begun has ended."""
        if self._removal is not None:
            self._removal.wait()

    @property
    def project_envs(self) -> tuple[str, ...]:
        """As in the Workspace port."""
        return self._dependencies.project_envs

    @property
    def tool_folders(self) -> tuple[str, ...]:
        """As in the Workspace port."""
        return self._dependencies.tool_folders

    @property
    def installed(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port."""
        return self._dependencies.installed

    @cached_property
    def lacking_submodules(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port."""
        if not isinstance(self._source, GitSide):
            return ()
        return find_lacking_submodules(self._source.git, self._source.found)

    @property
    def tags(self) -> str:
        """As in the SubjectWorkspace port."""
        if not isinstance(self._source, GitSide):
            return ""
        return hashlib.sha256(os.fsencode(read_tags(self._source.control.repository))).hexdigest()

    @cached_property
    def editable_leaks(self) -> tuple[str, ...]:
        """As in the Workspace port."""
        from verigate.subject.editable_installs import find_editable_leaks

        leaks = {leak for env in self.project_envs for leak in find_editable_leaks(env, self.subject.root)}
        return tuple(sorted(leaks))

    @property
    def is_large(self) -> bool:
        """As in the Workspace port."""
        tracked = self._source.found.entries if isinstance(self._source, GitSide) else self._source[1].paths
        return len(tracked) > _MANY_FILES

    @property
    def is_huge(self) -> bool:
        """As in the Workspace port."""
        return isinstance(self._source, GitSide) and len(self._source.found.entries) >= MANY_TO_WRITE

    def checkout(self, number: int) -> PrivateCheckout:
        """Return the checkout of parallel branch ``number``; each is written from the subject."""
        # The policy files are copied from the first checkout, before anybody can write there.
        _ = self.policy_root
        checkout = self._checkouts.open(number)
        checkout.settle()
        return checkout

    def declared_checkout(self, number: int, patterns: tuple[str, ...], *, based: bool) -> DeclaredCheckout | None:
        """As in the Workspace port."""
        _ = self.policy_root
        return self._checkouts.open_declared(number, patterns, based=based)

    def on_demand_checkout(self) -> OnDemandCheckout | None:
        """As in the Workspace port."""
        _ = self.policy_root
        return self._checkouts.open_on_demand()

    def digest_declared(self, patterns: tuple[str, ...]) -> str | None:
        """As in the Workspace port."""
        if not isinstance(self._source, GitSide):
            return None
        if patterns not in self._digests:
            self._digests[patterns] = digest_entries(self._source.found.entries, patterns)
        return self._digests[patterns]

    @cached_property
    def _checkouts(self) -> Checkouts:
        # Of a small repository all objects are read in less time than a record takes.
        records = self._open_records() if self._open_records is not None and self.is_huge else None
        return Checkouts(
            self._path, self._source, self._dependencies, self._notes, clock=self._clock, wanted=self._wanted,
            records=records,
        )  # fmt: skip

    @cached_property
    def _dependencies(self) -> Dependencies:
        tracked = self._source.found.entries if isinstance(self._source, GitSide) else self._source[1].paths
        found = find_dependencies(self.subject.root, tracked, self._environ, self._gate_prefix, self._path)
        for place in found.linked.values():
            os.makedirs(os.path.dirname(place.target), 0o755)
            os.symlink(place.source, place.target)
        self._notes.extend(found.notes)
        if not isinstance(self._source, GitSide):
            return found  # a plain folder is copied with all that it holds
        entries, changed = self._source.found.entries, [change.path for change in self.subject.changes]
        generated = find_generated_files(self.subject.root, entries.keys(), changed)
        return replace(found, folders=(*found.folders, *generated))

    @cached_property
    def _known(self) -> KnownPaths:
        if not isinstance(self._source, GitSide):
            return KnownPaths(sorted(self._source[1].paths))
        found = self._source.found
        return KnownPaths(found.entries.names, sorted(found.base_entries))


@contextlib.contextmanager
def open_workspace(
    root: str | os.PathLike[str],
    *,
    kind: SubjectKind = SubjectKind.WORKTREE,
    ref: str | None = None,
    base: str | None = None,
    environ: Mapping[str, str],
    gate_prefix: str = sys.prefix,
    clock: Clock = REAL_CLOCK,
    meanwhile: Iterator[None] | None = None,
    wanted: EntryOrder | None = None,
    policy: PolicyWanted = JUDGED,
    open_records: Callable[[], ObjectRecords | None] | None = None,
) -> Iterator[RunWorkspace]:
    """Resolve the subject at ``root`` (the top of a git working tree, or a plain folder) and open a workspace for it.

    ``ref`` names the commit of kind COMMIT; ``base`` is what the subject is compared with (None: HEAD, of a commit its
    first parent). Outside git WORKTREE means FOLDER. ``environ`` is the caller's environment: TMPDIR, PATH, and for
    kind INDEX its GIT_INDEX_FILE. ``gate_prefix`` is the environment the gate itself runs in, which is never used as
    the project's because it is active. While git works, one step of ``meanwhile`` (other work) is done. ``wanted`` is
    the order in which the folders of a git subject's checkouts should list their entries. ``policy`` says where the
    policy is read from. ``open_records`` opens what says which objects of a large repository were verified before;
    without it all are read. Raises SubjectError; UsageError for a policy ref that means several things; ExecutionError
    where there is no room for the folder.
    """
    top = os.path.realpath(root)
    try:
        top.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SubjectError("the repository's path is not UTF-8", where=ascii(top), hint="rename the folder") from error
    plain = kind is SubjectKind.FOLDER or not is_git(top)
    if plain and policy.ref is not None:
        hint = "git init, or leave the ref out: a plain folder is judged by its own policy"
        message = f"the policy is to be read from {policy.ref.name}, and this is not a git repository"
        raise SubjectError(message, where=policy.ref.where, hint=hint)
    if plain and (kind in {SubjectKind.INDEX, SubjectKind.COMMIT} or ref is not None or base is not None):
        raise SubjectError("this is not a git repository", where=top, hint="verify its files as they are")
    if ref is not None and kind is not SubjectKind.COMMIT:
        raise SubjectError("a commit was named, but the subject is not one", where=ref)
    with open_temporary_folder(environ, top, clock.now) as path:
        os.mkdir(f"{path}/deps", 0o755)
        source: GitSide | tuple[Subject, FolderTree]
        if plain:
            source = copy_folder(top, f"{path}/pristine")
        else:
            source = open_git_side(
                path, top, kind, ref=ref, base=base, environ=environ, policy=policy, meanwhile=meanwhile
            )
            policy = source.policy
        workspace = RunWorkspace(
            path, source, environ=environ, gate_prefix=gate_prefix, clock=clock, wanted=wanted, policy=policy,
            open_records=open_records,
        )  # fmt: skip
        try:
            _ = workspace.policy_source
            yield workspace
        finally:
            workspace.wait_for_cleanup()
