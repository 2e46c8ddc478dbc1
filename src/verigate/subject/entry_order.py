"""A checkout whose folders list their entries in a chosen order, where the file system allows it.

Used by the conformance kit: readdir(3) promises no order, and another order exposes an adapter that relies on one. On
tmpfs a folder lists its newest entry first; on ext4 the order depends on the names alone and can't be chosen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from verigate.subject.file_tree import FileTree

EntryOrder = Mapping[bytes, tuple[bytes, ...]]
"""Folder (relative, empty for the top one) -> its names in the order of readdir(3)."""

_ASIDE = b".verigate-arranging"


class RefreshableTree(FileTree, Protocol):
    """A tree that can update its bookkeeping after files were moved."""

    def refresh(self, checkout: str, name: str) -> None:
        """Record the files' new times."""


class ArrangedTree(Struct, frozen=True):
    """``tree``, with every folder of a checkout listing its entries as ``wanted``, where the system allows it."""

    tree: RefreshableTree
    wanted: EntryOrder

    def write(self, checkout: str, name: str) -> None:
        """As in Tree."""
        self.tree.write(checkout, name)
        arrange_entries(checkout, self.wanted)
        self.tree.refresh(checkout, name)

    def put_back(self, checkout: str, name: str, paths: Sequence[bytes]) -> None:
        """As in Tree."""
        self.tree.put_back(checkout, name, paths)

    def write_git(self, folder: str, name: str, ignored: Sequence[bytes], *, based: bool) -> bool:
        """As in Tree."""
        return self.tree.write_git(folder, name, ignored, based=based)


def list_entries(folder: str) -> dict[bytes, tuple[bytes, ...]]:
    """List every folder below ``folder`` with its names in the order of readdir(3), except the top ``.git``."""
    found: dict[bytes, tuple[bytes, ...]] = {}
    pending = [b""]
    while pending:
        inner = pending.pop()
        with os.scandir(os.path.join(os.fsencode(folder), inner)) as entries:
            seen = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        kept = [(name, is_folder) for name, is_folder in seen if inner or name != b".git"]
        found[inner] = tuple(name for name, _ in kept)
        pending += [os.path.join(inner, name) for name, is_folder in kept if is_folder]
    return found


def arrange_entries(folder: str, wanted: EntryOrder) -> None:
    """Move the entries of every folder out and in again, so that a newest-first listing becomes ``wanted``."""
    top = os.fsencode(folder)
    for inner, names in wanted.items():
        place = os.path.join(top, inner)
        aside = os.path.join(top, _ASIDE)
        os.mkdir(aside)
        for name in names:
            os.rename(os.path.join(place, name), os.path.join(aside, name))
        for name in reversed(names):
            os.rename(os.path.join(aside, name), os.path.join(place, name))
        os.rmdir(aside)
