"""Tell whether a file was written to since: by what ``lstat`` says, and on some file systems by its content."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import NamedTuple

from verigate.change_times import has_exact_change_times

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BLOCK = 1 << 16

Mark = tuple[int | bytes, ...]


class FileMarks(NamedTuple):
    """How files are compared: ``exact`` is whether each write gives its file another change time (ctime).

    On tmpfs a write through a mapping changes no time, so contents are compared there.
    """

    exact: bool

    @classmethod
    def of(cls, root: str | os.PathLike[str]) -> FileMarks:
        """Look at the file system of ``root``."""
        return cls(has_exact_change_times(os.path.realpath(root)))

    def read(self, path: str | os.PathLike[str], status: os.stat_result | None = None) -> Mark:
        """Return the mark of a file, a link or a folder, which isn't followed. Raises OSError."""
        found = os.lstat(path) if status is None else status
        mark: Mark = (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        return mark if self.exact or not stat.S_ISREG(found.st_mode) else (*mark, _digest(path))


def _digest(path: str | os.PathLike[str]) -> bytes:
    # Without a stream, whose creation takes as long as reading a file of code.
    descriptor = os.open(path, _READ)
    try:
        digest = sha256()
        while block := os.read(descriptor, _BLOCK):
            digest.update(block)
        return digest.digest()
    finally:
        os.close(descriptor)
