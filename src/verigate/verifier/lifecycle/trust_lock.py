"""Lock a user's file against other processes and threads, by a file next to it, as the file itself is replaced.

The lock's file remembers that a run made the user's file. Where there is nothing to remember it is removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

_MADE = b"made by a run of the gate\n"


class HeldLock:
    """A lock that is held. ``is_made`` says that a run made the user's file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.is_made = os.pread(descriptor, len(_MADE), 0) == _MADE

    def note_made(self) -> None:
        """Remember that the user's file is made now."""
        os.pwrite(self._descriptor, _MADE, 0)
        self.is_made = True

    def forget_made(self) -> None:
        """Forget it: the file is gone."""
        os.ftruncate(self._descriptor, 0)
        self.is_made = False


@contextlib.contextmanager
def hold_lock(target: Path) -> Iterator[HeldLock]:
    """Hold the lock of a file until the block ends. Raises OSError."""
    path = target.with_name(f".{target.name}.verigate-lock")
    descriptor = _open_locked(path)
    try:
        lock = HeldLock(descriptor)
        if lock.is_made and not target.exists():
            lock.forget_made()
        yield lock
        if not lock.is_made:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _open_locked(path: Path) -> int:
    """Open and lock a lock's file. One that another run removed meanwhile is no lock any more: it is opened again."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    while True:
        descriptor = os.open(path, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            mine, there = os.fstat(descriptor), path.lstat()
            if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:  # closed whatever ends it, and raised again
            os.close(descriptor)
            raise
        os.close(descriptor)
