"""Describe the packs of object stores, so that a later look shows whether one of them may have changed.

git never writes a pack again: a new one has another name. Objects in packs come before loose ones of the same name.
Sources: gitformat-pack(5) and ``do_oid_object_info_extended`` in git's object-file.c.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from collections.abc import Iterator, Sequence

from msgspec import Struct

from verigate.change_times import has_exact_change_times

_SETTLED_NS = 2_000_000_000
"""So old a change time must be that the next write gets another one, also where a file system counts seconds."""

_MOST_BYTES = 256 * 1024 * 1024
"""Packs that are read as a whole where their times don't show each change."""

_SUFFIXES = (".pack", ".idx", ".rev")
_INDEX_HEAD = b"\377tOc\0\0\0\2"
_FAN = 256 * 4
_CHUNK = 1 << 20


class PackState(Struct, frozen=True):
    """``digest`` is over names, identities and times of all packs and their indexes, or over their content.

    ``newest`` is the newest change time in nanoseconds, 0 where contents are compared.
    """

    digest: str
    newest: int

    def is_settled(self, now: int) -> bool:
        """Whether a change from ``now`` on, in nanoseconds since the epoch, gives another digest."""
        return self.newest + _SETTLED_NS < now


def describe_packs(stores: Sequence[str], *, contents: bool = False) -> PackState | None:
    """Describe the packs of these object folders; None without any, and where a change may not show.

    So it is with a link, and where too much would have to be read. With ``contents`` times don't count: git renews
    those of a pack when it would write one of its objects again.
    """
    digest, newest, size, count = hashlib.sha256(), 0, 0, 0
    try:
        for store in stores:
            exact = not contents and has_exact_change_times(os.path.realpath(f"{store}/pack"))
            digest.update(b"%d %d %s\0" % (exact, len(store), os.fsencode(store)))
            for path in _list_files(store):
                info = os.lstat(path)
                if not stat.S_ISREG(info.st_mode):
                    return None  # of a link not even a change of the target would show
                count += 1
                digest.update(b"%d %s %d\0" % (len(path), os.fsencode(path), info.st_size))
                if exact:
                    newest = max(newest, info.st_ctime_ns)
                    times = (info.st_dev, info.st_ino, info.st_mode, info.st_mtime_ns, info.st_ctime_ns)
                    digest.update(b"%d %d %d %d %d\0" % times)
                    continue
                size += info.st_size
                if size > _MOST_BYTES:
                    return None
                digest.update(_digest_content(path))
    except OSError:
        return None
    return PackState(digest.hexdigest(), newest) if count else None


def list_packed(stores: Sequence[str], length: int) -> set[bytes] | None:
    """List the names, of ``length`` bytes each, of all objects in packs; None where an index can't be read.

    Source: gitformat-pack(5), version 2 of the index.
    """
    found: set[bytes] = set()
    try:
        for path in (path for store in stores for path in _list_files(store) if path.endswith(".idx")):
            with open(path, "rb") as file:
                head = file.read(len(_INDEX_HEAD) + _FAN)
                if not head.startswith(_INDEX_HEAD) or len(head) < len(_INDEX_HEAD) + _FAN:
                    return None
                names = file.read(struct.unpack(">I", head[-4:])[0] * length)
            found.update(names[start : start + length] for start in range(0, len(names), length))
    except OSError:
        return None
    return found


def _list_files(store: str) -> Iterator[str]:
    folder = f"{store}/pack"
    if os.path.isdir(folder):
        yield from (f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.endswith(_SUFFIXES))


def _digest_content(path: str) -> bytes:
    digest = hashlib.sha256()
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()
