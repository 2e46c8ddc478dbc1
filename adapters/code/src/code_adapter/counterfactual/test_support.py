"""Files outside of the folders of tests that only tests need: their support, and their data.

A source is support if nothing but tests names it and it imports what only tests use: that alone nothing else imports it
is true of many a library's modules as well. Data is that of tests if a test names the file and no code does.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from code_adapter.counterfactual.test_tree import MIXED
from code_adapter.counterfactual.versions import Version
from code_adapter.integrity.languages.unread import is_program
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.syntax.changes import read_blobs
from verigate.sdk.languages import language_of
from verigate.sdk.subject import Repository

MOST = 200
"""With more changed files than this none is searched for: each takes a search through both versions."""

_FRAMEWORK = re.compile(
    rb"^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis)\b|(?:from|require\()\s*['\"](?:node:test|vitest|@jest/globals|"
    rb"chai|sinon|tape|ava|mocha|@testing-library/[\w-]+)['\"]",
    re.MULTILINE,
)
_SETTINGS = frozenset({".toml", ".cfg", ".ini", ".lock", ".md", ".rst", ".in"})
_LINK = "120000"
_DOCUMENTS = frozenset({".md", ".rst", ".adoc"})
_INNER: Mapping[str, tuple[str, ...]] = {
    "rust": ("#[test]", "#[cfg(test)]"),
    "javascript": ("import.meta.vitest",),
    "typescript": ("import.meta.vitest",),
}
"""What sources of the code that hold tests have in their text."""


def find_test_support(repository: Repository, base: Version, head: Version) -> frozenset[str]:
    """Return the changed paths outside of the test trees that only tests need."""
    tests = base.tests | head.tests
    changed = [path for path in sorted({*base.files, *head.files}) if base.files.get(path) != head.files.get(path)]
    asked = [path for path in changed if path not in tests and PurePosixPath(path).name not in MIXED]
    if len(asked) > MOST:
        return frozenset()
    linked = {**_read_links(repository, head), **_read_links(repository, base)}
    return frozenset(
        path
        for path in asked
        if _is_linked(repository, path, linked.get(path), base, head) or _is_support(repository, path, base, head)
    )


def is_named_by_code(repository: Repository, name: str, version: Version) -> bool:
    """Whether a file of a version that is neither of its tests nor a document names ``name``."""
    return not all(_find_users(repository, name, version, ""))


def _read_links(repository: Repository, version: Version) -> dict[str, str]:
    """Map what symbolic links of the test tree point to, to these links."""
    links = {path: version.files[path].oid for path in version.tests if version.files[path].mode == _LINK}
    contents = read_blobs(repository, set(links.values()))
    found: dict[str, str] = {}
    for link, oid in sorted(links.items()):
        content = contents.get(oid)
        if isinstance(content, bytes):
            found[posixpath.normpath(posixpath.join(posixpath.dirname(link), os.fsdecode(content)))] = link
    return found


def _is_linked(repository: Repository, path: str, link: str | None, base: Version, head: Version) -> bool:
    """Whether ``path`` is a test, or data that no code names, under the name of a link of the test tree."""
    if link is None:
        return False
    if language_of(path) is not None:
        return is_collected(link) and is_test_code(link)
    name = PurePosixPath(path).name
    return not any(is_named_by_code(repository, name, version) for version in (base, head))


def _is_support(repository: Repository, path: str, base: Version, head: Version) -> bool:
    pure = PurePosixPath(path)
    language = language_of(path)
    if language is None and (pure.suffix in _SETTINGS or not pure.suffix or pure.name.startswith(".")):
        return False
    if language is None and is_program(path):
        # It isn't data, and nothing here knows what it imports.
        return False
    # Base decides where it has the file: an import that the change adds would take its own code out of the comparison.
    if language is not None and not _imports_framework(repository, path, base if path in base.files else head):
        return False
    name = pure.stem if language is not None else pure.name
    users = [user for version in (base, head) for user in _find_users(repository, name, version, path)]
    return bool(users) and all(users)


def _imports_framework(repository: Repository, path: str, version: Version) -> bool:
    entry = version.files.get(path)
    content = read_blobs(repository, {entry.oid}).get(entry.oid) if entry is not None else None
    return isinstance(content, bytes) and bool(_FRAMEWORK.search(content))


def _find_users(repository: Repository, name: str, version: Version, path: str) -> Iterator[bool]:
    """Say of each file of a version that names ``name``, but for documents, whether it is of the tests."""
    for user in list_naming(repository, name, version.tree):
        if user != path and PurePosixPath(user).suffix not in _DOCUMENTS:
            yield user in version.tests


def list_inner_tests(repository: Repository, version: Version) -> frozenset[str]:
    """List the sources of the code that hold tests of their own, of Rust and vitest, whether or not these differ."""
    sources = {path for path in version.files if path not in version.tests and language_of(path) in _INNER}
    marks = sorted({mark for language in {language_of(path) for path in sources} for mark in _INNER[language or ""]})
    return frozenset(path for mark in marks for path in list_naming(repository, mark, version.tree) if path in sources)


def list_naming(repository: Repository, name: str, tree: str) -> Iterable[str]:
    """List the files of a tree in which ``name`` stands as a word."""
    found = repository.git("grep", "-l", "-z", "-w", "-F", "-I", "-e", name, tree, "--", check=False).stdout
    return (os.fsdecode(entry.partition(b":")[2]) for entry in found.split(b"\0") if entry)
