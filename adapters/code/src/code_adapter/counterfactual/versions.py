"""The trees of the four cells, made of base and subject in git's object store.

A cell has the code of one version and the test tree of one. Where both are the same version it is that version's tree.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from code_adapter.counterfactual.mixed_files import SplitError, splice
from code_adapter.counterfactual.mixed_sources import splice_sources
from code_adapter.counterfactual.test_tree import MIXED, find_test_tree
from code_adapter.syntax.changes import read_blobs
from verigate.sdk.languages import language_of
from verigate.sdk.subject import IndexListing, Repository, read_changes

_NOTHING = "000000"
_SUBMODULE = "160000"
_LINK = "120000"
_FILE = "100644"
Take = Callable[[str, bytes, bytes], bytes]
"""Makes a file of path, code and tests."""


class Rewrite(Protocol):
    """Makes a file of path and source; ``mixed`` ones are of the code, and hold tests."""

    def __call__(self, path: str, source: bytes, *, mixed: bool = False) -> bytes:
        """Return the file."""
        ...


def chain(first: Rewrite, then: Rewrite) -> Rewrite:
    """Return what makes a file by one after the other."""

    def rewrite(path: str, source: bytes, *, mixed: bool = False) -> bytes:
        return then(path, first(path, source, mixed=mixed), mixed=mixed)

    return rewrite


class Entry(NamedTuple):
    """A file of a tree: git's mode and object id."""

    mode: str
    oid: str


@dataclass(frozen=True)
class Version:
    """The files of base or subject by path, and which of them are the test tree.

    ``mixed`` are sources of the code that hold tests.
    """

    tree: str
    files: Mapping[str, Entry]
    tests: frozenset[str]
    mixed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Trees:
    """The trees of the cells by name, and the mixed files that couldn't be split, each with the reason.

    ``plain`` are those of the cells in which the code hands on what moved, without that.
    """

    by_cell: Mapping[str, str]
    unsplit: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[str, str] = field(default_factory=dict)


def read_version(repository: Repository, tree: str) -> Version:
    """Read the files of ``tree``. Raises ToolFailed if git can't list them."""
    files = _read_files(repository, tree)
    return Version(tree, files, find_test_tree(files))


