"""The files that differ between base and subject, with the bytes of both sides, from git's object store alone."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.git import EXCLUDE_ARTIFACTS, GIT_TIMEOUT_S
from verigate.sdk import AdapterError, ToolFailed, path_text

if TYPE_CHECKING:
    from code_adapter.git import Repository

MAX_BLOB_BYTES = 2 << 20
"""A file above this size is listed as not examined; no hand-written source comes near it."""

MAX_TOTAL_BYTES = 256 << 20
"""All blobs of one change together; above it the change is too large to be looked at as a whole."""

_SUBMODULE, _SYMLINK, _ABSENT = "160000", "120000", "000000"
_RAW = re.compile(rb":(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])(\d*)")

_DIFF = (
    "diff",
    "--cached",
    "--raw",
    "-z",
    "--no-abbrev",
    "--find-renames=50%",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=dirty",
)


@dataclass(frozen=True, slots=True)
class Side:
    """One version of a file: its path as text, git's mode, and its bytes, None where they were not read and ``why``."""

    path: str
    mode: str
    content: bytes | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs. ``before`` is None for an added file, ``after`` for a deleted one."""

    before: Side | None
    after: Side | None

    @property
    def path(self) -> str:
        """The subject's path, or the base's where the file was deleted."""
        side = self.after or self.before
        assert side is not None  # noqa: S101 - git lists no change without a side
        return side.path

    @property
    def renamed(self) -> bool:
        """Whether the file had another path in base."""
        return self.before is not None and self.after is not None and self.before.path != self.after.path

    @property
    def unread(self) -> str | None:
        """Why this file can't be examined, or None."""
        for side in (self.after, self.before):
            if side is not None and side.why is not None:
                return side.why
        return None


def changed_files(repository: Repository, base: str) -> tuple[ChangedFile, ...]:
    """Every file of the subject (the index) that differs from ``base``, sorted by path. Raises AdapterError."""
    output = repository.git(*_DIFF, base, "--", *EXCLUDE_ARTIFACTS).stdout
    entries = list(_entries(output))
    wanted = {side.oid for entry in entries for side in entry if side is not None and side.is_file}
    blobs = read_blobs(repository, wanted)
    files = [ChangedFile(*(None if side is None else _side(side, blobs) for side in entry)) for entry in entries]
    return tuple(sorted(files, key=lambda file: (file.path, file.after is None)))


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    mode: str
    oid: str

    @property
    def is_file(self) -> bool:
        return self.mode not in {_SUBMODULE, _SYMLINK}


def _entries(output: bytes) -> Iterator[tuple[_Entry | None, _Entry | None]]:
    fields = iter(output.split(b"\0")[:-1])
    for head in fields:
        match = _RAW.fullmatch(head)
        if match is None:
            raise AdapterError(f"git diff --raw says {path_text(head)!r}, which is not its format")
        modes = (match[1].decode(), match[2].decode())
        oids = (match[3].decode(), match[4].decode())
        path = next(fields, None)
        target = next(fields, None) if match[5] in {b"R", b"C"} else path
        if path is None or target is None:
            raise AdapterError("git diff --raw ended in the middle of an entry")
        if match[5] not in b"AMDTR":
            raise AdapterError(
                f"{path_text(path)!r} has the status {match[5].decode()!r}", hint="a conflict? resolve it"
            )
        before = None if modes[0] == _ABSENT else _Entry(path_text(path), modes[0], oids[0])
        after = None if modes[1] == _ABSENT else _Entry(path_text(target), modes[1], oids[1])
        yield before, after


def _side(entry: _Entry, blobs: Mapping[str, bytes | int]) -> Side:
    if entry.mode == _SUBMODULE:
        return Side(entry.path, entry.mode, None, "a submodule")
    if entry.mode == _SYMLINK:
        return Side(entry.path, entry.mode, None, "a symbolic link")
    blob = blobs[entry.oid]
    if isinstance(blob, int):
        return Side(entry.path, entry.mode, None, f"{blob} bytes, more than {MAX_BLOB_BYTES}")
    return Side(entry.path, entry.mode, blob)


def read_blobs(repository: Repository, oids: Iterable[str]) -> dict[str, bytes | int]:
    """The content of each blob, or its size in bytes where that is above MAX_BLOB_BYTES.

    Raises ToolFailed when git can't say, and AdapterError above MAX_TOTAL_BYTES.
    """
    names = sorted(set(oids))
    if not names:
        return {}
    sizes: dict[str, int] = {}
    for line in _cat_file(repository, names, "--batch-check").splitlines():
        oid, kind, *size = line.decode().split(" ")
        if kind != "blob" or not size:
            raise ToolFailed(f"git knows {oid} as {kind}, not as a file's content", where=str(repository.root))
        sizes[oid] = int(size[0])
    small = [oid for oid in names if sizes[oid] <= MAX_BLOB_BYTES]
    if sum(sizes[oid] for oid in small) > MAX_TOTAL_BYTES:
        raise AdapterError(f"the change touches more than {MAX_TOTAL_BYTES} bytes of files", hint="split the change")
    blobs: dict[str, bytes | int] = dict(sizes)
    output = _cat_file(repository, small, "--batch") if small else b""
    at = 0
    for oid in small:
        start = output.index(b"\n", at) + 1
        end = start + sizes[oid]
        if output[at : start - 1] != f"{oid} blob {sizes[oid]}".encode() or output[end : end + 1] != b"\n":
            raise ToolFailed("git cat-file --batch left its format", where=str(repository.root))
        blobs[oid] = output[start:end]
        at = end + 1
    return blobs


def _cat_file(repository: Repository, oids: Iterable[str], form: str) -> bytes:
    inherited = {name: value for name, value in repository.environ.items() if not name.startswith("GIT_")}
    env = inherited | {"GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C.UTF-8"} | dict(repository.extra)
    argv = ["git", "--no-optional-locks", "-c", "protocol.allow=never", "cat-file", form, "--buffer"]
    try:
        # run_tool closes stdin, and one process per blob would cost seconds in a large change.
        done = subprocess.run(
            argv,
            cwd=repository.root,
            env=env,
            input="".join(f"{oid}\n" for oid in oids).encode(),
            capture_output=True,
            check=True,
            timeout=GIT_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolFailed(f"git cat-file failed: {error}", where=str(repository.root)) from error
    return done.stdout
