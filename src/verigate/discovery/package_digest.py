"""Compute the digest of an installed package: of each file's path, content and executable bit, nothing else."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator

MAX_PACKAGE_BYTES = 64 * 1024 * 1024
MAX_PACKAGE_FILES = 10_000


def package_digest(folder: str) -> str:
    """Compute ``sha256:HEX`` of the files in ``folder``, the same on every machine that has the same files.

    One line for each file, sorted by path: ``f``, ``x`` (executable) or ``l`` (link), the sha256 of its content (of a
    link: of its text), its path relative to the folder. Raises ValueError for a link that leads out, a
    device, a path with a line end, or more than the limits.
    """
    root = os.fsencode(os.path.realpath(folder)) + b"/"
    lines: list[bytes] = []
    room = MAX_PACKAGE_BYTES
    for path in _list_files(root):
        try:
            line, size = _digest_line(path, path[len(root) :], root)
        except OSError as problem:
            raise ValueError(f"{os.fsdecode(path[len(root) :])!r} can't be read: {problem.strerror}") from None
        room -= size
        if room < 0:
            raise ValueError(f"it is larger than {MAX_PACKAGE_BYTES} bytes")
        lines.append(line)
        if len(lines) > MAX_PACKAGE_FILES:
            raise ValueError(f"it has more than {MAX_PACKAGE_FILES} files")
    if not lines:
        raise ValueError("it has no files")
    lines.sort(key=lambda line: line[67:])
    return f"sha256:{hashlib.sha256(b''.join(lines)).hexdigest()}"


def _list_files(root: bytes) -> Iterator[bytes]:
    """List everything below ``root`` except folders; links to folders are listed."""
    pending = [root]
    while pending:
        parent = pending.pop()
        try:
            entries = list(os.scandir(parent))
        except OSError as problem:
            raise ValueError(f"a folder of it can't be listed: {problem.strerror}") from None
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path + b"/")
            else:
                yield entry.path


def _digest_line(path: bytes, shown: bytes, root: bytes) -> tuple[bytes, int]:
    if b"\n" in shown:
        raise ValueError(f"the name {os.fsdecode(shown)!r} has a line end")
    try:
        # Non-blocking: a named pipe would block forever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as problem:
        if problem.errno != errno.ELOOP:
            raise
        if not os.path.realpath(path).startswith(root):
            raise ValueError(f"the link {os.fsdecode(shown)!r} leads out of the package") from None
        text = os.readlink(path)
        return b"l %s %s\n" % (hashlib.sha256(text).hexdigest().encode(), shown), len(text)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{os.fsdecode(shown)!r} is not a regular file")
        if status.st_size > MAX_PACKAGE_BYTES:
            raise ValueError(f"it is larger than {MAX_PACKAGE_BYTES} bytes")
        content = os.read(descriptor, status.st_size + 1)
        if len(content) != status.st_size:
            raise ValueError(f"{os.fsdecode(shown)!r} changes while it is read")
    finally:
        os.close(descriptor)
    digest = hashlib.sha256(content).hexdigest().encode()
    return b"%s %s %s\n" % (b"x" if status.st_mode & 0o100 else b"f", digest, shown), status.st_size
