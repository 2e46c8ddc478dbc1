"""Read the files that differ between base and subject, with the bytes of both sides, from git's object store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verigate.sdk import AdapterError, ToolFailed, path_text
from verigate.sdk.subject import read_changes, read_changes_between

if TYPE_CHECKING:
    from verigate.sdk.subject import Change, Repository

MAX_BLOB_BYTES = 2 << 20
"""A larger file is listed as not examined; hand-written sources are far smaller."""

MAX_TOTAL_BYTES = 256 << 20
"""Size limit of all blobs of a change together."""

_MAX_BATCH_BYTES = MAX_TOTAL_BYTES + (64 << 20)
"""With a line of less than 100 bytes for each of the blobs."""

_SUBMODULE, _SYMLINK, _ABSENT = "160000", "120000", "000000"


@dataclass(frozen=True, slots=True)
class Side:
    """One version of a file: path as text, git's mode, and its bytes, or None and the reason ``why``."""

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
        """The path in the subject, or in the base for a deleted file."""
        side = self.after or self.before
        assert side is not None  # noqa: S101 - git lists no change without a side
        return side.path

    @property
    def renamed(self) -> bool:
        """Whether the file had another path in the base."""
        return self.before is not None and self.after is not None and self.before.path != self.after.path

    @property
    def unread(self) -> str | None:
        """The reason why this file can't be examined, or None."""
        for side in (self.after, self.before):
            if side is not None and side.why is not None:
                return side.why
        return None


def read_changed_files(repository: Repository, base: str, *, paths: Sequence[str] = ()) -> tuple[ChangedFile, ...]:
    """List the files that differ between ``base`` and the index, sorted by path; ``paths`` as in ``read_changes``.

    Raises AdapterError.
    """
    return _read_files(repository, read_changes(repository, base, paths=paths))


def read_files_between(repository: Repository, old: str, new: str) -> tuple[ChangedFile, ...]:
    """List the files that differ between two commits, as ``read_changed_files`` does; no renames."""
    return _read_files(repository, read_changes_between(repository, old, new))


def _read_files(repository: Repository, changes: Iterable[Change]) -> tuple[ChangedFile, ...]:
    entries = [_sides(change) for change in changes]
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


def _sides(change: Change) -> tuple[_Entry | None, _Entry | None]:
    paths = (path_text(change.source or change.path), path_text(change.path))
    before, after = (
        None if mode == _ABSENT else _Entry(path, mode, oid)
        for path, mode, oid in zip(paths, change.modes, change.oids, strict=True)
    )
    return before, after


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
    """Read the content of each blob, or its size in bytes if it exceeds MAX_BLOB_BYTES.

    Raises ToolFailed if git fails, and AdapterError above MAX_TOTAL_BYTES.
    """
    names = sorted(set(oids))
    if not names:
        return {}
    sizes: dict[str, int] = {}
    for line in repository.git("cat-file", "--batch-check", "--buffer", stdin=_lines(names)).stdout.splitlines():
        oid, kind, *size = line.decode().split(" ")
        if kind != "blob" or not size:
            raise ToolFailed(f"git object {oid} is a {kind}, not a blob", where=str(repository.root))
        sizes[oid] = int(size[0])
    small = [oid for oid in names if sizes[oid] <= MAX_BLOB_BYTES]
    if sum(sizes[oid] for oid in small) > MAX_TOTAL_BYTES:
        raise AdapterError(f"the change touches more than {MAX_TOTAL_BYTES} bytes of files", hint="split the change")
    blobs: dict[str, bytes | int] = dict(sizes)
    batch = ("cat-file", "--batch", "--buffer")
    output = repository.git(*batch, stdin=_lines(small), max_bytes=_MAX_BATCH_BYTES).stdout if small else b""
    at = 0
    for oid in small:
        start = output.index(b"\n", at) + 1
        end = start + sizes[oid]
        if output[at : start - 1] != f"{oid} blob {sizes[oid]}".encode() or output[end : end + 1] != b"\n":
            raise ToolFailed("git cat-file --batch printed an unexpected format", where=str(repository.root))
        blobs[oid] = output[start:end]
        at = end + 1
    return blobs


def _lines(oids: Iterable[str]) -> bytes:
    return "".join(f"{oid}\n" for oid in oids).encode()
