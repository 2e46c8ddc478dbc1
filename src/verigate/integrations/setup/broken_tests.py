"""Break every test file of a repository, to see whether a command notices: one that doesn't runs no test."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.declared_tools import PYTHON_TEST, RUST_TEST

_SUFFIXES = {
    **dict.fromkeys(
        (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"), 'throw new Error("broken to see")\n'
    ),
    ".py": 'raise RuntimeError("broken to see")\n',
    ".rb": 'raise "broken to see"\n',
    ".php": '<?php throw new Exception("broken to see");\n',
    ".sh": "exit 1\n",
    ".bats": "exit 1\n",
    **dict.fromkeys(
        (".java", ".kt", ".scala", ".groovy", ".go", ".rs", ".c", ".cc", ".cpp", ".cs", ".swift"), "broken\n"
    ),
    **dict.fromkeys((".ex", ".exs", ".lua", ".pl", ".t", ".hs", ".jl", ".dart", ".clj", ".r", ".R"), "(broken\n"),
}
_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "t"})
_NAME = re.compile(r"(?:^|/)(?:tests?[_.-][^/]*|[^/]*[_.-](?:tests?|spec)|Test\w*|\w*Tests?|tests?)\.\w+$")
_MATERIAL = frozenset({"fixtures", "__fixtures__", "fixture", "testdata", "test-data", "examples", "node_modules"})


_AMONG_CODE = {
    ".py": re.compile(PYTHON_TEST.encode(), re.MULTILINE),
    **dict.fromkeys(
        (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
        re.compile(rb"^\s*(?:describe|it|test|suite)\(\s*[\"'`]|\bimport\.meta\.vitest\b", re.MULTILINE),
    ),
}
"""What shows tests in sources whose name doesn't."""

_RUST_TEST = re.compile(RUST_TEST.encode(), re.MULTILINE)
_RUST_FAILURE = b'\n#[cfg(test)]\n#[test]\nfn broken_to_see() {\n    panic!("broken to see");\n}\n'


def find_test_files(seen: Scan) -> tuple[str, ...]:
    """Find the files that hold tests, by name and folder."""
    return tuple(path for path in seen.files if _is_test_file(path))


def break_test_files(seen: Scan) -> dict[str, bytes]:
    """Return each file that holds tests with a content that fails when it is loaded; most of it can still be parsed.

    Without one that is named like tests, other sources that hold some. Rust's, whose tests stand among the code, get a
    test that fails.
    """
    named = find_test_files(seen)
    found = named or tuple(path for path in seen.files if _shows(seen, path, _AMONG_CODE.get(_suffix(path))))
    broken = {path: _SUFFIXES[_suffix(path)].encode() for path in found}
    among = (path for path in seen.files if path.endswith(".rs") and _shows(seen, path, _RUST_TEST))
    return broken | {path: seen.read(path) + _RUST_FAILURE for path in among}


def _shows(seen: Scan, path: str, pattern: re.Pattern[bytes] | None) -> bool:
    if pattern is None or _MATERIAL.intersection(PurePosixPath(path).parts[:-1]):
        return False
    return pattern.search(seen.read(path)) is not None


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix


def _is_test_file(path: str) -> bool:
    pure = PurePosixPath(path)
    folders = set(pure.parts[:-1])
    if pure.suffix not in _SUFFIXES or folders & _MATERIAL:
        return False
    return bool(folders & _FOLDERS) or _NAME.search(path) is not None
