"""Determine whether a runner's file search reaches a test file: skipped folders and pytest's ``testpaths``.

Sources: pytest's reference on ``norecursedirs`` and ``testpaths``; `go help packages`; node, jest and vitest on what
they leave out.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from verigate.sdk.languages import language_of

PYTEST_SKIPS = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")
"""pytest's own ``norecursedirs``."""

_JAVASCRIPT_SKIPS = (".*", "node_modules", "dist")
_GO_ELSEWHERE = re.compile(
    r".*_(?:windows|darwin|freebsd|netbsd|openbsd|dragonfly|plan9|solaris|illumos|android|ios|js|wasip1|aix|wasm)"
    r"(?:_[a-z0-9]+)?_test\.go"
)
"""Names that Go leaves out on Linux."""

GO_ON_LINUX = re.compile(r"//go:build(?:[\s&|]+(?:!(?!linux|unix|amd64|arm64)\w+|linux|unix|go1\.\d+))+")
"""A build constraint that holds there."""

_GO_SKIPS = (".*", "_*", "testdata", "vendor")


@dataclass(frozen=True, slots=True)
class Walk:
    """The file search in one version of the repository. ``testpaths`` is empty if pytest searches everything.

    ``is_project`` is whether a folder has its own settings, which replace those of the root.
    """

    testpaths: tuple[str, ...]
    norecursedirs: tuple[str, ...]
    is_project: Callable[[str], bool]

    def reaches(self, path: str) -> bool:
        """Whether the runner of the file's language comes to it from the root."""
        folders = PurePosixPath(path).parts[:-1]
        language = language_of(path)
        if language == "python":
            return self._pytest_reaches(path, folders)
        if language == "go" and _GO_ELSEWHERE.fullmatch(path):
            return False
        skips = _GO_SKIPS if language == "go" else _JAVASCRIPT_SKIPS if language in {"javascript", "typescript"} else ()
        return not _passed_over(folders, skips)

    def _pytest_reaches(self, path: str, folders: tuple[str, ...]) -> bool:
        skips = self.norecursedirs or PYTEST_SKIPS
        named = self._below_testpath(path, folders)
        if named is not None:
            return not _passed_over(folders[named:], skips)
        project = next((n for n in range(len(folders), 0, -1) if self.is_project("/".join(folders[:n]))), 0)
        return (bool(project) or not self.testpaths) and not _passed_over(folders[project:], skips)

    def _below_testpath(self, path: str, folders: tuple[str, ...]) -> int | None:
        """How many of the folders the test path that leads to the file names itself; None where none does."""
        for entry in self.testpaths:
            plain = entry.removeprefix("./").rstrip("/")
            if plain in {"", "."}:
                return 0
            if fnmatch.fnmatchcase(path, plain):
                return len(folders)
            for count in range(len(folders), 0, -1):
                if fnmatch.fnmatchcase("/".join(folders[:count]), plain):
                    return count
        return None


def _passed_over(folders: tuple[str, ...], patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(folder, pattern) for folder in folders for pattern in patterns)
