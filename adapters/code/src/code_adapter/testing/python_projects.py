"""Find Python projects with tests, and whether they use pytest or unittest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from code_adapter.pytest_settings import read_pytest_options
from code_adapter.subject_files import SubjectFiles

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "requirements.txt", "Pipfile")
TEST_FILE = re.compile(r"(?:^|/)(?:test[^/]*|[^/]*_tests?|tests?)\.py$")
_PYTEST = re.compile(r"(?<![\w.-])pytest(?![\w])")
_UNITTEST = re.compile(r"\bunittest\b|TestCase\b")
_TESTS_INSIDE = re.compile(r"^\s*(?:async\s+)?def\s+test|^\s*class\s+Test|\bTestCase\b", re.MULTILINE)
_DECLARES = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Pipfile", "requirements.txt")


@dataclass(frozen=True, slots=True)
class PythonProject:
    """A Python project. ``tests`` are the paths of its test files; ``runner`` is ``pytest`` or ``unittest``.

    ``is_plain`` means that nothing configures pytest and each test file uses unittest, so that either can run them.
    """

    folder: str
    runner: str
    tests: tuple[str, ...]
    is_plain: bool = False


def find_python_projects(files: SubjectFiles) -> Iterator[PythonProject]:
    """Yield the Python projects that have tests or configure pytest's test paths."""
    tests = [path for path in files.paths if TEST_FILE.search(path) and _TESTS_INSIDE.search(files.text(path))]
    folders = files.projects(*MARKERS)
    if not folders or any(not _is_below(path, folders) for path in tests):
        folders = ("",)
    for folder in folders:
        inside = tuple(path for path in tests if _is_below(path, (folder,)))
        configured = read_pytest_options(files, folder) is not None or _has_conftest(files, folder)
        if configured or _mentions_pytest(files, folder, inside):
            is_plain = not configured and all(_UNITTEST.search(files.text(path)) for path in inside)
            yield PythonProject(folder, "pytest", inside, is_plain=bool(inside) and is_plain)
        elif inside:
            yield PythonProject(folder, "unittest", inside)


def _has_conftest(files: SubjectFiles, folder: str) -> bool:
    return any(path.rpartition("/")[2] == "conftest.py" for path in files.below(folder))


def _mentions_pytest(files: SubjectFiles, folder: str, tests: tuple[str, ...]) -> bool:
    prefix = f"{folder}/" if folder else ""
    if any(_PYTEST.search(files.text(prefix + name)) for name in _DECLARES if prefix + name in files.known):
        return True
    return any(not _UNITTEST.search(text) or _PYTEST.search(text) for text in map(files.text, tests))


def _is_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(folder == "" or path.startswith(f"{folder}/") for folder in folders)
