"""List the subject's files and its projects."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from verigate.sdk import AdapterError, Request, path_text
from verigate.sdk.subject import Subject, find_repository, list_files

NOT_PROJECTS = frozenset(
    {
        *("node_modules", ".venv", "venv", "site-packages", "vendor", "third_party", "target", "dist", "build"),
        *("fixtures", "__fixtures__", "fixture", "testdata", "test-data", "templates", "examples", ".git"),
    }
)
"""Folders in which a pyproject.toml or package.json is test data or third-party code, not a project."""


class SubjectFiles(Subject, frozen=True, dict=True):
    """The subject's regular files, with parsed settings and the folders of projects."""

    def toml(self, path: str) -> dict[str, Any]:
        """Parse ``path`` as TOML; ``{}`` if it is missing. Raises AdapterError for invalid TOML."""
        if path not in self.known:
            return {}
        try:
            return tomllib.loads(self.text(path))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise AdapterError(f"is not TOML: {error}", where=path_text(path)) from error

    def json(self, path: str) -> dict[str, Any]:
        """Parse ``path`` as a JSON object; ``{}`` if it is missing. Raises AdapterError for invalid JSON."""
        if path not in self.known:
            return {}
        try:
            value = json.loads(self.text(path))
        except (ValueError, RecursionError) as error:
            raise AdapterError(f"is not JSON: {error}", where=path_text(path)) from error
        return value if isinstance(value, dict) else {}

    def below(self, folder: str) -> Iterator[str]:
        """Yield the paths below ``folder`` ("" is the root)."""
        prefix = f"{folder}/" if folder else ""
        return (path for path in self.paths if path.startswith(prefix))

    def projects(self, *markers: str) -> tuple[str, ...]:
        """Return the topmost folders with one of ``markers`` ("" is the root), outside of NOT_PROJECTS."""
        folders = sorted(
            {
                "" if str(pure.parent) == "." else str(pure.parent)
                for pure in (PurePosixPath(path) for path in self.paths if path.rpartition("/")[2] in markers)
                if not NOT_PROJECTS.intersection(pure.parts[:-1])
            }
        )
        return tuple(filter_topmost(folders))


def filter_topmost(folders: Iterable[str]) -> Iterator[str]:
    """Yield those of the sorted ``folders`` that are not inside another one."""
    kept: set[str] = set()
    for folder in folders:
        above = folder
        while above and above not in kept:
            above = above.rpartition("/")[0]
        if above not in kept:
            kept.add(folder)
            yield folder


def find_subject_files(request: Request, extra: Mapping[str, str] | None = None) -> SubjectFiles:
    """List the subject's files with ``verigate.sdk.subject.list_files``; ``extra`` selects another index."""
    paths = list_files(request, find_repository(request, extra))
    return SubjectFiles(request.repo_root, tuple(paths))
