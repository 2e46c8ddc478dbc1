"""Break every test file of a repository, to see whether a command notices: one that doesn't runs no test."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from verigate.integrations.setup.repository_scan import Scan

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


def find_test_files(seen: Scan) -> tuple[str, ...]:
    """Find the files that hold tests, by name and folder."""
    return tuple(path for path in seen.files if _is_test_file(path))


def break_test_files(seen: Scan) -> dict[str, bytes]:
    """Return each test file with a content that fails when it is loaded; most of it can still be parsed."""
    return {path: _SUFFIXES[PurePosixPath(path).suffix].encode() for path in find_test_files(seen)}


def _is_test_file(path: str) -> bool:
    pure = PurePosixPath(path)
    folders = set(pure.parts[:-1])
    if pure.suffix not in _SUFFIXES or folders & _MATERIAL:
        return False
    return bool(folders & _FOLDERS) or _NAME.search(path) is not None
