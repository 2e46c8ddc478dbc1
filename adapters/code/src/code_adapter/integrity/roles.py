"""Classify paths: test files, test support, pipelines."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection
from pathlib import PurePosixPath

_PYTHON_TEST = re.compile(r"(?:test.*|.*_test)\.py")
_JS_TEST = re.compile(r".*[._-](?:test|spec|tests)\.[cm]?[jt]sx?|(?:test|tests|test-.*)\.[cm]?[jt]sx?")
_JS = re.compile(r".*\.[cm]?[jt]sx?")
_TEST_FOLDERS = frozenset({"test", "tests", "test-d", "__tests__", "spec", "specs", "e2e", "testing", "cypress"})
_PIPELINES = (
    ".github/workflows/*.y*ml",
    ".github/actions/*/action.y*ml",
    ".gitlab-ci.y*ml",
    ".gitlab/*.y*ml",
    ".circleci/*.y*ml",
    ".travis.y*ml",
    "azure-pipelines.y*ml",
    "bitbucket-pipelines.y*ml",
    ".buildkite/*.y*ml",
    ".drone.y*ml",
    "appveyor.y*ml",
    ".woodpecker/*.y*ml",
    ".woodpecker.y*ml",
    ".forgejo/workflows/*.y*ml",
    ".gitea/workflows/*.y*ml",
    "Jenkinsfile",
)


def is_collected(path: str, python_files: Collection[str] = ()) -> bool:
    """Whether a test runner collects this file with its default patterns; ``python_files`` are pytest's patterns."""
    pure = PurePosixPath(path)
    name = pure.name
    if pure.suffix == ".py":
        return bool(_PYTHON_TEST.fullmatch(name)) or any(fnmatch.fnmatchcase(name, pattern) for pattern in python_files)
    if pure.suffix == ".go":
        return name.endswith("_test.go")
    if pure.suffix in {".rs", ".java"}:
        return True  # unit tests are in source files, which mark their tests
    if _JS.fullmatch(name):
        return bool(_JS_TEST.fullmatch(name)) or bool({"__tests__", "test"}.intersection(pure.parts[:-1]))
    return False


def is_test_code(path: str) -> bool:
    """Whether the file is a test or in a folder of tests."""
    pure = PurePosixPath(path)
    if pure.suffix == ".java":
        return "test" in pure.parts or pure.stem.endswith(("Test", "Tests", "IT"))
    if pure.suffix == ".rs":
        return "tests" in pure.parts
    return pure.name == "conftest.py" or bool(_TEST_FOLDERS.intersection(pure.parts[:-1])) or is_collected(path)


def is_pipeline(path: str) -> bool:
    """Whether a CI system reads this file."""
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in _PIPELINES)
