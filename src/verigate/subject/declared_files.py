"""The files of the subject that a capability declares to read, and a checkout of nothing else.

What isn't declared isn't there: neither as a file nor in the index. So what a capability finds depends on these files
alone, and a read of another one fails. A capability that sees the base also has its commits, which git reads by their
names; one that doesn't has a ``.git`` without a commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.ports import Mount
from verigate.formats.path_patterns import match_paths
from verigate.subject.checkout import PrivateCheckout
from verigate.subject.file_tree import GitTree, Layer
from verigate.subject.tree_listing import GITLINK

if TYPE_CHECKING:
    from verigate.subject.git_side import GitSide
    from verigate.subject.tree_listing import TreeEntry

ATTRIBUTES = "**/.gitattributes"
"""Always declared: these files say how git writes the others."""


def select_entries(entries: Mapping[bytes, TreeEntry], patterns: Sequence[str]) -> Iterator[tuple[bytes, TreeEntry]]:
    """Yield the files and links of a tree that a pattern matches. Submodules are none."""
    matches = match_paths((*patterns, ATTRIBUTES))
    return ((path, entry) for path, entry in entries.items() if entry.mode != GITLINK and matches(path))


def digest_entries(entries: Mapping[bytes, TreeEntry], patterns: Sequence[str]) -> str:
    """Digest path, mode and object id of the files that a pattern matches (sha256)."""
    digest = hashlib.sha256()
    for path, entry in sorted(select_entries(entries, patterns)):
        digest.update(b"%s %s %d:%s\n" % (entry.mode, entry.oid.encode("ascii"), len(path), path))
    return digest.hexdigest()


class DeclaredWriter(Struct, frozen=True):
    """Writes checkouts of the files of ``side`` that a pattern of ``patterns`` matches; ``proof`` as in GitTree."""

    side: GitSide
    patterns: tuple[str, ...]
    proof: Callable[[], None]

    def build_tree(self, name: str) -> GitTree:
        """Write a tree of these files into the gate's own objects. Raises SubjectError."""
        side, control = self.side, self.side.control
        git = side.git.isolate(control.path, control.path).with_variables(GIT_INDEX_FILE=control.index(f"{name}-tree"))
        lines = (
            b"%s %s 0\t%s\0" % (entry.mode, entry.oid.encode("ascii"), path)
            for path, entry in select_entries(side.found.entries, self.patterns)
        )
        git.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
        tree = git.run("write-tree", "--missing-ok").decode("ascii").strip()
        return GitTree(
            side.git, control, str(side.found.subject.base), (Layer(b"", control.path, tree),), self.proof, tags=False
        )


class DeclaredCheckout:
    """The Checkout of a capability that declares its inputs. Nothing is written before ``write``."""

    is_written = True

    def __init__(self, path: str, mounts: Sequence[Mount], make: Callable[[], PrivateCheckout]) -> None:
        self._path = path
        self._mounts = mounts
        self._make = make
        self._made: PrivateCheckout | None = None
        self._git: list[str] = []

    @property
    def path(self) -> str:
        """As in the Checkout port."""
        return self._path

    @property
    def mounts(self) -> Sequence[Mount]:
        """As in the Checkout port: also an empty folder over the checkouts of the whole subject."""
        return self._mounts

    def write(self) -> None:
        """As in the Checkout port. Raises SubjectError, OSError."""
        if self._made is None:
            self._made = self._make()
        for folder in self._git:
            self._made.write_git_without_base(folder)
        self._git = []
        self._made.settle()

    def write_git_without_base(self, folder: str) -> bool:
        """As in the Checkout port; it is written with the checkout."""
        self._git.append(folder)
        return True

    def took_base(self) -> bool:
        """As in the Checkout port."""
        return self._made is not None and self._made.took_base()

    def restore(self) -> tuple[str, ...]:
        """As in the Checkout port."""
        return () if self._made is None else self._made.restore()