class ListedFiles(Mapping[str, Entry]):
    """The files of an index but for those that are ``changed``, of which None are missing. Submodules are none."""

    def __init__(self, listing: IndexListing, changed: Mapping[str, Entry | None] = MappingProxyType({})) -> None:
        self._listing = listing
        self._changed = changed

    def __getitem__(self, path: str) -> Entry:
        """Return what the tree has of a file. Raises KeyError."""
        found: Entry | None
        if path in self._changed:
            found = self._changed[path]
        else:
            entry = self._listing.find(path)
            found = None if entry is None or entry.mode == _SUBMODULE else Entry(entry.mode, entry.oid)
        if found is None:
            raise KeyError(path)
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield the paths of the files."""
        yield from (path for path in self._listing.paths if path not in self._changed and path in self)
        yield from (path for path, entry in self._changed.items() if entry is not None)

    def __len__(self) -> int:
        """Return the number of files."""
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Difference:
    """The versions of base and subject, with those files of the test tree alone that are ``differing``."""

    before: Version
    after: Version
    differing: frozenset[str]


def read_differing(repository: Repository, base: str, listing: IndexListing) -> Difference:
    """Read what differs between a base and the index, whose ``listing`` this is. Raises ToolFailed.

    The version of the index has no tree's id: few callers need one, and git reads all to compute it.
    """
    changed: dict[str, Entry | None] = {}
    for change in read_changes(repository, base, renames=False):
        mode, oid = change.modes[0], change.oids[0]
        changed[change.path] = None if mode in {_NOTHING, _SUBMODULE} else Entry(mode, oid)
    before, after = ListedFiles(listing, changed), ListedFiles(listing)
    return Difference(
        Version(base, before, find_test_tree(before, changed)),
        Version("", after, find_test_tree(after, changed)),
        frozenset(changed),
    )


def _read_files(repository: Repository, tree: str) -> dict[str, Entry]:
    files = {}
    for entry in repository.entries("ls-tree", "-r", "-z", "--full-tree", tree):
        head, _, path = entry.partition(b"\t")
        mode, _, oid = head.decode("ascii").split(" ")
        if mode != _SUBMODULE:
            files[os.fsdecode(path)] = Entry(mode, oid)
    return files


def move_to_tests(version: Version, paths: frozenset[str]) -> Version:
    """Count ``paths`` as part of the test tree as well."""
    return replace(version, tests=version.tests | paths.intersection(version.files))


def make_trees(
    repository: Repository,
    base: Version,
    head: Version,
    rewrite: tuple[Rewrite, Rewrite] | None = None,
    planted: tuple[Mapping[str, bytes], Mapping[str, bytes]] = ({}, {}),
) -> Trees:
    """Write the trees of the cells to the repository's object store. Raises ToolFailed.

    ``rewrite`` makes what tests of base and subject are where they stand with the code of the other one. ``planted``
    are files of the code of subject and base, changed or added for tests of the other one.
    """
    unsplit: dict[str, str] = {}
    of_base, of_head = rewrite or (None, None)
    later = _mix(repository, head, base, unsplit, of_base, planted=planted[0])
    earlier = _mix(repository, base, head, unsplit, of_head, planted=planted[1])
    return Trees({"BB": base.tree, "HB": later, "BH": earlier, "HH": head.tree}, unsplit)


def _mix(
    repository: Repository,
    code: Version,
    tests: Version,
    unsplit: dict[str, str],
    rewrite: Rewrite | None,
    *,
    planted: Mapping[str, bytes],
) -> str:
    """Write the tree with the code of one version and the test tree of the other."""
    either = code.tests | tests.tests
    written = {
        path: Entry(code.files[path].mode if path in code.files else _FILE, _write(repository, content))
        for path, content in planted.items()
        if path not in either
    }
    changed: dict[str, Entry | None] = {}
    for path in either:
        wanted = tests.files.get(path) if path in tests.tests else None
        if path in tests.files and path not in tests.tests:
            continue  # a test of one version has the place of code of the other
        if code.files.get(path) != wanted:
            changed[path] = wanted
    for path, entry in {**code.files, **written}.items():
        other = tests.files.get(path)
        if other is None or other.oid == entry.oid or path in either:
            continue
        if path.rpartition("/")[2] in MIXED:
            changed[path] = _splice(repository, path, (entry, other), unsplit, splice)
        elif path in code.mixed:
            changed[path] = _splice(repository, path, (entry, other), unsplit, splice_sources)
    if rewrite is not None:
        changed |= _rewrite(repository, changed, code.mixed, rewrite)
    changed = {**written, **changed}
    lines = (
        f"{entry.mode} {entry.oid}\t{path}" if entry else f"0 {'0' * 40}\t{path}" for path, entry in changed.items()
    )
    with tempfile.TemporaryDirectory(prefix="verigate-mix-") as folder:
        index = Repository(
            repository.root, repository.environ, {**repository.extra, "GIT_INDEX_FILE": str(Path(folder) / "index")}
        )
        index.git("read-tree", code.tree)
        index.git("update-index", "-z", "--index-info", stdin=b"".join(os.fsencode(line) + b"\0" for line in lines))
        return index.git("write-tree").stdout.decode().strip()


def _rewrite(
    repository: Repository, files: Mapping[str, Entry | None], mixed: Collection[str], rewrite: Rewrite
) -> dict[str, Entry]:
    entries = {path: entry for path, entry in files.items() if entry is not None and language_of(path) is not None}
    blobs = read_blobs(repository, {entry.oid for entry in entries.values()})
    found = {}
    for path, entry in entries.items():
        source = blobs[entry.oid]
        if isinstance(source, bytes) and entry.mode != _LINK:
            content = rewrite(path, source, mixed=path in mixed)
            if content != source:
                found[path] = Entry(entry.mode, _write(repository, content))
    return found


def _write(repository: Repository, content: bytes) -> str:
    return repository.git("hash-object", "-w", "--stdin", stdin=content).stdout.decode().strip()


def _splice(
    repository: Repository, path: str, entries: tuple[Entry, Entry], unsplit: dict[str, str], take: Take
) -> Entry:
    code, tests = entries
    blobs = read_blobs(repository, {code.oid, tests.oid})
    of_code, of_tests = blobs[code.oid], blobs[tests.oid]
    if isinstance(of_code, int) or isinstance(of_tests, int):
        unsplit[path] = "is too large"
        return code
    try:
        content = take(path, of_code, of_tests)
    except SplitError as problem:
        unsplit[path] = str(problem)
        return code
    if content == of_code:
        return code
    return Entry(code.mode, _write(repository, content))
