"""Split a repository into the test tree, which only tests need, and the rest, which is the code.

Test files, support, data, snapshots and the settings of runners belong to the test tree. Files that hold both kinds of
settings are split by key in ``mixed_files``.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Container, Iterable
from pathlib import PurePosixPath

from code_adapter.integrity.languages.unread import name_unread
from code_adapter.integrity.roles import is_test_code

MIXED = frozenset({"pyproject.toml", "package.json", "setup.cfg"})
"""Names of files in which settings of runners stand with those of the product."""

_DATA_FOLDERS = frozenset(
    {
        *("testdata", "test-data", "test_data", "__snapshots__", "__fixtures__", "__mocks__"),
        *("__image_snapshots__", "golden", "goldens", "cassettes"),
    }
)
_SETTINGS = (
    *("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "noxfile.py", ".coveragerc"),
    *("jest.config.*", "jest.setup.*", "vitest.config.*", "vitest.setup.*", "vitest.workspace.*", "ava.config.*"),
    *(".mocharc*", "mocha.opts", "karma.conf.*", ".nycrc*", ".c8rc*", ".taprc"),
    *(".rspec", "phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"),
)
_SNAPSHOT = re.compile(r".*\.(?:snap|snapshot|ambr)")
_ATTRIBUTES = ".gitattributes"
"""It says how files are checked out, those of the tests as well."""

_PACKAGE = "__init__.py"


def find_test_tree(paths: Collection[str], among: Iterable[str] | None = None) -> frozenset[str]:
    """Return those of a version's ``paths`` that belong to the test tree; mixed files aren't among them.

    With ``among`` those of these alone: a monorepo has many paths, and few differ. ``paths`` is asked for single ones.
    """
    looked_at = paths if among is None else [path for path in among if path in paths]
    return frozenset(path for path in looked_at if _is_of_tests(path, paths))


def is_settings(path: str) -> bool:
    """Whether the file configures a runner, alone or with other things."""
    name = path.rpartition("/")[2]
    return name in MIXED or any(fnmatch.fnmatchcase(name, pattern) for pattern in _SETTINGS)


def _is_of_tests(path: str, known: Container[str]) -> bool:
    pure = PurePosixPath(path)
    if pure.name in MIXED:
        return False
    folders = pure.parts[:-1]
    if pure.name == _ATTRIBUTES or is_settings(path):
        return True
    if _SNAPSHOT.fullmatch(pure.name) or _DATA_FOLDERS.intersection(folders):
        return True
    if pure.suffix == ".rs" and pure.stem in {"test", "tests"}:
        return True
    if name_unread(path) is not None:
        return True
    return is_test_code(path) and not _is_testing_package(folders, known)


def _is_testing_package(folders: tuple[str, ...], known: Container[str]) -> bool:
    """Whether the path is a test's only by a package ``testing``: products ship such packages for tests of others."""
    if "testing" not in folders:
        return False
    place = "/".join(folders[: folders.index("testing") + 1])
    return f"{place}/{_PACKAGE}" in known and not is_test_code(f"{'/'.join(folders).replace('testing', 'product')}/x")
