"""Which file systems give every written file a new change time.

tmpfs doesn't: it isn't notified of a write through a mapping to a page that was read first, since nothing has to be
written back. Source: mm/memory.c and mm/shmem.c of Linux, and an experiment with 6.18.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_KEEPING = frozenset({b"ext2", b"ext3", b"ext4", b"xfs", b"btrfs", b"f2fs"})
"""File systems notified before a clean page is written (``page_mkwrite``). The layers of an overlay can't be seen."""

_ESCAPED = re.compile(rb"\\([0-7]{3})")
_MOUNTS = Path("/proc/self/mountinfo")


def has_exact_change_times(path: str) -> bool:
    """Whether a write to a file below ``path`` (absolute, no links) always changes its change time; False in doubt."""
    try:
        return find_file_system(os.fsencode(path), _MOUNTS.read_bytes()) in _KEEPING
    except OSError:
        return False


def find_file_system(path: bytes, mounts: bytes) -> bytes:
    """Find the type of the file system at ``path`` in mountinfo, proc_pid_mountinfo(5); empty if none fits."""
    best, kind = b"", b""
    for line in mounts.splitlines():
        fields, _, after = line.partition(b" - ")
        words = fields.split(b" ")
        if len(words) < 5 or not after:
            continue
        place = _ESCAPED.sub(lambda found: bytes([int(found[1], 8)]), words[4]).rstrip(b"/")
        # Of two mounts at one path the later one is visible.
        if (path == place or path.startswith(place + b"/")) and len(place) >= len(best):
            best, kind = place, after.split(b" ", 1)[0]
    return kind
