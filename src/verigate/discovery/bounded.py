"""Reading a file that anybody may have put there: a regular one, and not without end."""

from __future__ import annotations

import errno
import os
import stat

MAX_MANIFEST_BYTES = 4 * 1024 * 1024


def read_bounded(path: str) -> bytes:
    """The content of a regular file of at most MAX_MANIFEST_BYTES. Raises OSError."""
    # Not blocking, because a named pipe in this place would hold the gate up for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        if status.st_size > MAX_MANIFEST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than the {MAX_MANIFEST_BYTES} bytes that are read", path)
        # One read and no buffered file around it: there may be a thousand manifests.
        return os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)
