"""Classify paths: test files, test support, pipelines."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from code_adapter.integrity.languages.test_paths import PATH_RULES

_ALL = tuple(PATH_RULES.values())
_TEST_FOLDERS = frozenset(
    {"test", "tests", "test-d", "__tests__", "__typetest__", "__typetests__", "spec", "specs", "e2e", "testing"}
    | {"cypress"}
)


def is_collected(path: str, python_files: Collection[str] = ()) -> bool:
    """Whether a test runner collects this file with its default patterns; ``python_files`` are pytest's patterns."""
    pure = PurePosixPath(path)
    return any(rules.is_collected(pure, python_files) for rules in _ALL)


def is_test_code(path: str) -> bool:
    """Whether the file is a test or in a folder of tests."""
    pure = PurePosixPath(path)
    said = next((made for made in (rules.is_test_code(pure) for rules in _ALL) if made is not None), None)
    return bool(_TEST_FOLDERS.intersection(pure.parts[:-1])) or is_collected(path) if said is None else said


def is_test_data(path: str) -> bool:
    """Whether the file is in a folder of what tests read, and no runner collects it."""
    return not _DATA.isdisjoint(PurePosixPath(path).parts[:-1]) and is_test_code(path) and not is_collected(path)


_DATA = frozenset({"data", "testdata", "test_data", "cases", "functional", "samples", "inputs", "golden"})
