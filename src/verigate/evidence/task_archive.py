"""Pack a published task into an archive that is the same bytes each time, and unpack one that anybody may have made.

The format is tar (GNU, without pax headers), not compressed: what is small to send can't be large on the disk.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO

from verigate.domain.task_folder import (
    CHECKSUMS_FILE,
    CLAIM_FILE,
    COMMITMENT_FILE,
    INDEX_FILE,
    STATEMENTS_FILE,
    VERDICT_FILE,
)
from verigate.errors import EvidenceError
from verigate.evidence.store import Published, read_plain

LARGEST = 128 * 1024 * 1024
"""Bytes of an archive, and of all that is in one."""

MOST_FILES = 20_000
_DEEPEST = 20
_LONGEST_PART = 255
_LONGEST_PATH = 1000
_LONGEST_HEADER = 4 * _LONGEST_PATH + 1
"""Bytes of a path in UTF-8, which GNU's format keeps with a zero at its end."""

_PAX = frozenset({tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE})
_CHUNK = 1024 * 1024
SEALED = (VERDICT_FILE, INDEX_FILE, CHECKSUMS_FILE)
"""Files that each published task has, next to those in its index."""

UNSEALED = (STATEMENTS_FILE, CLAIM_FILE, COMMITMENT_FILE)
"""Files that it may have, and that are in no index."""


def list_unsealed(run: Mapping[str, Any]) -> tuple[str, ...]:
    """List the files next to the index that a run recorded and so can be compared; ``run`` is its record.

    An implicit task has neither claim nor commitment, and a claim that couldn't be used isn't recorded.
    """
    task = run.get("task")
    if not isinstance(task, dict) or task.get("implicit"):
        return (STATEMENTS_FILE,)
    return (STATEMENTS_FILE, COMMITMENT_FILE) if task.get("claim_faults") else UNSEALED


def pack_task(published: Published) -> bytes:
    """Pack the files of a verdict: what its index names, what seals it, its statements, its claim and commitment.

    Raises EvidenceError if one can't be read, or if they are too large.
    """
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT, encoding="utf-8") as archive:
        for path, content in _read_files(published):
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
            if written.tell() > LARGEST:
                raise EvidenceError(f"it has more than {LARGEST:,} bytes", where=str(published.folder))
    if written.tell() > LARGEST:
        raise EvidenceError(f"it has more than {LARGEST:,} bytes", where=str(published.folder))
    return written.getvalue()


def _read_files(published: Published) -> Iterator[tuple[str, bytes]]:
    others = [name for name in list_unsealed(published.run) if os.path.lexists(published.folder / name)]
    for path in sorted({*published.index, *SEALED, *others}):
        if path in published.index:
            yield path, published.read(path)
        else:
            yield path, read_plain(published.folder, path)


def unpack_task(archive: BinaryIO, folder: Path, *, executable: bool = False) -> tuple[str, ...]:
    """Unpack an archive into an empty folder that nobody else writes to; return the paths of its files.

    ``executable`` keeps that their owner may execute files; nothing else of their modes, owners and times is kept.
    Raises EvidenceError for whatever isn't a plain file with a plain name, for floods, and for what isn't tar.
    """
    paths: list[str] = []
    total = 0
    try:
        for member in _list_members(archive):
            path = _check_member(member)
            total += member.size
            paths.append(path)
            if len(paths) > MOST_FILES or total > LARGEST:
                message = f"it has more than {MOST_FILES:,} files or {LARGEST:,} bytes"
                raise EvidenceError(message, where="the archive")
            _write(folder / path, archive, member.size, path)
            if executable and member.mode & stat.S_IXUSR:
                (folder / path).chmod(0o755)
    except (tarfile.TarError, UnicodeError, ValueError, OverflowError, EOFError) as problem:
        hint = "send tar, not compressed: tar --format=gnu"
        raise EvidenceError(f"this is no tar archive: {problem}", where="the archive", hint=hint) from problem
    return tuple(paths)


def _list_members(archive: BinaryIO) -> Iterator[tarfile.TarInfo]:
    """Read one header after the other, forwards; the content of a file is read from there by whoever asked.

    tarfile reads single headers, not the archive: it looks through extended ones (pax) by expressions that take hours
    for 1 MB (CVE-2024-6232), and follows one to the next without a limit.
    """
    at, name = 0, ""
    while True:
        archive.seek(at)
        block = archive.read(tarfile.BLOCKSIZE)
        if len(block) < tarfile.BLOCKSIZE or (not any(block) and (name or not at)):
            raise tarfile.ReadError("it has no end, or nothing before it")
        if not any(block):
            return
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        at += tarfile.BLOCKSIZE
        if member.size < 0:
            raise _refuse(member.name, "it is not a plain file")
        if member.type == tarfile.GNUTYPE_LONGNAME and not name and member.size <= _LONGEST_HEADER:
            name = archive.read(member.size).partition(b"\0")[0].decode("utf-8", "surrogateescape")
        else:
            member.name, name = name or member.name, ""
            yield member
        at += -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE


def _check_member(member: tarfile.TarInfo) -> str:
    path = member.name
    if member.type in _PAX:
        hint = "make it with tar --format=gnu"
        raise EvidenceError("the archive has extended headers (pax)", where="the archive", hint=hint)
    if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE} or member.issparse() or member.size < 0:
        raise _refuse(path, "it is not a plain file")
    parts = path.split("/")
    if len(path) > _LONGEST_PATH or len(parts) > _DEEPEST:
        raise _refuse(path, "its name is too long")
    if any(part in {"", ".", ".."} or len(os.fsencode(part)) > _LONGEST_PART for part in parts) or "\0" in path:
        raise _refuse(path, "its name leads elsewhere")
    return path


def _write(target: Path, content: IO[bytes], size: int, path: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            while chunk := content.read(min(size, _CHUNK)):
                size -= len(chunk)
                file.write(chunk)
    except FileExistsError as problem:
        raise _refuse(path, "it is there twice, or as a folder as well") from problem
    except NotADirectoryError as problem:
        raise _refuse(path, "it is there as a file and as a folder") from problem
    if size:
        raise _refuse(path, "it is cut off")


def _refuse(path: str, why: str) -> EvidenceError:
    return EvidenceError(
        f"the archive has {path[:200]!r}: {why}", where="the archive", hint="send what `gate push` makes"
    )
