"""Check out other trees temporarily in the gate's private checkout, to run them in the same place as the subject.

What runs there finds what it finds in every checkout: an index with the files that are there, each written just now.
It can change neither what the next tree is made of, which the SDK holds, nor the index of the trees, held here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from code_adapter.held_entries import HeldPlaces, hold_places, list_untracked
from verigate.sdk import Request, ToolFailed
from verigate.sdk.subject import FileMarks, Mark, Repository, accept_git, remove

_MOST_TIMES = 2000
"""Of more files git would have to read too many again."""

_IN_PLACE = "GATE_IN_PLACE"
_ATTRIBUTES = ":(glob)**/.gitattributes"
_BETWEEN_NS = 60_000
_BUILT_BY_TIME = "Cargo.toml"
"""cargo builds again what is newer than its last build."""


class TreeCheckout:
    """The checkout while other trees are in it."""

    def __init__(
        self, repository: Repository, subject: str, index: Mapping[str, str], places: HeldPlaces | None
    ) -> None:
        self._places = places
        self._marks = FileMarks.of(repository.root)
        self._seen: dict[str, Mark] = {}
        self._repository = repository
        self._subject = subject
        self._index = index
        self._switched = Repository(repository.root, repository.environ, index)
        there = list_untracked(repository)
        self._built = frozenset(path for path in there if self._is_built_by_cargo(path))
        self._before = there if places is None else places.before
        self._tree = subject
        self._paths: dict[str, list[bytes]] = {}
        self._begun = False
        self._visible = _find_index(repository)
        self._original = self._visible.read_bytes()
        self._content = b""

    def check_out(self, tree: str) -> Mapping[str, str]:
        """Check out ``tree`` and return the environment that selects its index.

        What was made since the last call, and git doesn't track, is removed.
        """
        if not self._begun:
            self._write_all(self._subject)
            self._begun = True
        else:
            self._restore_index()
            self._remove_changed()
        self._clean()
        self._switched.git("read-tree", "--reset", "-u", tree)
        if self._differs_in_attributes(tree):
            self._write_all(tree)
        self._tree = tree
        self._renew_times(time.time_ns())
        self._content = self._own.read_bytes()
        if not self._marks.exact:
            self._seen = dict(self._look(map(os.fsdecode, self._switched.indexed_files())))
        shutil.copy2(self._own, self._visible)
        accept_git(self._repository.root, self._repository.environ)
        return self._index

    @property
    def _own(self) -> Path:
        return Path(self._index["GIT_INDEX_FILE"])

    def _restore_index(self) -> None:
        """Write the trees' index again: what has run may have changed it. Raises ToolFailed."""
        try:
            if not self._own.is_symlink() and self._own.is_file() and self._own.read_bytes() == self._content:
                return
            remove(os.fsencode(self._own))
            self._own.parent.mkdir(exist_ok=True)
            self._own.write_bytes(self._content)
            # No file is older than this index, so that git reads them again.
            os.utime(self._own, (1, 1))
        except OSError as error:
            raise ToolFailed("the index of what is checked out can't be restored", where=str(error)) from error

    def _look(self, paths: Iterable[str]) -> Iterator[tuple[str, Mark]]:
        for path in paths:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                yield path, self._marks.read(self._repository.root / path)

    def _remove_changed(self) -> None:
        """Remove what was written to where its times don't show that to git, which then writes it again."""
        for path, mark in [*self._look(self._seen)]:
            if mark != self._seen[path]:
                remove(os.fsencode(self._repository.root / path))

    def _write_all(self, tree: str) -> None:
        """Write all files: git leaves those alone whose content is the same, however it is to be checked out."""
        self._switched.git("read-tree", tree)
        self._switched.git("checkout-index", "--all", "--force")
        self._switched.git("update-index", "-q", "--refresh", check=False)

    def _differs_in_attributes(self, tree: str) -> bool:
        found = self._switched.git("diff-tree", "-r", "--name-only", self._tree, tree, "--", _ATTRIBUTES).stdout
        return tree != self._tree and bool(found)

    def _renew_times(self, until: int) -> None:
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
            self._restore_index()
            self._renew_times(until)
            self._content = self._own.read_bytes()
        self._repository.git("update-index", "--add", "--", *paths)
        if until is not None:
            self._repository.git("update-index", "-q", "--refresh", check=False)

    def restore(self) -> None:
        """Check out the subject again."""
        if self._begun:
            self._restore_index()
            self._remove_changed()
            self._clean()
            self._switched.git("read-tree", "--reset", "-u", self._subject)
            if self._differs_in_attributes(self._subject):
                self._write_all(self._subject)
            remove(os.fsencode(self._visible))
            self._visible.write_bytes(self._original)
            accept_git(self._repository.root, self._repository.environ)

    def _clean(self) -> None:
        there = list_untracked(self._switched)
        if self._places is not None:
            self._places.restore_home()
            self._places.restore((self._before | there) - self._built)
            return
        for path in there - self._before - self._built:
            remove(os.fsencode(self._repository.root / path))

    def _is_built_by_cargo(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return name == "target" and (self._repository.root / folder / _BUILT_BY_TIME).is_file()


def is_users_tree(request: Request) -> bool:
    """Whether the call works in the user's own tree, as where a suite is compared with a run outside."""
    return bool(request.environ.get(_IN_PLACE))


@contextmanager
def open_trees(request: Request) -> Iterator[TreeCheckout]:
    """Open the checkout for other trees, and restore the subject at the end.

    Files of the subject are overwritten and removed meanwhile, so that it raises ToolFailed in the user's own tree. The
    trees have a temporary index; that of the checkout is a copy of it until the end.
    """
    if is_users_tree(request):
        raise ToolFailed("other trees are only checked out in the gate's own checkout, and this is the user's tree")
    repository = Repository(request.repo_root, request.environ)
    subject = repository.git("write-tree").stdout.decode().strip()
    with tempfile.TemporaryDirectory(prefix="verigate-tree-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        trees = TreeCheckout(repository, subject, index, hold_places(request))
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
