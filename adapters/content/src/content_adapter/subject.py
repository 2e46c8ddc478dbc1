"""The subject's files, and how one is read: only what is a regular file inside the checkout."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from verigate.sdk import AdapterError, Request, ToolFailed, path_text, run_tool

MOST_BYTES = 16 << 20
"""A text above this size is refused: it is read as a whole."""

GIT_TIMEOUT_S = 120.0
_OPTIONS = (
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "diff.orderFile=/dev/null"),
    *("-c", "protocol.allow=never"),
)
_NOT_WALKED = frozenset({".artifacts", ".git", ".venv", "venv", "node_modules", "__pycache__"})
_NOT_THE_GATES = (".", ":(top,exclude).artifacts")


class Paths(Collection[str]):
    """Paths, as ``os.fsdecode`` gives them, in the order in which they were given.

    They are packed: as a tuple of texts they would take most of the memory that a corpus of small files needs.
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
        return _split(self._packed)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and b"\0%b\0" % os.fsencode(path) in b"\0" + self._packed


@dataclass(frozen=True, slots=True)
class Subject:
    """The regular files of the subject, and those of them that differ from the base (None outside git).

    Paths are relative to ``root``, "/"-separated, and sorted as they stand in artifacts (``path_text``).
    """

    root: Path
    paths: Collection[str]
    changed: frozenset[str] | None


def find_subject(request: Request) -> Subject:
    """The index under the gate; by hand the working tree with its untracked, unignored files; outside git all files."""
    root = request.repo_root
    if _git(request, "rev-parse", "--is-inside-work-tree", check=False).strip() != b"true":
        return Subject(root, _in_order(_walk(root)), None)
    which = ["--cached"] if request.gated else ["--cached", "--others", "--exclude-standard"]
    listed = _split(_git(request, "ls-files", *which, "-z", "--", *_NOT_THE_GATES))
    paths = _in_order(path for path in listed if _is_file(f"{root}/{path}"))
    return Subject(root, paths, frozenset(_changed(request)) if request.base else None)


def _changed(request: Request) -> Iterator[str]:
    base = str(request.base)
    if base.startswith("-"):
        raise AdapterError(f"{base!r} is no revision", where="GATE_BASE")
    staged = ["--cached"] if request.gated else []
    options = ["--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=d", "-z"]
    yield from _split(_git(request, "diff", *staged, *options, base, "--", *_NOT_THE_GATES))
    if not request.gated:
        yield from _split(_git(request, "ls-files", "--others", "--exclude-standard", "-z", "--", *_NOT_THE_GATES))


def _git(request: Request, *arguments: str, check: bool = True) -> bytes:
    env = {name: value for name, value in request.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}
    run = run_tool(["git", *_OPTIONS, *arguments], cwd=request.repo_root, timeout_s=GIT_TIMEOUT_S, env=env)
    if check and (run.exit_code != 0 or run.truncated):
        raise ToolFailed(f"git {arguments[0]} ended with {run.ended}: {run.tail()}", where=str(request.repo_root))
    return run.stdout


def _split(listed: bytes) -> Iterator[str]:
    start = 0
    while (end := listed.find(b"\0", start)) >= 0:
        yield os.fsdecode(listed[start:end])
        start = end + 1


def _in_order(paths: Iterable[str]) -> Paths:
    """``paths`` sorted, each once. What git and ``_walk`` list is nearly always in order, and never held as a list."""
    packed = Paths(paths)
    if all(one < other for one, other in pairwise(map(path_text, packed))):
        return packed
    return Paths(sorted(set(packed), key=path_text))


def _walk(root: Path) -> Iterator[str]:
    """The files below ``root``. A folder stands where its name with "/" does, so that whole paths are in order."""
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
    if entry.is_dir(follow_symlinks=False):
        return "" if entry.name in _NOT_WALKED else f"{entry.name}/"
    return entry.name if entry.is_file(follow_symlinks=False) else ""


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=1024)
def _is_inside(root: Path, folder: str) -> bool:
    return Path(folder).resolve(strict=True).is_relative_to(root.resolve())


def read_bytes(root: Path, path: str, most: int = MOST_BYTES) -> bytes:
    """The content of the subject's file ``path``. Raises AdapterError if it is a link, elsewhere, or too large."""
    where = path_text(path)
    full = f"{root}/{path}"
    try:
        if not _is_inside(root, os.path.dirname(full)):  # noqa: PTH120 - a Path for each file would cost more than reading
            raise AdapterError("lies outside the repository", where=where)
        handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise AdapterError(f"can't be read: {error}", where=where) from error
    with os.fdopen(handle, "rb") as stream:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise AdapterError("is no regular file", where=where)
        raw = stream.read(min(status.st_size, most) + 1)
    if len(raw) > most:
        raise AdapterError(
            f"is larger than {most >> 20} MiB",
            where=where,
            hint='split it, or leave it out with "exclude" of the content adapter in config/adapters.json',
        )
    return raw
