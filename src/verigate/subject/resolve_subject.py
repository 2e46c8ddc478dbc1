"""Resolve the tree to verify, and its difference from the base.

The user's repository is only read; at most git updates the time of an object there that it would have written again.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.subject import BaseBy, Change, ChangeKind, Subject, SubjectKind, SubmoduleMove
from verigate.domain.task_folder import ARTIFACTS_FOLDER, TRAVELLING_FILES, UNVERIFIED_FILE
from verigate.errors import SubjectError
from verigate.formats.near_names import suggest_nearest
from verigate.subject.git import Git, decode_path, escape_bytes
from verigate.subject.git_folder import Control
from verigate.subject.object_integrity import verify_no_change
from verigate.subject.ref_names import refuse_ambiguous
from verigate.subject.submodule_objects import holds_submodule
from verigate.subject.tree_listing import GITLINK, TreeEntry, TreeListing, list_tree
from verigate.subject.worktree_index import add_worktree, refuse_unmerged

ARTIFACTS = os.fsencode(ARTIFACTS_FOLDER)
_TRAVELS = re.compile(
    rb"%s/(?:\.gitignore|current|[^/]+/(?:%s)|\.approvals/[^/]+\.json)"
    % (re.escape(ARTIFACTS), b"|".join(re.escape(name.encode()) for name in TRAVELLING_FILES))
)
"""What may be committed below ``.artifacts``, as its ``.gitignore`` has it."""
_FILE = b"100644"
_MOST_BYTES = 1_000_000
_MERGED_VARIABLE = re.compile(r"GITHEAD_([0-9a-f]{40}|[0-9a-f]{64})")
_MARK = re.compile(re.escape(ARTIFACTS) + rb"/[^/]+/" + re.escape(os.fsencode(UNVERIFIED_FILE)))


class GitSubject(Struct, frozen=True):
    """A subject with its files. Paths are bytes, sorted; ``base_entries`` holds only the base's side of changes.

    A changed path that the base doesn't have is missing in ``base_entries``. ``artifacts`` and ``base_artifacts`` are
    the entries of subject and base below ``.artifacts``, which are in none of the others. ``tip`` is the commit that is
    verified, or that index and working tree stand on; None on an unborn branch. ``whole_tree`` is the tree with
    ``.artifacts``, as git would commit it. ``merged`` are the commits that a merge under way joins with ``tip``, of an
    index.
    """

    subject: Subject
    entries: TreeListing
    base_entries: Mapping[bytes, TreeEntry]
    changed: frozenset[bytes]
    artifacts: Mapping[bytes, TreeEntry]
    base_artifacts: Mapping[bytes, TreeEntry]
    tip: str | None = None
    whole_tree: str = ""
    merged: tuple[str, ...] = ()

    def find_in_base(self, path: bytes) -> TreeEntry | None:
        """Return the base's entry for this path, None without one."""
        return self.base_entries.get(path) if path in self.changed else self.entries.get(path)


def empty_tree_id(object_format: str) -> str:
    """Compute git's id of the tree without entries, for ``sha1`` or ``sha256`` repositories."""
    return hashlib.new(object_format, b"tree 0\0", usedforsecurity=False).hexdigest()


