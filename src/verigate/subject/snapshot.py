"""Snapshots of a checkout, and what changed since: by inode and change time, which no program can set.

git's own index compares whole seconds, sees neither empty folders nor modes, and trusts the ``.git`` that adapters can
write to. A change time can't be set back; but the kernel's clock for it advances only every ten milliseconds or so, so
nothing may start before that much time has passed since the newest file was made (``settle``). Where a file system has
no exact change times, contents are read as well.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Mapping

Mark = tuple[int, int, int, int, bytes]
"""Mode, inode, size in bytes, change time in nanoseconds, digest; for a folder only the mode, the rest is 0 and empty.

The digest is empty unless contents are read.
"""

Snapshot = Mapping[bytes, Mark]
"""Marks by path relative to the checkout. Folders are listed, the checkout itself is not."""

_NOTHING: Mark = (0, 0, 0, 0, b"")
_CHUNK = 1 << 20
_TICK_NS = 11_000_000
_COARSE_NS = 2_000_000_000


def take(root: bytes, expected: Snapshot | None = None, *, contents: bool = False) -> dict[bytes, Mark]:
    """Take a snapshot of everything below ``root``, without following links.

    Only ``expected`` folders are entered (None: all), so that an unexpected deep tree costs nothing. A folder that
    can't be listed counts as empty: then its expected content is missing. With ``contents`` files are read, but only
    those that otherwise look as expected: an unexpected file may be endless.
    """
    found: dict[bytes, Mark] = {}
    pending = [b""]
    while pending:
        prefix = pending.pop()
        try:
            entries = os.scandir(root + b"/" + prefix)
        except OSError:
            continue
        with entries:
            for entry in entries:
                path = prefix + entry.name
                info = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(info.st_mode):
                    found[path] = (info.st_mode, 0, 0, 0, b"")
                    if expected is None or is_folder(expected.get(path, _NOTHING)):
                        pending.append(path + b"/")
                else:
                    mark = (info.st_mode, info.st_ino, info.st_size, info.st_ctime_ns)
                    as_before = expected is None or expected.get(path, _NOTHING)[:4] == mark
                    read = contents and as_before and stat.S_ISREG(info.st_mode)
                    found[path] = (*mark, _digest(root + b"/" + path, info.st_size) if read else b"")
    return found


def _digest(path: bytes, size: int) -> bytes:
    """Digest a file that seemed to have ``size`` bytes; empty if it can't be read. Most are small, and are many."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        digest, step = hashlib.sha256(), min(size, _CHUNK) + 1
        while part := os.read(handle, step):
            digest.update(part)
        return digest.digest()
    except OSError:
        return b""
    finally:
        os.close(handle)


def is_folder(mark: Mark) -> bool:
    """Whether this mark is a folder's."""
    return stat.S_ISDIR(mark[0])


def settle(snapshot: Snapshot, now: Callable[[], int], sleep: Callable[[float], None]) -> None:
    """Wait until any later change to these files gets a change time of its own.

    ``now`` in nanoseconds since the epoch, ``sleep`` in seconds. A file system that counts whole seconds is recognised
    by its times, and the wait is longer there.
    """
    times = [mark[3] for mark in snapshot.values() if not is_folder(mark)]
    if not times:
        return
    coarse = len(times) > 3 and not any(time % 1_000_000_000 for time in times)
    rest = max(times) + (_COARSE_NS if coarse else _TICK_NS) - now()
    # A change time far in the future comes from a file system with its own clock: wait one full step at most.
    if rest > 0:
        sleep(min(rest, _COARSE_NS if coarse else _TICK_NS) / 1e9)
