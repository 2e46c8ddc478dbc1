"""The subject: the git tree (or folder) that is verified, and how it differs from its base."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct


class SubjectKind(StrEnum):
    """Where the subject's tree comes from."""

    WORKTREE = "worktree"
    INDEX = "index"
    COMMIT = "commit"
    FOLDER = "folder"


class ChangeKind(StrEnum):
    """What happened to a path between base and subject (renames are a deletion and an addition)."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"


class Change(Struct, frozen=True, order=True):
    """One path that differs. ``path`` is relative to the root, ``/``-separated, with invalid UTF-8 escaped.

    ``plain``: a regular file that isn't executable, in base and subject as far as it exists there.
    """

    path: str
    kind: ChangeKind
    plain: bool = True


class SubmoduleMove(Struct, frozen=True, order=True):
    """A submodule whose commit differs. ``path`` as in Change; ``base`` and ``subject`` are ids, None where it isn't.

    Only the ids are part of the subject. What the new commit holds is another repository's, and isn't looked at.
    ``lacking``: that commit isn't here, so the subject's folder is empty and its programs ran without these files.
    """

    path: str
    base: str | None
    subject: str | None
    lacking: bool = False

    def document(self) -> dict[str, Any]:
        """Return it as documents have it."""
        own = {"path": self.path, "base": self.base, "subject": self.subject}
        return {**own, "lacking": True} if self.lacking else own


class BaseBy(StrEnum):
    """How the base of a verdict is known, as reports show it."""

    OPTION = "named by --base"
    COMMITMENT = "named by the commitment"
    POLICY_REF = "where the work left the policy ref"
    PARENT = "the first parent"
    HEAD = "HEAD"
    NOTHING = "there is no commit before"


class SubjectNames(Struct, frozen=True):
    """What people call the subject: for reports alone, no fact.

    ``repository`` is ``owner/name`` of the remote ``origin`` without host and credentials, else the folder's name.
    ``commit`` is the commit that is verified or that the working tree or the index stands on, ``title`` the first line
    of its message; None without one.
    """

    repository: str
    commit: str | None = None
    title: str | None = None


class Subject(Struct, frozen=True):
    """What is verified.

    ``root`` is the absolute path of the repository; ``base`` a commit id or the empty tree's id (None for a
    plain folder); ``tree`` a git tree id, or ``sha256:...`` of a plain folder; ``changes`` sorted by path;
    ``unverified`` the paths of the UNVERIFIED marks that travel with it, sorted. ``whole``: it is judged as it is, and
    the rules of a domain apply whether or not something of it differs from the base. ``base_by`` says how the base is
    known, None of a plain folder and where nobody asked; ``submodules`` are those whose commit differs, sorted.
    """

    kind: SubjectKind
    root: str
    base: str | None
    tree: str
    changes: tuple[Change, ...] = ()
    unverified: tuple[str, ...] = ()
    whole: bool = False
    base_by: BaseBy | None = None
    submodules: tuple[SubmoduleMove, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return what verdict.json says about it; run.json has the changes as well."""
        moves = [each.document() for each in self.submodules]
        return {
            "kind": self.kind.value,
            "base": self.base,
            "tree": self.tree,
            **({"base_by": self.base_by.value} if self.base_by is not None else {}),
            **({"submodules": moves} if moves else {}),
        }

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to verify. A plain folder has no diff and is never empty."""
        return self.kind is not SubjectKind.FOLDER and not self.changes and not self.whole