def resolve_subject(
    git: Git,
    control: Control,
    kind: SubjectKind,
    *,
    ref: str | None = None,
    base: str | None = None,
    environ: Mapping[str, str],
) -> GitSubject:
    """Resolve the tree to verify and compare it with its base.

    ``ref`` names the commit of kind COMMIT; ``base`` is a commit, or None for HEAD (of a commit: its first parent).
    Of the caller's ``environ`` kind INDEX uses GIT_INDEX_FILE, and what ``git merge`` says to its hooks. New objects go
    into ``control``. Raises SubjectError for unmerged files, unknown or stale commits, and whatever git can't read.
    """
    repository, index_file = control.repository, environ.get("GIT_INDEX_FILE")
    git = git.with_variables(GIT_OBJECT_DIRECTORY=control.objects)
    if kind is SubjectKind.COMMIT:
        if ref is None:
            raise SubjectError("no commit was named to verify", where=git.cwd, hint="name one with --ref")
        tip: str | None = _resolve_commit(git, ref, "--ref", shallow=repository.shallow)
        tree, parent = _read_tree_and_parent(git, str(tip))
    else:
        tip = parent = repository.head
        tree = _write_tree(git, control, kind, index_file)
    merged = _list_merged(git, control, environ) if kind is SubjectKind.INDEX else ()
    compared, base_by = parent or empty_tree_id(repository.object_format), None
    if base is not None:
        compared = _resolve_base(git, base, tip, control, merged)
    elif parent is None:
        base_by = BaseBy.NOTHING
    else:
        base_by = BaseBy.PARENT if kind is SubjectKind.COMMIT else BaseBy.HEAD
    comparison = (*_DIFF_TREE, compared, tree)
    compare, whole_tree = git.begin(*comparison), tree
    try:
        tree, entries, artifacts = _split_artifacts(git, tree)
    finally:
        done = compare()
    changes = _read_comparison(git, comparison, done, shallow=repository.shallow)
    marks = tuple(sorted(decode_path(path) for path in artifacts if _MARK.fullmatch(path)))
    subject = Subject(kind, repository.root, compared, tree, (), marks, base_by=base_by)
    return _join(git, subject, entries, artifacts, changes, tip=tip, whole_tree=whole_tree, merged=merged)


def compare_with(git: Git, control: Control, found: GitSubject, base: str, base_by: BaseBy) -> GitSubject:
    """Return the subject as it differs from another commit, by which that is known. Raises SubjectError."""
    git = git.with_variables(GIT_OBJECT_DIRECTORY=control.objects)
    comparison = (*_DIFF_TREE, base, found.whole_tree)
    changes = _read_comparison(git, comparison, git.attempt(*comparison), shallow=control.repository.shallow)
    subject = replace(found.subject, base=base, base_by=base_by)
    return _join(
        git, subject, found.entries, found.artifacts, changes, tip=found.tip, whole_tree=found.whole_tree,
        merged=found.merged,
    )  # fmt: skip


def _join(
    git: Git,
    subject: Subject,
    entries: TreeListing,
    artifacts: Mapping[bytes, TreeEntry],
    comparison: _Comparison,
    *,
    tip: str | None,
    whole_tree: str,
    merged: tuple[str, ...],
) -> GitSubject:
    """Join what a subject holds with what differs from its base."""
    _refuse_foreign(artifacts, comparison.of_artifacts)
    before = comparison.base_entries
    moves = _list_moves(git, subject.root, comparison.changed, before, entries)
    subject = replace(subject, changes=comparison.changes, submodules=moves)
    of_artifacts = {**artifacts, **comparison.of_artifacts}
    in_base = {path: entry for path, entry in of_artifacts.items() if entry is not None}
    return GitSubject(subject, entries, before, comparison.changed, artifacts, in_base, tip, whole_tree, merged)


def _write_tree(git: Git, control: Control, kind: SubjectKind, index_file: str | None) -> str:
    source = control.repository.index
    if kind is SubjectKind.INDEX and index_file:
        # git resolves a relative GIT_INDEX_FILE from the top of the working tree.
        source = os.path.join(git.cwd, index_file)
    copy = control.index("subject")
    try:
        # With its times: git reads a file that is younger than the index before it treats it as unchanged.
        shutil.copy2(source, copy)
        os.chmod(copy, 0o600)
    except FileNotFoundError:
        if kind is SubjectKind.INDEX and index_file:
            raise SubjectError("GIT_INDEX_FILE names no file", where=source) from None
    except OSError as error:
        raise SubjectError(f"the index can't be read: {error.strerror}", where=source) from error
    git = git.with_variables(GIT_INDEX_FILE=copy)
    if kind is SubjectKind.WORKTREE:
        add_worktree(git, control, copy)
    written = git.attempt("write-tree")
    if written.returncode != 0:
        # write-tree refuses unmerged files too, with less detail.
        refuse_unmerged(git)
        raise git.make_error(("write-tree",), written.returncode, written.stderr)
    return written.stdout.decode("ascii").strip()


