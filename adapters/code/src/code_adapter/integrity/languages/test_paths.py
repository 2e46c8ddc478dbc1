"""Which files have tests, by their paths alone. Each language has its rules here, so that asking loads none of them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple


class PathRules(NamedTuple):
    """The rules of one language.

    is_collected  whether the usual runner collects a file; the patterns are pytest's ``python_files``
    is_test_code  whether a file is test code, None for what this language doesn't decide by itself
    """

    is_collected: Callable[[PurePosixPath, Collection[str]], bool]
    is_test_code: Callable[[PurePosixPath], bool | None] = lambda _: None


_PYTHON = re.compile(r"(?:test.*|.*_test)\.py")
_JAVASCRIPT = re.compile(r".*\.[cm]?[jt]sx?")
_JAVASCRIPT_TEST = re.compile(
    r".*[._-](?:test|spec|tests|cy|e2e|e2e-spec|e2e-test)\.[cm]?[jt]sx?|(?:test|tests|test-.*)\.[cm]?[jt]sx?"
)
_JAVASCRIPT_FOLDERS = frozenset({"__tests__", "test", "e2e", "cypress"})
_RUBY = re.compile(r"(?:.*_(?:test|tests|spec)|(?:test|spec)_.*|tc_.*|test|.*[a-z]Test)\.rb")
RUBY_HELPER = re.compile(r"(?:test|spec|rails|minitest)_helper\.rb")
"""What tests require; it has none itself."""

_RUBY_FOLDERS = frozenset({"test", "tests"})
_NO_RUBY_FOLDERS = frozenset({"fixtures", "data", "support", "helpers", "dummy"})
_PHP = re.compile(r".*(?:Tests?|TestCase|TestBase|_test)\.php|[Tt]est\.php")
_CSHARP_FOLDERS = re.compile(
    r"(?:.*[._-])?(?:[Tt]ests?|[Ss]pecs?|[Tt]esting)|.*[a-z0-9](?:Tests?|Specs?|Testing)|(?:Unit|Integration)Tests?"
)
_KOTLIN_FOLDERS = re.compile(r"[tT]ests?|.*[a-z0-9]Tests?|testFixtures|(?:.*[._-])tests?")


def _is_python_collected(path: PurePosixPath, patterns: Collection[str]) -> bool:
    """Whether pytest collects this file by its own patterns, or by ``python_files``."""
    named = _PYTHON.fullmatch(path.name) is not None or any(fnmatch.fnmatchcase(path.name, each) for each in patterns)
    return path.suffix == ".py" and named


def _is_python_test_code(path: PurePosixPath) -> bool | None:
    return True if path.name == "conftest.py" else None


def _is_javascript_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    if not _JAVASCRIPT.fullmatch(path.name):
        return False
    return bool(_JAVASCRIPT_TEST.fullmatch(path.name)) or bool(_JAVASCRIPT_FOLDERS.intersection(path.parts[:-1]))


def _is_go_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    return path.name.endswith("_test.go")


def _is_rust_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    return path.suffix == ".rs"  # unit tests are in source files, which mark their tests


def _is_rust_test_code(path: PurePosixPath) -> bool | None:
    return "tests" in path.parts if path.suffix == ".rs" else None


def _is_java_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    return path.suffix == ".java"  # a test is known by its annotation


def _is_java_test_code(path: PurePosixPath) -> bool | None:
    if path.suffix != ".java":
        return None
    return "test" in path.parts or path.stem.endswith(("Test", "Tests", "IT"))


def _is_ruby_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    """Whether a runner collects this file: RSpec by its name alone, Minitest by the patterns of a Rakefile."""
    if path.suffix != ".rb" or RUBY_HELPER.fullmatch(path.name):
        return False
    folders = set(path.parts[:-1])
    return _RUBY.fullmatch(path.name) is not None or bool(folders & _RUBY_FOLDERS and not folders & _NO_RUBY_FOLDERS)


def _is_php_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    """Whether PHPUnit and Pest collect this file by its name, or have its tests from a class that others extend."""
    return _PHP.fullmatch(path.name) is not None


def _is_csharp_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    return path.suffix == ".cs"  # a test is known by its attribute


def _is_csharp_test_code(path: PurePosixPath) -> bool | None:
    """Whether a file is of a test project or a class of tests by its name."""
    if path.suffix != ".cs":
        return None
    named = path.stem.endswith(("Test", "Tests", "TestCase", "TestBase", "Specs", "Facts"))
    return named or any(_CSHARP_FOLDERS.fullmatch(folder) for folder in path.parts[:-1])


def _is_kotlin_collected(path: PurePosixPath, _: Collection[str]) -> bool:
    return path.suffix == ".kt"  # a test is known by its annotation or its class


def _is_kotlin_test_code(path: PurePosixPath) -> bool | None:
    """Whether a file is of a source set of tests or a class of tests by its name."""
    if path.suffix not in {".kt", ".kts"}:
        return None
    if path.suffix == ".kts":
        return False
    named = path.stem.endswith(("Test", "Tests", "IT", "Spec"))
    return named or any(_KOTLIN_FOLDERS.fullmatch(folder) for folder in path.parts[:-1])


PATH_RULES: Mapping[str, PathRules] = MappingProxyType(
    {
        "python": PathRules(_is_python_collected, _is_python_test_code),
        "javascript": PathRules(_is_javascript_collected),
        "go": PathRules(_is_go_collected),
        "rust": PathRules(_is_rust_collected, _is_rust_test_code),
        "java": PathRules(_is_java_collected, _is_java_test_code),
        "ruby": PathRules(_is_ruby_collected),
        "php": PathRules(_is_php_collected),
        "csharp": PathRules(_is_csharp_collected, _is_csharp_test_code),
        "kotlin": PathRules(_is_kotlin_collected, _is_kotlin_test_code),
    }
)
"""By the name of the language; that of JavaScript is TypeScript's too."""
