"""Determine whether a runner's file search reaches a test file: skipped folders and pytest's ``testpaths``.

Sources: pytest's reference on ``norecursedirs`` and ``testpaths``; `go help packages`; node, jest and vitest on what
they leave out.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from code_adapter.integrity.languages import find_language, python

PYTEST_SKIPS = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")
"""pytest's own ``norecursedirs``."""


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
        language = find_language(path)
        if language is python.LANGUAGE:
            return self._pytest_reaches(path, folders)
        return language is None or not (language.is_left_out(path) or _passed_over(folders, language.skipped_folders))

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
