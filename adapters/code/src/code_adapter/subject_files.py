"""Which files the subject has, and where its projects begin."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from code_adapter.git import EXCLUDE_ARTIFACTS, Repository
from verigate.sdk import AdapterError, Request, path_text

MAX_SOURCE_BYTES = 4 << 20
"""A source or configuration file above this size is not looked into."""

NOT_PROJECTS = frozenset(
    {
        *("node_modules", ".venv", "venv", "site-packages", "vendor", "third_party", "target", "dist", "build"),
        *("fixtures", "__fixtures__", "fixture", "testdata", "test-data", "templates", "examples", ".git"),
    }
)
"""Folders in which a pyproject.toml or package.json is material, not a project of the repository."""


@dataclass(frozen=True)
class SubjectFiles:
    """The subject's regular files. ``paths`` are relative to ``root``, "/"-separated, as ``os.fsdecode`` gives them."""

    root: Path
    paths: tuple[str, ...]

    @cached_property
    def known(self) -> frozenset[str]:
        """``paths`` for look-ups."""
        return frozenset(self.paths)

    def text(self, path: str) -> str:
        """The content of ``path``; empty where it is a link, too large or not there, for then nothing can be read."""
        full = self.root / path
        try:
            handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return ""
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            return ""
        with os.fdopen(handle, "rb") as stream:
            raw = stream.read(MAX_SOURCE_BYTES + 1)
        return raw.decode("utf-8", "replace") if len(raw) <= MAX_SOURCE_BYTES else ""

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


def subject_files(request: Request, extra: Mapping[str, str] = MappingProxyType({})) -> SubjectFiles:
    """The index under the gate; by hand the working tree with its untracked, unignored files; outside git all files.

    ``extra`` selects another index, as in ``Repository``.
    """
    root = request.repo_root
    repository = Repository(root, request.environ, extra)
    inside = repository.git("rev-parse", "--is-inside-work-tree", check=False)
    if inside.stdout.strip() == b"true":
        which = ["--cached"] if request.gated else ["--cached", "--others", "--exclude-standard"]
        out = repository.git("ls-files", *which, "-z", "--", *EXCLUDE_ARTIFACTS).stdout
        found = {os.fsdecode(path) for path in out.split(b"\0") if path}
    else:
        found = set(_walk(root))
    return SubjectFiles(root, tuple(sorted(path for path in found if _is_file(root / path))))


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - {".artifacts", ".git", "node_modules", ".venv", "venv", "__pycache__"})
        for name in names:
            yield (Path(folder) / name).relative_to(root).as_posix()
