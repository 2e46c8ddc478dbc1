"""Read single files of the versions of a git subject: its base, HEAD, and what lands."""

from __future__ import annotations

from verigate.domain.subject import SubjectKind
from verigate.errors import SubjectError
from verigate.subject.git import Git
from verigate.subject.resolve_subject import GitSubject
from verigate.subject.tree_listing import GITLINK, LINK, list_tree


class CommittedFiles:
    """The files of a subject. ``git`` is isolated, ``head`` the id of HEAD, None for a branch without a commit."""

    def __init__(self, git: Git, found: GitSubject, head: str | None) -> None:
        self._git = git
        self._found = found
        self._head = head

    @property
    def commit(self) -> str | None:
        """The id of the commit that is verified; None of any other subject."""
        return self._found.tip if self._found.subject.kind is SubjectKind.COMMIT else None

    def read_base(self, path: str) -> bytes | None:
        """Return the base's bytes of a file; None if the base doesn't have it.

        Raises SubjectError if it is a link or a submodule there, or its object is missing.
        """
        entry = self._found.find_in_base(_encode(path))
        if entry is None:
            return None
        if entry.mode in {LINK, GITLINK}:
            raise SubjectError(
                "this is not a regular file in the base", where=path, hint="replace it with the file itself"
            )
        return self._read(entry.oid)

    def read_subject(self, path: str) -> bytes | None:
        """Return the subject's bytes of a regular file, None for anything else. Raises SubjectError without object."""
        entry = self._found.entries.get(_encode(path))
        return None if entry is None or entry.mode in {LINK, GITLINK} else self._read(entry.oid)

    def describe_versions(self, path: str) -> tuple[str | None, str | None]:
        """Return mode and object id of a path in base and in subject, None where it isn't there."""
        name = _encode(path)
        before, after = (
            None if entry is None else f"{entry.mode.decode('ascii')} {entry.oid}"
            for entry in (self._found.find_in_base(name), self._found.entries.get(name))
        )
        return before, after

    def read_approvals(self) -> tuple[tuple[str, bytes | None], ...]:
        """Return path and content of the approvals of an index or a commit; those of a working tree lie in its folder.

        The content of one that is too large is None. Raises SubjectError if an object is missing.
        """
        if self._found.subject.kind is SubjectKind.WORKTREE:
            return ()
        from verigate.subject.approval_entries import read_approval_entries  # few changes have one

        return tuple(read_approval_entries(self._git, self._found.artifacts))

    def read_committed(self, path: str) -> tuple[bytes, ...]:
        """Return the content at a path below ``.artifacts`` in base, HEAD, and the commit that lands.

        ``.artifacts`` is no part of the subject. HEAD doesn't matter to a subject that is a commit, and a working tree
        holds more than lands. What isn't a file there has empty content. Raises SubjectError if an object is missing.
        """
        subject = self._found.subject
        head = None if subject.kind is SubjectKind.COMMIT else self._head
        sides = [self._found.base_artifacts]
        if subject.kind is not SubjectKind.WORKTREE:
            sides.append(self._found.artifacts)
        if head is not None and head != subject.base:
            sides.append(list_tree(self._git, head, path))
        name = _encode(path)
        found = []
        for side in sides:
            entry = side.get(name)
            if entry is not None and entry.mode != GITLINK:
                found.append(self._read(entry.oid))
            elif entry is not None or any(other.startswith(name + b"/") for other in side):
                found.append(b"")
        return tuple(found)

    def read_landing(self, path: str) -> bytes | None:
        """Return the content of a file below ``.artifacts`` in the index or the commit that is verified.

        None if it isn't there, or if the subject is a working tree. What isn't a file has empty content.
        """
        entry = self._found.artifacts.get(_encode(path))
        if self._found.subject.kind is SubjectKind.WORKTREE or entry is None:
            return None
        return b"" if entry.mode in {LINK, GITLINK} else self._read(entry.oid)

    def _read(self, oid: str) -> bytes:
        return self._git.run("cat-file", "blob", oid)


def _encode(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
