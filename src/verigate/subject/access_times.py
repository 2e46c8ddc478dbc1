"""Find out whether a file was read, by its access time.

Linux moves the access time of a file on the first read after it was set to a day long past (``relatime``, mount(8)).
Where it doesn't (``noatime``), or the file was replaced, it counts as read.
"""

from __future__ import annotations

import os

_LONG_PAST_NS = 946_684_800 * 1_000_000_000
"""2000-01-01, in nanoseconds since the epoch."""


def reset_access(path: str) -> None:
    """Set a file's access time to a day long past. Raises OSError."""
    os.utime(path, ns=(_LONG_PAST_NS, os.stat(path).st_mtime_ns))


def was_read(path: str) -> bool:
    """Whether a file was read, replaced or removed since ``reset_access``."""
    try:
        return os.lstat(path).st_atime_ns != _LONG_PAST_NS
    except OSError:
        return True


def shows_reads(folder: str) -> bool:
    """Whether reads are seen in this folder, tried with a file. Raises OSError."""
    path = f"{folder}/read-or-not"
    with open(path, "wb") as file:
        file.write(b"?")
    reset_access(path)
    unread = not was_read(path)
    with open(path, "rb") as file:
        file.read()
    seen = was_read(path)
    os.unlink(path)
    return unread and seen
