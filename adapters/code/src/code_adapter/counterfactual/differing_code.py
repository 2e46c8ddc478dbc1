"""The sources of the code that differ between base and subject, and the symbols that moved or have another name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.counterfactual.mixed_sources import drop_test_parts
from code_adapter.syntax.changes import ChangedFile, Side, read_blobs
from code_adapter.syntax.moved_symbols import MovedSymbol, pair_moved
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.counterfactual.versions import Version
    from verigate.sdk.languages.tree import Tree
    from verigate.sdk.subject import Repository

_CALLS_EACH_OTHER = {"typescript": "javascript", "kotlin": "java"}
_NAMES = frozenset({"constant", "name"})
"""Types of leaves that are names, of Ruby and PHP; in the other languages they end with ``identifier``."""


@dataclass(frozen=True)
class DifferingCode:
    """The sources of the code that differ, without the tests in them.

    ``tests`` are the test files of base that differ. Without any nothing is compared, and nothing was read.
    """

    files: tuple[ChangedFile, ...] = ()
    tests: tuple[str, ...] = ()
    pairs: Sequence[MovedSymbol] = ()


def read_differing_code(repository: Repository, base: Version, head: Version) -> DifferingCode:
    """Read the sources that differ. Raises ToolFailed, or AdapterError for too many bytes."""
    differing = [path for path in sorted(base.files) if base.files[path] != head.files.get(path)]
    tests = tuple(path for path in differing if path in base.tests | base.mixed and find_group(path) is not None)
    if not tests:
        return DifferingCode()
    files = tuple(read_sources(repository, base, head))
    return DifferingCode(files, tests, pair_moved(files))


def find_group(path: str) -> str | None:
    """Find the language of a source, or the one that stands for those that call each other."""
    language = language_of(path)
    return None if language is None else _CALLS_EACH_OTHER.get(language, language)


def list_names(tree: Tree) -> Iterator[Node]:
    """List the leaves of a syntax tree that are names."""
    return (
        node
        for node in walk(tree.root)
        if not node.child_count and (node.type.endswith("identifier") or node.type in _NAMES)
    )


def read_sources(repository: Repository, base: Version, head: Version) -> Iterator[ChangedFile]:
    """Read the sources of the code that differ, without the tests in them. Raises as ``read_differing_code`` does."""
    tests = base.tests | head.tests
    paths = sorted(
        path
        for path in {*base.files, *head.files} - tests
        if base.files.get(path) != head.files.get(path) and language_of(path) is not None
    )
    entries = {(path, version) for path in paths for version in (0, 1) if path in (base, head)[version].files}
    blobs = read_blobs(repository, {(base, head)[version].files[path].oid for path, version in entries})

    def read(path: str, version: int) -> Side | None:
        entry = (base, head)[version].files.get(path)
        blob = blobs.get(entry.oid) if entry is not None else None
        if entry is None or not isinstance(blob, bytes):
            return None
        return Side(path, entry.mode, drop_test_parts(path, blob))

    return (ChangedFile(read(path, 0), read(path, 1)) for path in paths)
