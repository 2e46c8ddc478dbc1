"""Select the test files of affected packages, where one call of pytest runs the tests of several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from code_adapter.pytest_settings import read_pytest_options
from code_adapter.testing.impact.affected import ASKED, AffectedPackages
from code_adapter.testing.impact.change import NothingSelectedError, Selected, WholeSuiteError
from code_adapter.testing.impact.pytest_impact import list_test_files
from code_adapter.testing.python_tests import PythonTests

_OWN = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""Where pytest looks for its settings, in this order."""

_SHARED = frozenset({"pyproject.toml", "tox.ini", "setup.cfg"})
"""Files that may have no word about pytest."""


def select_affected(tests: PythonTests, affected: AffectedPackages, private: Path) -> Selected:
    """Select the test files of affected packages, and of none.

    Raises WholeSuiteError where all are to run, NothingSelectedError where none are.
    """
    prefix = f"{tests.folder}/" if tests.folder else ""
    known = frozenset(prefix + name for name in list_test_files(tests, private))
    chosen = frozenset(filter(affected.affects, known))
    # A conftest.py may list fewer files than it runs.
    similar = frozenset(filter(affected.affects, tests.project.tests))
    if unlisted := next(iter(sorted(similar - known)), None):
        raise WholeSuiteError(f"{unlisted} looks like a test of an affected package, and pytest doesn't list it")
    if not chosen:
        raise NothingSelectedError
    if chosen == known:
        raise WholeSuiteError("each test file is of an affected package, or of none")
    return Selected("pytest", tests.folder, "files", len(chosen), len(known), "", chosen, (".py",), ASKED)


def make_settings_arguments(tests: PythonTests, chosen: frozenset[str]) -> tuple[str, ...]:
    """Make the arguments that let pytest read the settings that it reads without any: those of its folder.

    Given files, it would look for settings next to these first. Raises WholeSuiteError if it can't be kept from that.
    """
    prefix = f"{tests.folder}/" if tests.folder else ""
    for name in _OWN:
        if prefix + name in tests.files.known and (name not in _SHARED or _configures(tests, name)):
            return ("-c", name)
    if inner := next(_find_inner(tests, chosen), None):
        raise WholeSuiteError(f"the settings of pytest in {inner} would count if single files ran")
    return ("--rootdir=.", "--confcutdir=.")


def _configures(tests: PythonTests, name: str) -> bool:
    alone = type(tests.files)(tests.files.root, (f"{tests.folder}/{name}" if tests.folder else name,))
    return read_pytest_options(alone, tests.folder) is not None


def _find_inner(tests: PythonTests, chosen: frozenset[str]) -> Iterator[str]:
    folders = {folder for path in chosen for folder in _list_above(path, tests.folder)}
    return (folder for folder in sorted(folders) if read_pytest_options(tests.files, folder) is not None)


def _list_above(path: str, top: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder and folder != top:
        yield folder
        folder = folder.rpartition("/")[0]
