"""A private build cache for go that starts with what the user's cache holds. What is compiled is stored in it alone.

Source: cmd/go/internal/cache of Go 1.19 to 1.25. Entries are ``00`` to ``ff``/HASH-a (what an action made) and HASH-d
(its content). go writes new ones next to them, and fails where it can't. Without a sandbox it also renews the times of
the user's entries that it uses, as it does outside.
"""

from __future__ import annotations

import os
import time
from heapq import nlargest
from pathlib import Path

MAX_LINKS = 100_000
MAX_LINKS_ON_DISK = 5_000
"""A link of this length needs a block of its own on ext4: up to a millisecond, where memory takes 20 microseconds."""

_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - a sandbox's own, see below


def open_build_cache(source: Path, home: Path) -> Path:
    """Return a build cache below ``home`` or in memory, with a link to each of the newest entries of ``source``."""
    target = (_SHARED_MEMORY if _is_private(_SHARED_MEMORY) else home / ".cache") / "go-build"
    if not target.exists():
        _fill(source, target, MAX_LINKS if target.is_relative_to(_SHARED_MEMORY) else MAX_LINKS_ON_DISK)
    return target


def _is_private(folder: Path) -> bool:
    """Whether this is the sandbox's own: bubblewrap's /dev is one tmpfs, a machine's has another below it."""
    try:
        return folder.stat().st_dev == folder.parent.stat().st_dev and os.access(folder, os.W_OK)
    except OSError:
        return False


def _fill(source: Path, target: Path, limit: int) -> None:
    target.mkdir(parents=True)
    found: list[tuple[float, str]] = []
    for number in range(256):
        part = f"{number:02x}"
        (target / part).mkdir()
        try:
            with os.scandir(source / part) as entries:
                found += [(entry.stat().st_mtime, f"{part}/{entry.name}") for entry in entries]
        except OSError:
            continue
    # go touches what it uses, so the newest are what this machine's projects need.
    for _, entry in nlargest(limit, found) if len(found) > limit else found:
        os.symlink(f"{source}/{entry}", f"{target}/{entry}")  # noqa: PTH211 - thousands of calls
    # Without it go looks for entries that are too old before it ends.
    (target / "trim.txt").write_text(str(int(time.time())))
