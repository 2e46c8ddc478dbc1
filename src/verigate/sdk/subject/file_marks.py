"""Tell whether a file was written to since: by what ``lstat`` says, and on some file systems by its content."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import NamedTuple

from verigate.change_times import has_exact_change_times

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
    with open(path, "rb", opener=_open) as stream:
        digest = sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
        return digest.digest()


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
