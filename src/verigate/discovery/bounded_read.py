"""Read an untrusted file: only a regular one, and only up to a limit."""

from __future__ import annotations

import errno
import os
import stat

MAX_MANIFEST_BYTES = 4 * 1024 * 1024


def read_bounded(path: str) -> bytes:
    """Read a regular file of at most MAX_MANIFEST_BYTES. Raises OSError."""
    # Non-blocking: a named pipe would block forever.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        if status.st_size > MAX_MANIFEST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than the {MAX_MANIFEST_BYTES} bytes that are read", path)
        # A single unbuffered read: there may be a thousand manifests.
        return os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)