def _resolve_commit(git: Git, name: str, option: str, *, shallow: bool) -> str:
    hint = "run git log --oneline"
    if shallow:
        hint = "this is a shallow clone; get its history with: git fetch --unshallow"
    if not name or name.startswith("-") or "\0" in name or "\n" in name:
        raise SubjectError(f"{name!r} can't name a commit", where=option, hint=hint)
    refuse_ambiguous(git, name, option)
    done = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if done.returncode != 0:
        known = git.attempt("for-each-ref", "--format=%(refname:short)").stdout.splitlines()
        hint = suggest_nearest(name, map(escape_bytes, known), 3) or hint
        raise SubjectError(
            f"{escape_bytes(os.fsencode(name))} is not a commit of this repository", where=option, hint=hint
        )
    return done.stdout.decode("ascii").strip()


def _read_tree_and_parent(git: Git, commit: str) -> tuple[str, str | None]:
    # Read the object itself: in a shallow clone git hides the parents of the last commit it has.
    header = git.run("cat-file", "commit", commit).split(b"\n\n", 1)[0].split(b"\n")
    tree = header[0].removeprefix(b"tree ").decode("ascii")
    parent = header[1].removeprefix(b"parent ").decode("ascii") if header[1].startswith(b"parent ") else None
    return tree, parent


def _list_moves(
    git: Git,
    root: str,
    changed: frozenset[bytes],
    before: Mapping[bytes, TreeEntry],
    after: Mapping[bytes, TreeEntry],
) -> tuple[SubmoduleMove, ...]:
    """List the changed paths that are a submodule in base or subject, with its commits; the new one may be lacking."""

    def read_commit(side: Mapping[bytes, TreeEntry], path: bytes) -> str | None:
        entry = side.get(path)
        return entry.oid if entry is not None and entry.mode == GITLINK else None

    moves = []
    for path in changed:
        old, new = read_commit(before, path), read_commit(after, path)
        if old is not None or new is not None:
            lacking = new is not None and not _holds(git, root, path, new)
            moves.append(SubmoduleMove(decode_path(path), old, new, lacking))
    return tuple(sorted(moves))


def find_lacking_submodules(git: Git, found: GitSubject) -> tuple[str, ...]:
    """Find the submodules of a subject whose commits aren't in their repositories, sorted by path."""
    root, links = found.subject.root, found.entries.list_mode(GITLINK)
    return tuple(decode_path(path) for path, oid in links if not _holds(git, root, path, oid))


def _holds(git: Git, root: str, path: bytes, commit: str) -> bool:
    return holds_submodule(git, f"{root}/{os.fsdecode(path)}", commit)


def _resolve_base(git: Git, base: str, tip: str | None, control: Control, merged: tuple[str, ...]) -> str:
    repository = control.repository
    if base == empty_tree_id(repository.object_format):
        return base
    commit = _resolve_commit(git, base, "base", shallow=repository.shallow)
    if commit == tip:
        return commit
    done = git.attempt("merge-base", "--is-ancestor", commit, tip) if tip else None
    if done is None or done.returncode == 1:
        for parent in merged:
            # The commit that is made from the index has it as a parent.
            if git.attempt("merge-base", "--is-ancestor", commit, parent).returncode == 0:
                return commit
    if done is None or done.returncode == 1:
        hint = "make the commitment again, or name a base with --base: git merge-base HEAD <that commit> finds one"
        if repository.shallow:
            hint = "this is a shallow clone; get its history with: git fetch --unshallow"
        raise SubjectError(
            f"the base {base} is stale: it is not an ancestor of {tip or 'the unborn HEAD'}, so the diff would be "
            "of other work",
            where="base",
            hint=hint,
        )
    if done.returncode != 0:
        raise git.make_error(("merge-base", "--is-ancestor", commit, str(tip)), done.returncode, done.stderr)
    return commit


