"""List and read the subject's files."""

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
"""Size limit of ``Subject.text``, far above any source or configuration that a person writes."""

_NOT_WALKED = frozenset({ARTIFACTS_FOLDER, ".git", ".venv", "venv", "node_modules", "__pycache__"})


class Paths(Collection[str]):
    """A packed list of paths, as ``os.fsdecode`` gives them.

    A tuple of strings would take most of the memory that a subject of many small files needs.
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
    artifacts (``path_text``). ``changed`` is None if there is no base to compare with, or no git.
    """

    root: Path
    paths: Collection[str]
    changed: frozenset[str] | None = None

    @cached_property
    def known(self) -> frozenset[str]:
        """``paths`` for look-ups."""
        return frozenset(self.paths)

    def text(self, path: str) -> str:
        """Read ``path``, with bytes that aren't UTF-8 replaced; empty if ``read_file`` refuses it."""
        try:
            return read_file(self.root, path, MAX_TEXT_BYTES).decode("utf-8", "replace")
        except UnreadableFileError:
            return ""

    def is_empty(self, path: str) -> bool:
        """Whether ``read_file`` reads ``path`` and it has no bytes."""
        try:
            return not read_file(self.root, path, MAX_TEXT_BYTES)
        except UnreadableFileError:
            return False


class UnreadableFileError(AdapterError):
    """A file can't be read: missing, not a regular file, outside the subject, too large, or permission denied."""

    code = "UNREADABLE_FILE"


def find_subject(request: Request) -> Subject:
    """List the subject's regular files and those that differ from GATE_BASE.

    Raises ToolFailed if git can't list them, AdapterError for an unreadable folder or a missing base.
    """
    repository = find_repository(request)
    paths = list_files(request, repository)
    changed = changed_paths(request, repository) if repository is not None and request.base else None
    return Subject(request.repo_root, paths, changed)


def list_files(request: Request, repository: Repository | None) -> Paths:
    """List the paths of ``list_paths`` that are regular files now: no links, submodules, pipes or deleted files."""
    root = request.repo_root
    return _sort_unique(path for path in _iterate_paths(request, repository) if is_regular(root, path))


def list_paths(request: Request, repository: Repository | None) -> Paths:
    """List every path of the subject once, sorted as in Subject, including links and submodules.

    Under the gate these are the paths of the index; in a call by hand also untracked, unignored files; outside git
    (``repository`` is None) all files but those of ``.artifacts``, virtual environments and ``node_modules``. Raises
    ToolFailed if git can't list them all, AdapterError for an unreadable folder.
    """
    return _sort_unique(_iterate_paths(request, repository))


def _iterate_paths(request: Request, repository: Repository | None) -> Iterator[str]:
    if repository is None:
        return _walk(request.repo_root)
    which = ("--cached",) if request.gated else ("--cached", "--others", "--exclude-standard")
    return map(os.fsdecode, repository.entries("ls-files", *which, "-z", "--", *EXCLUDE_ARTIFACTS))


def _sort_unique(paths: Iterable[str]) -> Paths:
    """Sort ``paths`` and drop duplicates, without a list where git or ``_walk`` gives them in order (nearly always)."""
    packed = Paths(paths)
    if all(one < other for one, other in pairwise(map(path_text, packed))):
        return packed
    return Paths(sorted(set(packed), key=path_text))


def _walk(root: Path) -> Iterator[str]:
    """Yield the paths below ``root`` in order of whole paths: a folder sorts as its name with "/"."""
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
    """Whether ``path`` is a regular file now; a symbolic link never is."""
    try:
        return stat.S_ISREG(os.lstat(f"{root}/{path}").st_mode)
    except (OSError, ValueError):
        return False


def read_file(root: Path, path: str, max_bytes: int) -> bytes:
    """Read the file ``path`` of the subject at ``root``.

    Raises UnreadableFileError for a symbolic link, anything but a regular file, a path outside ``root``, more than
    ``max_bytes``, and errors of the operating system. Never blocks, for instance on a pipe.
    """
    where = path_text(path)
    full = f"{root}/{path}"
    try:
        if not _is_inside(root, full.rpartition("/")[0]):
            raise UnreadableFileError("is outside the repository", where=where)
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
