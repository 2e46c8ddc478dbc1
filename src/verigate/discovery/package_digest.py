"""The digest of an installed package: of every file's path, content and executable bit, and of nothing else."""

from __future__ import annotations

import hashlib
import os
import stat

MAX_PACKAGE_BYTES = 64 * 1024 * 1024
MAX_PACKAGE_FILES = 10_000


def package_digest(folder: str) -> str:
    """``sha256:HEX`` of the files in ``folder``, the same on every machine that has the same files.

    One line for each file, sorted by path: ``f``, ``x`` (executable) or ``l`` (link), the sha256 of its content (of a
    link: of its text), its path relative to the folder. Raises ValueError for what can't be digested: a link that leads
    out, a device, a path with a line end, too much.
    """
    fence = os.path.realpath(folder) + "/"
    lines: list[bytes] = []
    room = MAX_PACKAGE_BYTES
    for parent, folders, files in os.walk(os.fsencode(folder), onerror=_refuse):
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        for name in (*files, *links):
            path = os.path.join(parent, name)
            shown = os.path.relpath(path, os.fsencode(folder))
            try:
                line, size = _line(path, shown, fence, room)
            except OSError as problem:
                raise ValueError(f"{os.fsdecode(shown)!r} can't be read: {problem.strerror}") from None
            room -= size
            lines.append(line)
            if len(lines) > MAX_PACKAGE_FILES:
                raise ValueError(f"it has more than {MAX_PACKAGE_FILES} files")
    if not lines:
        raise ValueError("it has no files")
    lines.sort(key=lambda line: line[67:])
    return f"sha256:{hashlib.sha256(b''.join(lines)).hexdigest()}"


def _line(path: bytes, shown: bytes, fence: str, room: int) -> tuple[bytes, int]:
    if b"\n" in shown:
        raise ValueError(f"the name {os.fsdecode(shown)!r} has a line end")
    if os.path.islink(path):
        if not os.fsdecode(os.path.realpath(path)).startswith(fence):
            raise ValueError(f"the link {os.fsdecode(shown)!r} leads out of the package")
        text = os.readlink(path)
        return b"l %s %s\n" % (hashlib.sha256(text).hexdigest().encode(), shown), len(text)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{os.fsdecode(shown)!r} is not a regular file")
        if status.st_size > room:
            raise ValueError(f"it is larger than {MAX_PACKAGE_BYTES} bytes")
        digest = hashlib.file_digest(file, "sha256").hexdigest().encode()
    return b"%s %s %s\n" % (b"x" if status.st_mode & 0o100 else b"f", digest, shown), status.st_size


def _refuse(problem: OSError) -> None:
    raise ValueError(f"a folder of it can't be listed: {problem.strerror}")
