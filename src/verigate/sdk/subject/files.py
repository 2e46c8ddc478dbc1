"""The subject's files: which there are, and how one is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.sdk.artifacts import path_text
from verigate.sdk.errors import AdapterError
from verigate.sdk.subject.changes import changed_paths
from verigate.sdk.subject.repository import EXCLUDE_ARTIFACTS, Repository, find_repository

if TYPE_CHECKING:
    from verigate.sdk.request import Request

MAX_TEXT_BYTES = 4 << 20
"""``Subject.text`` reads no file above this size; no source or configuration that a person writes comes near it."""

_NOT_WALKED = frozenset({ARTIFACTS_FOLDER, ".git", ".venv", "venv", "node_modules", "__pycache__"})


class Paths(Collection[str]):
    """Paths, as ``os.fsdecode`` gives them, in the order in which they were given.

    They are packed: as a tuple of texts they would take most of the memory that a subject of many small files needs.
    """

    __slots__ = ("_count", "_packed")

    def __init__(self, paths: Iterable[str]) -> None:
        packed = bytearray()
        self._count = 0
        for path in paths:
            packed += os.fsencode(path) + b"\0"
            self._count += 1
        self._packed = bytes(packed)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        start = 0
        while (end := self._packed.find(b"\0", start)) >= 0:
            yield os.fsdecode(self._packed[start:end])
            start = end + 1

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and b"\0%b\0" % os.fsencode(path) in b"\0" + self._packed


class Subject(Struct, frozen=True, dict=True):
    """The regular files of the subject, and those of them that differ from the base.

    ``paths`` are relative to ``root``, "/"-separated, as ``os.fsdecode`` gives them, and sorted as they stand in
    artifacts (``path_text``). ``changed`` is None where there is no base to compare with, or no git.
    """

    root: Path
    paths: Collection[str]
    changed: frozenset[str] | None = None

    @cached_property
    def known(self) -> frozenset[str]:
        """``paths`` for look-ups."""
        return frozenset(self.paths)

    def text(self, path: str) -> str:
        """The content of ``path``, bytes that aren't UTF-8 replaced; empty where ``read_file`` refuses it."""
        try:
            return read_file(self.root, path, MAX_TEXT_BYTES).decode("utf-8", "replace")
        except UnreadableFileError:
            return ""


class UnreadableFileError(AdapterError):
    """A file can't be read: it isn't there, not a regular file, outside the subject, too large, or not permitted."""

    code = "UNREADABLE_FILE"


def find_subject(request: Request) -> Subject:
    """The subject's regular files, and which of them differ from GATE_BASE.

    Raises ToolFailed if git can't list them, AdapterError for a folder that can't be read or a base that isn't there.
    """
    repository = find_repository(request)
    paths = list_files(request, repository)
    changed = changed_paths(request, repository) if repository is not None and request.base else None
    return Subject(request.repo_root, paths, changed)


def list_files(request: Request, repository: Repository | None) -> Paths:
    """Those of ``list_paths`` that are regular files now: no links, submodules, pipes or files that are gone."""
    root = request.repo_root
    return _in_order(path for path in _listed(request, repository) if is_regular(root, path))


def list_paths(request: Request, repository: Repository | None) -> Paths:
    """Every path of the subject, each once, sorted as in Subject; links and submodules are among them.

    The index under the gate; by hand the index and the untracked, unignored files; outside git (``repository`` is None)
    all files but those of ``.artifacts``, virtual environments and ``node_modules``. Raises ToolFailed if git can't
    list them all, AdapterError for a folder that can't be read.
    """
    return _in_order(_listed(request, repository))


def _listed(request: Request, repository: Repository | None) -> Iterator[str]:
    if repository is None:
        return _walk(request.repo_root)
    which = ("--cached",) if request.gated else ("--cached", "--others", "--exclude-standard")
    return map(os.fsdecode, repository.entries("ls-files", *which, "-z", "--", *EXCLUDE_ARTIFACTS))


def _in_order(paths: Iterable[str]) -> Paths:
    """``paths`` sorted, each once. What git and ``_walk`` list is nearly always in order, and never held as a list."""
    packed = Paths(paths)
    if all(one < other for one, other in pairwise(map(path_text, packed))):
        return packed
    return Paths(sorted(set(packed), key=path_text))


def _walk(root: Path) -> Iterator[str]:
    """The paths below ``root``. A folder stands where its name with "/" does, so that whole paths are in order."""
    pending = ["./"]
    while pending:
        path = pending.pop()
        if not path.endswith("/"):
            yield path[2:]
            continue
        try:
            with os.scandir(f"{root}/{path}") as found:
                names = [_name(entry) for entry in found]
        except OSError as error:
            raise AdapterError(f"can't be read: {error.strerror}", where=path_text(path[2:])) from error
        pending += (f"{path}{name}" for name in sorted(names, key=path_text, reverse=True) if name)


def _name(entry: os.DirEntry[str]) -> str:
    if not entry.is_dir(follow_symlinks=False):
        return entry.name
    return "" if entry.name in _NOT_WALKED else f"{entry.name}/"


def is_regular(root: Path, path: str) -> bool:
    """Whether ``path`` is a regular file now; a link isn't, wherever it leads."""
    try:
        return stat.S_ISREG(os.lstat(f"{root}/{path}").st_mode)
    except (OSError, ValueError):
        return False


def read_file(root: Path, path: str, max_bytes: int) -> bytes:
    """The content of the file ``path`` of the subject at ``root``.

    Raises UnreadableFileError for a link, whatever is not a regular file, a place outside ``root``, more than
    ``max_bytes``, and where the operating system refuses. It never waits, for instance for a pipe.
    """
    where = path_text(path)
    full = f"{root}/{path}"
    try:
        if not _is_inside(root, full.rpartition("/")[0]):
            raise UnreadableFileError("lies outside the repository", where=where)
        handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError, RuntimeError) as error:
        raise UnreadableFileError(f"can't be read: {error}", where=where) from error
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise UnreadableFileError("is not a regular file", where=where)
    with os.fdopen(handle, "rb") as stream:
        raw = stream.read(min(status.st_size, max_bytes) + 1)
    if len(raw) > max_bytes:
        raise UnreadableFileError(f"is larger than {max_bytes} bytes", where=where)
    return raw


@lru_cache(maxsize=1024)
def _is_inside(root: Path, folder: str) -> bool:
    return Path(folder).resolve(strict=True).is_relative_to(root.resolve())
