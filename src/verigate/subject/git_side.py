"""Resolve a git subject with its base: where nobody names one, the commit at which the work left the policy ref.

HEAD, or the first parent of a commit, is a base that whoever is judged can choose: a second commit hides the first,
and a merge of main into a bad topic brings only what is good. What the policy is trusted from they can't write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.policy_source import POLICY_FILE, PolicyRef, PolicyUse, PolicyWanted
from verigate.domain.subject import BaseBy, SubjectKind
from verigate.subject.committed_files import CommittedFiles
from verigate.subject.configured_policy import find_configured_ref
from verigate.subject.git import Git, Repository, open_repository
from verigate.subject.git_folder import Control, make_control
from verigate.subject.resolve_subject import GitSubject, compare_with, empty_tree_id, resolve_subject


class GitSide(Struct, frozen=True):
    """A subject of git with what it was resolved by. ``warnings`` are about its base."""

    git: Git
    control: Control
    found: GitSubject
    policy: PolicyWanted
    warnings: tuple[str, ...] = ()

    def read_files(self, folder: str) -> CommittedFiles:
        """Return the files of base and subject; git runs in ``folder``, isolated."""
        git = self.git.isolate(self.control.path, folder)
        return CommittedFiles(git, self.found, self.control.repository.head)


def open_git_side(
    folder: str,
    top: str,
    kind: SubjectKind,
    *,
    ref: str | None,
    base: str | None,
    environ: Mapping[str, str],
    policy: PolicyWanted,
    meanwhile: Iterator[None] | None = None,
) -> GitSide:
    """Resolve the subject at ``top``, as ``open_workspace`` is asked for it; ``folder`` is its private folder.

    Raises SubjectError; UsageError for a policy ref that means several things.
    """
    git = Git.from_root(top, environ, meanwhile)
    control = make_control(folder, open_repository(git))
    found = resolve_subject(git, control, kind, ref=ref, base=base, environ=environ)
    side = GitSide(git, control, found, policy)
    if not policy.sets_base or policy.use is PolicyUse.OWN:
        return side
    trusted = find_trusted_ref(git, control.repository, side.read_files(folder), policy)
    side = replace(side, policy=replace(policy, ref=trusted, is_settled=True))
    if trusted is None:
        return side
    from verigate.subject.policy_ref import resolve_policy_ref  # few repositories name one

    commit = resolve_policy_ref(git, trusted, control.repository).commit
    left = _find_left(git, commit, found)
    if base is not None:
        return replace(side, warnings=_describe_hidden(git, trusted, left, found))
    if left is None:
        return replace(side, warnings=_describe_apart(trusted, found, control.repository))
    if left == found.tip and kind is SubjectKind.COMMIT:
        return side  # on the ref already: its own change, against its first parent
    return replace(side, found=compare_with(git, control, found, left, BaseBy.POLICY_REF))


def find_trusted_ref(git: Git, repository: Repository, files: CommittedFiles, wanted: PolicyWanted) -> PolicyRef | None:
    """Return the ref that the policy is trusted from: the caller's, else the repository's own; None without one.

    Raises SubjectError for a setting that can't be read.
    """
    if wanted.ref is not None or wanted.is_settled:
        return wanted.ref
    places = (files.read_base, files.read_subject)
    return find_configured_ref(git, repository, *(partial(read, POLICY_FILE) for read in places))


def _find_left(git: Git, commit: str, found: GitSubject) -> str | None:
    """Return the last commit that the work has in common with a commit; None without one."""
    tips = [name for name in (found.tip, *found.merged) if name is not None]
    # Of several tips git takes the merge that isn't made yet.
    done = git.attempt("merge-base", commit, *tips) if tips else None
    return done.stdout.decode("ascii").strip() if done is not None and done.returncode == 0 else None


def _describe_hidden(git: Git, ref: PolicyRef, left: str | None, found: GitSubject) -> tuple[str, ...]:
    """Say how much of the work lies before a base that was named."""
    base = found.subject.base
    if left is None or base is None or base == left:
        return ()
    done = git.attempt("rev-list", "--count", f"{left}..{base}", "--")
    count = done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else "0"
    if count == "0":
        return ()
    what = "1 commit" if count == "1" else f"{count} commits"
    return (f"the base {base[:12]} leaves out {what} since {ref.name}: a push and CI look at them",)


def _describe_apart(ref: PolicyRef, found: GitSubject, repository: Repository) -> tuple[str, ...]:
    if found.subject.base == empty_tree_id(repository.object_format):
        return ()
    shallow = " in this shallow clone" if repository.shallow else ""
    return (f"the work has no commit in common with {ref.name}{shallow}: it is compared with {found.subject.base_by}",)
