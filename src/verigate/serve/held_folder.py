"""Hold a folder, so that no other server uses it at the same time."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

LOCK = ".lock"


def hold_folder(folder: Path) -> int:
    """Hold a folder until the descriptor that is returned is closed. Raises OSError if another process holds it."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as problem:
        os.close(descriptor)
        raise OSError(errno.EBUSY, "another server uses it") from problem
    return descriptor
