"""The policy of one run on a git subject: where it is read from, and what the subject changes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.adapter_package import INSTALLED, PACKAGES_FILE
from verigate.domain.pipelines import is_pipeline
from verigate.domain.policy_names import POLICY_FOLDERS, is_policy_file
from verigate.domain.policy_source import PolicySource, PolicyUse, PolicyWanted
from verigate.domain.subject import SubjectKind
from verigate.errors import SubjectError
from verigate.sdk.hook_runners.paths import is_hook_runner_file
from verigate.subject.git_side import find_trusted_ref
from verigate.subject.policy_copy import refuse_links, settle_policy
from verigate.subject.policy_files import find_changed_policy_files
from verigate.subject.resolve_subject import GitSubject, empty_tree_id
from verigate.subject.tree_listing import GITLINK, LINK, TreeEntry, list_tree

if TYPE_CHECKING:
    from verigate.sdk.hook_runners.changes import HookChange
    from verigate.subject.committed_files import CommittedFiles
    from verigate.subject.dependencies import Dependencies, DependencyFolder
    from verigate.subject.git import Git
    from verigate.subject.git_folder import Control
    from verigate.subject.policy_tree import PolicyTree


_FOLDERS = frozenset(map(os.fsencode, POLICY_FOLDERS))


class TrustedPolicy(Struct, frozen=True):
    """The policy of a ref, as it was when the run began. ``warnings`` are about the ref itself."""

    source: PolicySource
    tree: PolicyTree
    warnings: tuple[str, ...] = ()


class SubjectPolicy:
    """The policy files of a subject. ``git`` sees the repository's refs, ``isolated`` only objects.

    ``wanted`` is what the caller named; without a ref the repository's own setting counts.
    """

    def __init__(
        self,
        git: Git,
        isolated: Git,
        control: Control,
        found: GitSubject,
        files: CommittedFiles,
        *,
        wanted: PolicyWanted,
        has_path: Callable[[str], bool],
    ) -> None:
        self._git = git
        self._isolated = isolated
        self._control = control
        self._found = found
        self._files = files
        self._wanted = wanted
        self._has_path = has_path

    @cached_property
    def trusted(self) -> TrustedPolicy | None:
        """The policy of the ref that somebody named; None where nobody did. Raises SubjectError and UsageError."""
        if self._wanted.use is PolicyUse.OWN:
            return None
        repository = self._control.repository
        ref = find_trusted_ref(self._git, repository, self._files, self._wanted)
        if ref is None:
            return None
        from verigate.subject.policy_ref import resolve_policy_ref  # few repositories name one
        from verigate.subject.policy_tree import read_policy_tree
        from verigate.subject.ref_log import describe_doubts, find_known

        found = resolve_policy_ref(self._git, ref, repository)
        tree = read_policy_tree(self._isolated, found.commit, repository.object_format, where=ref.name)
        known = find_known(self._git, found)
        source = PolicySource(ref.name, ref.where, found.commit, tree.digest, known)
        return TrustedPolicy(source, tree, describe_doubts(ref.name, found, known))

    @property
    def judges_by_trusted(self) -> bool:
        """Whether the policy of this run is that of the ref."""
        return self._wanted.use is PolicyUse.JUDGE and self.trusted is not None

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The changed paths that are policy files, sorted; see ``policy_files``.

        The configuration of a hook runner that runs the same hooks or more isn't one, nor is a file that is as the
        trusted ref has it.
        """
        changed = find_changed_policy_files(self._found.subject.changes, self._has_path, self.is_link)
        changed = tuple(sorted({*(path for path in changed if self._hook_changes.get(path, True)), *self._gate_jobs}))
        if not changed or self.trusted is None:
            return changed
        paths = {path: path.encode("utf-8", "surrogateescape") for path in changed}
        there = list_tree(self._isolated, self.trusted.source.commit, *changed)
        return tuple(path for path in changed if there.get(paths[path]) != self._found.entries.get(paths[path]))

    def find_other(self) -> str | None:
        """Return the digest of the subject's own policy if the subject changes what this run reads from the ref."""
        folders = tuple(f"{name}/" for name in POLICY_FOLDERS)
        if not self.judges_by_trusted or not any(path.startswith(folders) for path in self.changed):
            return None
        from verigate.subject.policy_tree import read_policy_tree  # few changes touch it

        form, tree = self._control.repository.object_format, self._found.subject.tree
        digest = read_policy_tree(self._isolated, tree, form, where="the subject", kind=b"tree").digest
        return None if self.trusted is None or digest == self.trusted.source.digest else digest

    @cached_property
    def weakened(self) -> tuple[str, ...]:
        """Those of the changed files that only leave out hooks, or narrow them."""
        found = self._hook_changes.items()
        return tuple(path for path, changes in found if changes and not any(change.judges for change in changes))

    @cached_property
    def _gate_jobs(self) -> tuple[str, ...]:
        """The changed pipelines whose job that calls the gate isn't as in the base."""
        paths = [change.path for change in self._found.subject.changes if is_pipeline(change.path)]
        if not paths:
            return ()
        from verigate.subject.gate_jobs import find_changed_gate_jobs  # few changes touch a pipeline

        return find_changed_gate_jobs(paths, self._files.read_base, self._files.read_subject)

    @cached_property
    def _hook_changes(self) -> Mapping[str, tuple[HookChange, ...]]:
        """What changed in each changed configuration of a hook runner."""
        paths = sorted(change.path for change in self._found.subject.changes if is_hook_runner_file(change.path))
        if not paths:
            return {}
        from verigate.subject.changed_hooks import compare_changed_hooks  # few changes touch one

        return compare_changed_hooks(self._isolated, self._found, paths)

    def find_landed(self, task_id: str) -> Mapping[str, tuple[str, ...]]:
        """Map changed policy files to the commits of their own in which they landed since the base.

        Of a commit nothing has landed: it is compared with what it is to be added to. Nor has anything with a trusted
        ref: what landed there isn't changed.
        """
        repository, subject = self._control.repository, self._found.subject
        head, base = repository.head, subject.base
        if self.trusted is not None or not self.changed:
            return {}
        if base == head and len(self._found.merged) == 1 and self._is_on_remote(self._found.merged[0]):
            # A merge under way brings what landed on the other side: not what only this repository has.
            head = self._found.merged[0]
        if subject.kind is SubjectKind.COMMIT or head is None or base in {None, head}:
            return {}
        if base == empty_tree_id(repository.object_format):
            return {}
        from verigate.subject.landed_policy import find_landed_policy  # rare

        return find_landed_policy(
            self._isolated,
            self.changed,
            self._found.entries,
            base=str(base),
            head=head,
            task_id=task_id,
            is_policy=lambda path: path in self._gate_jobs or is_policy_file(path, self._has_path, self.is_link),
        )

    def _is_on_remote(self, commit: str) -> bool:
        asked = ("for-each-ref", "--count=1", f"--contains={commit}", "--format=%(refname)", "refs/remotes/")
        return bool(self._git.run(*asked).strip())

    def is_link(self, path: str) -> bool:
        """Whether a path is a symbolic link or a submodule in base or subject."""
        name = path.encode("utf-8", "surrogateescape")
        sides = (self._found.entries.get(name), self._found.find_in_base(name))
        return any(entry is not None and entry.mode in {LINK, GITLINK} for entry in sides)

    def read_trusted(self, path: str) -> bytes | None:
        """Return the content of a policy file where the change can't have written it: in the ref, else in the base."""
        return self._files.read_base(path) if self.trusted is None else self.trusted.tree.read(path)

    def write_trusted(self, target: str, dependencies: Dependencies, notes: list[str]) -> tuple[str, ...]:
        """Write the ref's policy files to ``target``, a new folder.

        Of the folders that git ignores below an adapter's own, those are used whose adapter is the same in subject and
        ref: others were installed for another adapter. Returns the links that were left out.
        """
        if self.trusted is None:
            raise ValueError("no ref is trusted")
        tree = self.trusted.tree
        used: list[DependencyFolder] = []
        for each in dependencies.folders:
            if not each.path.startswith(b"adapters/"):
                continue
            if self._is_same(b"/".join(each.path.split(b"/")[:2]), tree):
                used.append(each)
            else:
                shown = os.fsdecode(each.path)
                notes.append(f"{shown} isn't used: its adapter differs from the one of {self.trusted.source.name}")
        return _write(tree, target, used, {each.path for each in used}, dependencies)

    def write_own(self, target: str, dependencies: Dependencies) -> tuple[str, ...] | None:
        """Write the subject's own policy files to ``target``, a new folder, without a checkout.

        Returns the links that were left out; None, and nothing is written, where only a checkout has all of them.
        """
        below = (item for folder in _FOLDERS for item in self._found.entries.list_below(folder))
        if any(_lies_elsewhere(path, entry) for path, entry in below):
            return None
        if b"node_modules" not in dependencies.linked and os.fsencode(PACKAGES_FILE) in self._found.entries:
            return None
        from verigate.subject.policy_tree import read_policy_tree

        form, tree = self._control.repository.object_format, self._found.subject.tree
        try:
            policy = read_policy_tree(self._isolated, tree, form, where="the subject", kind=b"tree")
        except SubjectError:
            # Too large to be read at once, or not to be trusted: a checkout holds the one and refuses the other.
            return None
        used = [
            each
            for each in dependencies.folders
            if each.path.partition(b"/")[0] in _FOLDERS and each.path not in _FOLDERS
        ]
        return _write(policy, target, used, {each.path for each in dependencies.folders}, dependencies)

    def differs_from_trusted(self, paths: Collection[str]) -> bool:
        """Whether a file below one of these folders isn't as in the ref, or no ref is trusted."""
        if self.trusted is None:
            return True
        return any(not self._is_same(path.encode("utf-8", "surrogateescape"), self.trusted.tree) for path in paths)

    def _is_same(self, folder: bytes, tree: PolicyTree) -> bool:
        own = {
            path: (entry.mode, entry.oid) for path, entry in self._found.entries.list_below(folder) if path != folder
        }
        return own == dict(tree.list_below(folder))


def _lies_elsewhere(path: bytes, entry: TreeEntry) -> bool:
    """Whether it is a link in the place of a folder of policy or of configuration, or a submodule in one."""
    top, _, rest = path.partition(b"/")
    return top in _FOLDERS and (entry.mode == GITLINK or (entry.mode == LINK and (not rest or top == b"config")))


def _write(
    tree: PolicyTree,
    target: str,
    used: Iterable[DependencyFolder],
    ignored: Collection[bytes],
    dependencies: Dependencies,
) -> tuple[str, ...]:
    """Write policy files with the folders that are ``used`` of those that git ignores; see ``settle_policy``."""
    tree.write(target)
    for each in used:
        each.make(os.fsencode(target))
    refuse_links(target)
    modules = dependencies.linked.get(b"node_modules")
    places = (None, f"{target}/{INSTALLED}") if modules is None else (modules.target, modules.source)
    return settle_policy(target, ignored, *places)
