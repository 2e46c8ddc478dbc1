"""Which files the subject has, and where its projects begin."""

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
"""Folders in which a pyproject.toml or package.json is material, not a project of the repository."""


class SubjectFiles(Subject, frozen=True, dict=True):
    """The subject's regular files as projects: settings that are read, folders in which projects begin."""

    def toml(self, path: str) -> dict[str, Any]:
        """``path`` as TOML, ``{}`` if there is none. Raises AdapterError if it can't be parsed."""
        if path not in self.known:
            return {}
        try:
            return tomllib.loads(self.text(path))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise AdapterError(f"is not TOML: {error}", where=path_text(path)) from error

    def json(self, path: str) -> dict[str, Any]:
        """``path`` as a JSON object, ``{}`` if there is none. Raises AdapterError if it can't be parsed."""
        if path not in self.known:
            return {}
        try:
            value = json.loads(self.text(path))
        except (ValueError, RecursionError) as error:
            raise AdapterError(f"is not JSON: {error}", where=path_text(path)) from error
        return value if isinstance(value, dict) else {}

    def below(self, folder: str) -> Iterator[str]:
        """The paths in ``folder`` ("" is the root) and under it."""
        prefix = f"{folder}/" if folder else ""
        return (path for path in self.paths if path.startswith(prefix))

    def projects(self, *markers: str) -> tuple[str, ...]:
        """The topmost folders that hold one of ``markers``, "" for the root; folders of NOT_PROJECTS don't count."""
        folders = sorted(
            {
                "" if str(pure.parent) == "." else str(pure.parent)
                for pure in (PurePosixPath(path) for path in self.paths if path.rpartition("/")[2] in markers)
                if not NOT_PROJECTS.intersection(pure.parts[:-1])
            }
        )
        return tuple(topmost(folders))


def topmost(folders: Iterable[str]) -> Iterator[str]:
    """Those of the sorted ``folders`` that are not inside another one."""
    kept: list[str] = []
    for folder in folders:
        if not any(above == "" or folder.startswith(f"{above}/") for above in kept):
            kept.append(folder)
            yield folder


def subject_files(request: Request, extra: Mapping[str, str] | None = None) -> SubjectFiles:
    """The subject's files as ``verigate.sdk.subject.list_files`` finds them; ``extra`` selects another index."""
    paths = list_files(request, find_repository(request, extra))
    return SubjectFiles(request.repo_root, tuple(paths))
