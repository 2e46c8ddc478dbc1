"""Keep reports of false blocks: in the user's state, a file for each repository, where no verdict is read from.

A line is a report as JSON. Lines are added, and none is changed.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from verigate.domain.false_block import FalseBlock, FalseBlocks
from verigate.errors import UsageError
from verigate.user_folders import UserFolders

LARGEST = 8 * 1024 * 1024
"""Bytes of one repository's file."""

_DIGITS = 32


def add_false_block(root: Path, environ: Mapping[str, str], report: FalseBlock) -> bool:
    """Keep a report; False if the same is there: of one verdict, with these findings and this reason.

    Raises UsageError where it can't be kept.
    """
    path = _find_place(root, environ)
    if path is None:
        hint = "set HOME or XDG_STATE_HOME to a folder outside of the repository"
        raise UsageError("there is no folder for reports of false blocks", where="the user's state", hint=hint)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _open_held(path) as descriptor:
            content = _read(descriptor)
            if any(_is_same(report, each) for each in _parse(content).reports):
                return False
            line = msgspec.json.encode(report) + b"\n"
            if len(content) + len(line) > LARGEST:
                hint = "move it away; a new one begins"
                raise UsageError(f"the file has {len(content):,} bytes already", where=str(path), hint=hint)
            # What a killed writer left stays a line of its own.
            _write(descriptor, line if not content or content.endswith(b"\n") else b"\n" + line)
    except OSError as problem:
        raise UsageError(f"the report can't be kept: {problem.strerror}", where=str(path)) from problem
    return True


def read_false_blocks(root: Path, environ: Mapping[str, str]) -> FalseBlocks:
    """Read the reports about the tasks of a repository; none where there is no file, or one that can't be read."""
    path = _find_place(root, environ)
    if path is None:
        return FalseBlocks()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return FalseBlocks()
    try:
        return _parse(_read(descriptor))
    except OSError:
        return FalseBlocks()
    finally:
        os.close(descriptor)


def _find_place(root: Path, environ: Mapping[str, str]) -> Path | None:
    digest = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:_DIGITS]
    place = UserFolders(environ, str(root)).state("false-blocks", f"{digest}.jsonl")
    return Path(place) if place is not None else None


@contextmanager
def _open_held(path: Path) -> Iterator[int]:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return b""
    content = bytearray()
    while len(content) <= LARGEST and (part := os.pread(descriptor, LARGEST, len(content))):
        content += part
    return bytes(content[:LARGEST])


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _parse(content: bytes) -> FalseBlocks:
    found, unreadable = [], 0
    for line in content.split(b"\n"):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=FalseBlock))
        except (msgspec.DecodeError, RecursionError, ValueError):
            unreadable += 1
    return FalseBlocks(tuple(reversed(found)), unreadable)


def _is_same(one: FalseBlock, other: FalseBlock) -> bool:
    return (one.verdict, one.findings, one.reason) == (other.verdict, other.findings, other.reason)
