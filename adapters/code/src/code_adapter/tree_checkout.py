"""Check out other trees temporarily in the gate's private checkout, to run them in the same place as the subject.

What runs there finds what it finds in every checkout: an index with the files that are there, each written just now.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from verigate.sdk import Request
from verigate.sdk.subject import Repository

_UNTRACKED = ("ls-files", "--others", "--directory", "-z")
_MOST_TIMES = 2000
"""Of more files git would have to read too many again."""

_ATTRIBUTES = ":(glob)**/.gitattributes"
_BETWEEN_NS = 60_000
_BUILT_BY_TIME = "Cargo.toml"
"""cargo builds again what is newer than its last build."""


class TreeCheckout:
    """The checkout while other trees are in it."""

    def __init__(self, repository: Repository, subject: str, index: Mapping[str, str]) -> None:
        self._repository = repository
        self._subject = subject
        self._index = index
        self._switched = Repository(repository.root, repository.environ, index)
        self._before = frozenset(repository.entries(*_UNTRACKED))
        self._tree = subject
        self._paths: dict[str, list[bytes]] = {}
        self._begun = False
        self._visible = _find_index(repository)
        self._original = self._visible.read_bytes()

    def check_out(self, tree: str) -> Mapping[str, str]:
        """Check out ``tree`` and return the environment that selects its index.

        What was made since the last call, and git doesn't track, is removed.
        """
        if not self._begun:
            self._write_all(self._subject)
            self._begun = True
        else:
            self._clean()
        self._switched.git("read-tree", "--reset", "-u", tree)
        if self._differs_in_attributes(tree):
            self._write_all(tree)
        self._tree = tree
        self.renew_times(time.time_ns())
        shutil.copy2(self._index["GIT_INDEX_FILE"], self._visible)
        return self._index

    def _write_all(self, tree: str) -> None:
        """Write all files: git leaves those alone whose content is the same, however it is to be checked out."""
        self._switched.git("read-tree", tree)
        self._switched.git("checkout-index", "--all", "--force")
        self._switched.git("update-index", "-q", "--refresh", check=False)

    def _differs_in_attributes(self, tree: str) -> bool:
        found = self._switched.git("diff-tree", "-r", "--name-only", self._tree, tree, "--", _ATTRIBUTES).stdout
        return tree != self._tree and bool(found)

    def renew_times(self, until: int) -> None:
        """Make all files as old as if the tree had been checked out ``until`` then, a time in nanoseconds.

        Else those that differ would be the newest.
        """
        if self._tree not in self._paths:
            self._paths[self._tree] = self._switched.indexed_files()
        paths = self._paths[self._tree]
        if len(paths) > _MOST_TIMES or any(path.rpartition(b"/")[2] == _BUILT_BY_TIME.encode() for path in paths):
            return
        start = until - len(paths) * _BETWEEN_NS
        for number, path in enumerate(paths):
            when = start + number * _BETWEEN_NS
            os.utime(self._repository.root / os.fsdecode(path), ns=(when, when), follow_symlinks=False)
        self._switched.git("update-index", "-q", "--refresh", check=False)

    def show(self, paths: Sequence[str], until: int | None) -> None:
        """Put files that were written since into the index that git shows; ``until`` makes all files as old as they."""
        if until is not None:
            self.renew_times(until)
        self._repository.git("update-index", "--add", "--", *paths)
        if until is not None:
            self._repository.git("update-index", "-q", "--refresh", check=False)

    def restore(self) -> None:
        """Check out the subject again."""
        if self._begun:
            self._clean()
            self._switched.git("read-tree", "--reset", "-u", self._subject)
            if self._differs_in_attributes(self._subject):
                self._write_all(self._subject)
            self._visible.write_bytes(self._original)

    def _clean(self) -> None:
        for path in frozenset(self._switched.entries(*_UNTRACKED)) - self._before:
            _remove(self._repository.root / os.fsdecode(path))


@contextmanager
def open_trees(request: Request) -> Iterator[TreeCheckout]:
    """Open the checkout for other trees, and restore the subject at the end.

    Use only in the gate's own checkout: files of the subject are overwritten and removed meanwhile. The trees have a
    temporary index; that of the checkout is a copy of it until the end.
    """
    repository = Repository(request.repo_root, request.environ)
    subject = repository.git("write-tree").stdout.decode().strip()
    with tempfile.TemporaryDirectory(prefix="verigate-tree-") as folder:
        trees = TreeCheckout(repository, subject, {"GIT_INDEX_FILE": str(Path(folder) / "index")})
        try:
            yield trees
        finally:
            trees.restore()


def add_to_index(request: Request, paths: Sequence[str]) -> None:
    """Add files to the checkout's index, so that git doesn't tell them from the others. Raises ToolFailed."""
    Repository(request.repo_root, request.environ).git("update-index", "--add", "--", *paths)


def _find_index(repository: Repository) -> Path:
    found = repository.git("rev-parse", "--git-path", "index").stdout.rstrip(b"\n")
    return repository.root / os.fsdecode(found)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
