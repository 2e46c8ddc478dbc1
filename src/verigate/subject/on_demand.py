"""A checkout of a large repository in which a capability writes the files that it needs itself.

Its index has every file of the subject, and none of them is written: each has git's ``skip-worktree`` bit, as in a
sparse checkout. So git calls nothing missing, and lists and compares the whole subject.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verigate.subject.commit_names import CommitNames

if TYPE_CHECKING:
    from verigate.domain.ports import Mount
    from verigate.subject.dependencies import DependencyFolder
    from verigate.subject.file_tree import GitTree

_FOLDER_MODE = 0o755


class OnDemandCheckout:
    """The Checkout of one call at ``path``. Nothing runs there again, so it is neither compared nor restored."""

    is_written = False

    def __init__(
        self,
        path: str,
        name: str,
        *,
        tree: GitTree,
        folders: Sequence[DependencyFolder],
        mounts: Sequence[Mount],
        shows_reads: bool,
    ) -> None:
        self._path = path
        self._mounts = mounts
        os.mkdir(path, _FOLDER_MODE)
        tree.write_index(path, name)
        for folder in folders:
            folder.make(os.fsencode(path))
        tree.write_git(f"{path}/.git", name, [folder.path for folder in folders], based=True)
        self._names = CommitNames(path, shows_reads=shows_reads)

    @property
    def path(self) -> str:
        """As in the Checkout port."""
        return self._path

    @property
    def mounts(self) -> Sequence[Mount]:
        """As in the Checkout port."""
        return self._mounts

    def write(self) -> None:
        """As in the Checkout port: the capability writes what it needs."""

    def write_git_without_base(self, folder: str) -> bool:  # noqa: ARG002 - the port's
        """As in the Checkout port: only a capability that sees the base has such a checkout."""
        return False

    def took_base(self) -> bool:
        """As in the Checkout port."""
        return self._names.were_read()

    def restore(self) -> tuple[str, ...]:
        """As in the Checkout port: what a call wrote goes with it, unseen."""
        return ()