def _list_merged(git: Git, control: Control, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the commits that a merge under way joins with HEAD; none without one.

    A merge that needs nobody has no MERGE_HEAD yet when git runs the hook pre-merge-commit. There ``git merge`` names
    them by variables, as it does to merge drivers.
    """
    try:
        with open(f"{control.repository.git_dir}/MERGE_HEAD", "rb") as file:
            names = [line for line in file.read(_MOST_BYTES).decode("ascii", "replace").split() if line.isalnum()]
    except OSError:
        names = [found[1] for found in map(_MERGED_VARIABLE.fullmatch, environ) if found is not None]
    if not names:
        return ()
    # The name may be that of an annotated tag.
    return tuple(git.run("rev-parse", *(f"{name}^{{commit}}" for name in names)).decode("ascii").split())


def _split_artifacts(git: Git, tree: str) -> tuple[str, TreeListing, dict[bytes, TreeEntry]]:
    """Return the tree and its entries without ``.artifacts``, and the entries below ``.artifacts``."""
    entries = list_tree(git, tree)
    artifacts = dict(entries.list_below(ARTIFACTS))
    if not artifacts:
        return tree, entries, {}
    kept = entries.leave_out(ARTIFACTS)
    top = git.run("ls-tree", "-z", tree).split(b"\0")
    left = b"\0".join(line for line in top if line and line.split(b"\t", 1)[1] != ARTIFACTS)
    # A tree without entries is a tree too; mktree makes it from empty input.
    return git.run("mktree", "-z", stdin=left + b"\0" if left else b"").decode("ascii").strip(), kept, artifacts


def _refuse_foreign(artifacts: Mapping[bytes, TreeEntry], base: Mapping[bytes, TreeEntry | None]) -> None:
    """Raise SubjectError for new files below ``.artifacts`` that nobody verifies: a program could be built of them.

    ``base`` is the base's side of what changed there.
    """
    changed = sorted(path for path in base if path in artifacts)
    foreign = [path for path in changed if not _TRAVELS.fullmatch(path) or artifacts[path].mode != _FILE]
    if foreign:
        names = ", ".join(escape_bytes(path) for path in foreign[:10])
        raise SubjectError(
            f"{len(foreign)} files below {ARTIFACTS_FOLDER} are committed that are no part of any verdict: {names}",
            where=ARTIFACTS_FOLDER,
            hint="git rm --cached them; commitments, claims, marks and approvals may travel",
        )


def is_artifact(path: bytes) -> bool:
    """Whether this repository path is ``.artifacts`` or lies below it."""
    return path == ARTIFACTS or path.startswith(ARTIFACTS + b"/")


_DIFF_TREE = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
_KINDS = {b"A": ChangeKind.ADDED, b"D": ChangeKind.DELETED}
_PLAIN = frozenset({b"100644", b"000000"})
"""Modes of a read-only entry, and of a missing one."""


class _Comparison(Struct, frozen=True):
    """What differs between base and subject; ``of_artifacts`` is the base's side of paths below ``.artifacts``."""

    changes: tuple[Change, ...]
    base_entries: Mapping[bytes, TreeEntry]
    changed: frozenset[bytes]
    of_artifacts: Mapping[bytes, TreeEntry | None]


def _read_comparison(
    git: Git, comparison: Sequence[str], done: subprocess.CompletedProcess[bytes], *, shallow: bool
) -> _Comparison:
    """Read what ``git diff-tree`` prints. Raises SubjectError where it failed."""
    if done.returncode != 0:
        error = git.make_error(comparison, done.returncode, done.stderr)
        if shallow:
            error.hint = "this is a shallow clone; get the base with: git fetch --deepen=1, or git fetch --unshallow"
        raise error
    fields = done.stdout.split(b"\0")
    changes: list[Change] = []
    base_entries: dict[bytes, TreeEntry] = {}
    changed: set[bytes] = set()
    of_artifacts: dict[bytes, TreeEntry | None] = {}
    for what, path in zip(fields[0:-1:2], fields[1::2], strict=True):
        old_mode, mode, old, _, status = what.removeprefix(b":").split(b" ")
        before = None if status == b"A" else TreeEntry(old_mode, old.decode("ascii"))
        if is_artifact(path):
            of_artifacts[path] = before
            continue
        changed.add(path)
        if before is not None:
            base_entries[path] = before
        plain = old_mode in _PLAIN and mode in _PLAIN
        changes.append(Change(decode_path(path), _KINDS.get(status, ChangeKind.MODIFIED), plain))
    if not changes:
        verify_no_change(git, comparison[-2], comparison[-1])
    return _Comparison(tuple(sorted(changes)), base_entries, frozenset(changed), of_artifacts)
