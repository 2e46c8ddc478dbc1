"""Check out other trees temporarily in the gate's private checkout, to run them in the same place as the subject."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from verigate.sdk import Request
from verigate.sdk.subject import Repository

_UNTRACKED = ("ls-files", "--others", "--directory", "-z")


class TreeCheckout:
    """The checkout while other trees are in it."""

    def __init__(self, repository: Repository, subject: str, index: Mapping[str, str]) -> None:
        self._repository = repository
        self._subject = subject
        self._index = index
        self._switched = Repository(repository.root, repository.environ, index)
        self._before = frozenset(repository.entries(*_UNTRACKED))
        self._tree = subject
        self._begun = False

    def check_out(self, tree: str) -> Mapping[str, str]:
        """Check out ``tree`` and return the environment that selects its index.

        What was made since the last call, and git doesn't track, is removed.
        """
        if not self._begun:
            self._switched.git("read-tree", self._subject)
            self._switched.git("checkout-index", "--all", "--force")
            self._switched.git("update-index", "-q", "--refresh", check=False)
            self._begun = True
        else:
            self._clean()
        self._switched.git("read-tree", "--reset", "-u", tree)
        self._tree = tree
        return self._index

    def restore(self) -> None:
        """Check out the subject again."""
        if self._begun:
            self._clean()
            self._switched.git("read-tree", "--reset", "-u", self._subject)

    def _clean(self) -> None:
        for path in frozenset(self._switched.entries(*_UNTRACKED)) - self._before:
            _remove(self._repository.root / os.fsdecode(path))


@contextmanager
def open_trees(request: Request) -> Iterator[TreeCheckout]:
    """Open the checkout for other trees, and restore the subject at the end.

    Use only in the gate's own checkout: files of the subject are overwritten and removed meanwhile. The trees have a
    temporary index; the checkout's index stays unchanged.
    """
    repository = Repository(request.repo_root, request.environ)
    subject = repository.git("write-tree").stdout.decode().strip()
    with tempfile.TemporaryDirectory(prefix="verigate-tree-") as folder:
        trees = TreeCheckout(repository, subject, {"GIT_INDEX_FILE": str(Path(folder) / "index")})
        try:
            yield trees
        finally:
            trees.restore()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
