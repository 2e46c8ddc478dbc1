"""A checkout whose folders list their entries in an order of somebody's choice, where the file system allows that.

For the conformance kit: readdir(3) promises no order, and an adapter that relies on one is found out by another. On
tmpfs a folder lists what was put into it last first; on ext4 the order hangs on the names alone and can't be chosen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from verigate.subject.file_tree import FileTree

EntryOrder = Mapping[bytes, tuple[bytes, ...]]
"""Folder (relative, empty for the top one) -> the names in it, in the order in which it lists them."""

_ASIDE = b".verigate-arranging"


class RefreshableTree(FileTree, Protocol):
    """A tree whose bookkeeping can be told that files were moved about."""

    def refresh(self, checkout: str, name: str) -> None:
        """Take note of the files' times anew."""


class ArrangedTree(Struct, frozen=True):
    """``tree``, but every folder of a checkout lists its entries as ``wanted`` says, as far as the system lets it."""

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

    def write_git(self, checkout: str, name: str, ignored: Sequence[bytes]) -> None:
        """As in Tree."""
        self.tree.write_git(checkout, name, ignored)


def list_entries(folder: str) -> dict[bytes, tuple[bytes, ...]]:
    """Every folder below ``folder`` with its names in the order of readdir(3); without the top ``.git``."""
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
    """Move the entries of every folder out and in again, so that one that lists the last first lists as ``wanted``."""
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
