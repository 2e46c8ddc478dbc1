"""The files of a git tree, read from one listing: a monorepo has a hundred thousand, of which few are looked at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from itertools import islice
from operator import lt

from msgspec import Struct

from verigate.subject.git import Git

LINK = b"120000"
GITLINK = b"160000"
_AFTER_SLASH = b"0"
_AFTER_END = b"\0"


class TreeEntry(Struct, frozen=True):
    """One file of a git tree: its mode as git writes it (``100644``, ``100755``, ``120000``, ``160000``) and id."""

    mode: bytes
    oid: str


class TreeListing(Mapping[bytes, TreeEntry]):
    """Every file, link and submodule of a tree, by path; sorted by the bytes of the paths."""

    def __init__(self, listed: bytes = b"") -> None:
        """Read what ``git ls-tree -r -z`` prints: ``mode type id TAB path``."""
        lines = listed.split(b"\0")
        lines.pop()
        names = [line.partition(b"\t")[2] for line in lines]
        if not all(map(lt, names, islice(names, 1, None))):
            # git would not write such a tree.
            by_name = dict(sorted(zip(names, lines, strict=True)))
            names, lines = list(by_name), list(by_name.values())
        self._listed = listed
        self._names: Sequence[bytes] = names
        self._lines: Sequence[bytes] = lines

    def __getitem__(self, path: bytes) -> TreeEntry:
        """Return the entry of a path. Raises KeyError."""
        place = bisect_left(self._names, path)
        if place == len(self._names) or self._names[place] != path:
            raise KeyError(path)
        return _parse(self._lines[place])

    def __contains__(self, path: object) -> bool:
        """Whether the tree has a file, a link or a submodule at this path."""
        if not isinstance(path, bytes):
            return False
        place = bisect_left(self._names, path)
        return place < len(self._names) and self._names[place] == path

    def __iter__(self) -> Iterator[bytes]:
        """Yield the paths."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._names)

    def items(self) -> ItemsView[bytes, TreeEntry]:
        """Return paths with entries."""
        return _Items(self)

    def list_below(self, folder: bytes) -> Iterator[tuple[bytes, TreeEntry]]:
        """Yield what is at the path ``folder`` and in it."""
        for start, end in _find_ranges(self._names, folder):
            for place in range(start, end):
                yield self._names[place], _parse(self._lines[place])

    def list_lines(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield each path with the line of git's listing."""
        return zip(self._names, self._lines, strict=True)

    def list_mode(self, mode: bytes) -> Iterator[tuple[bytes, str]]:
        """Yield path and id of each entry with this mode."""
        start = mode + b" "
        if not self._listed.startswith(start) and b"\0" + start not in self._listed:
            return iter(())
        return ((path, _parse(line).oid) for path, line in self.list_lines() if line.startswith(start))

    def leave_out(self, folder: bytes) -> TreeListing:
        """Return the listing without what is at the path ``folder`` and in it."""
        lines = list(self._lines)
        for start, end in sorted(_find_ranges(self._names, folder), reverse=True):
            del lines[start:end]
        return TreeListing(b"".join(line + b"\0" for line in lines))

    @property
    def names(self) -> Sequence[bytes]:
        """The paths."""
        return self._names


class _Items(ItemsView[bytes, TreeEntry]):
    """Paths with entries, without a look-up of each."""

    _mapping: TreeListing

    def __iter__(self) -> Iterator[tuple[bytes, TreeEntry]]:
        return ((path, _parse(line)) for path, line in self._mapping.list_lines())


def list_tree(git: Git, tree: str, *below: str) -> TreeListing:
    """List every file, link and submodule of a tree, or of these paths in it, by path."""
    return TreeListing(git.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *below))


def _parse(line: bytes) -> TreeEntry:
    mode, _, oid = line.split(b"\t", 1)[0].split(b" ")
    return TreeEntry(mode, oid.decode("ascii"))


def _find_ranges(names: Sequence[bytes], folder: bytes) -> Iterator[tuple[int, int]]:
    """Yield where in the sorted ``names`` the paths in a folder are, and then where the folder's own path is."""
    for first, after in ((folder + b"/", folder + _AFTER_SLASH), (folder, folder + _AFTER_END)):
        yield bisect_left(names, first), bisect_left(names, after)
