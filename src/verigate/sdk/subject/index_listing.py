"""List the entries of an index with modes and object ids, in few steps for each: a monorepo has a hundred thousand."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from operator import lt
from typing import NamedTuple

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.sdk.artifacts import path_text
from verigate.sdk.errors import ToolFailed
from verigate.sdk.subject.repository import Repository

LINK, SUBMODULE = "120000", "160000"
"""Modes of symbolic links and submodules, as git writes them."""

_LINK = os.fsencode(LINK)
_ARTIFACTS = os.fsencode(ARTIFACTS_FOLDER)
_AFTER_SLASH = b"0"


class IndexEntry(NamedTuple):
    """What an index has of a path: git's mode (``100644``, ``100755``, ``120000``, ``160000``) and the object id."""

    mode: str
    oid: str


class IndexListing:
    """The entries of an index without ``.artifacts``.

    ``paths`` are as ``os.fsdecode`` gives them, unique, and sorted as they stand in artifacts (``path_text``).
    """

    def __init__(self, listed: bytes) -> None:
        """Read what ``git ls-files --stage -z`` prints: ``mode id stage TAB path``; only paths differ in length."""
        entries = listed.split(b"\0")
        entries.pop()
        self._start = entries[0].index(b"\t") + 1 if entries else 0
        names = [entry[self._start :] for entry in entries]
        self.is_text = _is_utf8(listed)
        """Whether all paths are UTF-8, so that the texts of ``paths`` are sorted as texts are."""
        # git sorts by bytes.
        if not self.is_text or not all(map(lt, names, islice(names, 1, None))):
            by_name = dict(sorted(zip(names, entries, strict=True), key=lambda pair: path_text(pair[0])))
            names, entries = list(by_name), list(by_name.values())
            kept = [not (name == _ARTIFACTS or name.startswith(_ARTIFACTS + b"/")) for name in names]
            names = [name for name, keep in zip(names, kept, strict=True) if keep]
            entries = [entry for entry, keep in zip(entries, kept, strict=True) if keep]
        else:
            for first, after in ((_ARTIFACTS + b"/", _ARTIFACTS + _AFTER_SLASH), (_ARTIFACTS, _ARTIFACTS + b"\0")):
                left_out = slice(bisect_left(names, first), bisect_left(names, after))
                del names[left_out], entries[left_out]
        self._entries = entries
        self._text = os.fsdecode(b"\0".join(names))
        self._has_links = b"\0%b " % _LINK in b"\0" + listed[:7] or b"\0%b " % _LINK in listed
        self.paths: Sequence[str] = self._text.split("\0") if names else []

    def __len__(self) -> int:
        return len(self.paths)

    def find(self, path: str) -> IndexEntry | None:
        """Return the entry of a path, None without one."""
        place = bisect_left(self.paths, path) if self.is_text else self._places.get(path, len(self.paths))
        if place == len(self.paths) or self.paths[place] != path:
            return None
        mode, oid, _ = self._entries[place][: self._start - 1].decode("ascii").split(" ")
        return IndexEntry(mode, oid)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {path: number for number, path in enumerate(self.paths)}

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The paths of symbolic links."""
        entries = enumerate(self._entries) if self._has_links else ()
        return tuple([self.paths[place] for place, entry in entries if entry.startswith(_LINK)])

    def list_named(self, name: str) -> list[str]:
        """List the paths of files with this name."""
        paths = self.paths if name in self._text else ()
        return [path for path in paths if path.endswith(name) and path.rpartition("/")[2] == name]


def list_index(repository: Repository) -> IndexListing:
    """List the index of ``repository``. Raises ToolFailed if git can't list it, or prints more than MAX_GIT_BYTES."""
    listed = repository.git("ls-files", "--cached", "--stage", "-z").stdout
    if listed and not listed.endswith(b"\0"):
        raise ToolFailed("git ls-files ended in the middle of an entry", where=str(repository.root))
    return IndexListing(listed)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
