"""The user's caches of evidence: what lies in them, whether it is whole, and removing it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from verigate.errors import UsageError
from verigate.execution.evidence_cache import CacheEntry, EvidenceCache
from verigate.formats.near_names import suggest_name
from verigate.user_folders import UserFolders

CACHES: Mapping[str, str] = {
    "evidence": "artifacts of capabilities that declare inputs",
    "runs": "what capabilities found in the last hour",
    "outcomes": "digests of all that they found",
    "indexes": "indexes that were judged",
    "commits": "commits that were verified",
    "objects": "which objects of large repositories were verified",
    "fleet": "what interrupted runs of many found",
}
"""Name of a cache, and of its folder -> what its entries are."""


class CacheStats(NamedTuple):
    """One cache: how many entries and bytes, and the ages of the oldest and the newest entry in seconds."""

    name: str
    holds: str
    entries: int
    size: int
    oldest_s: float | None
    newest_s: float | None


def open_caches(environ: Mapping[str, str], root: Path | None, names: Sequence[str] = ()) -> dict[str, EvidenceCache]:
    """Open the caches of these names, all without one. Raises UsageError for another name, and without a folder."""
    for name in names:
        if name not in CACHES:
            raise UsageError(f"there is no cache {name!r}", where="NAME", hint=suggest_name(name, tuple(CACHES)))
    folders = UserFolders(environ, None if root is None else str(root))
    found = {name: EvidenceCache.from_user(folders, name) for name in names or CACHES}
    opened = {name: cache for name, cache in found.items() if cache is not None}
    if not opened:
        hint = "set HOME, or XDG_CACHE_HOME and XDG_STATE_HOME, to folders outside the repository"
        raise UsageError("there is no folder for caches", where="XDG_CACHE_HOME", hint=hint)
    return opened


def survey(caches: Mapping[str, EvidenceCache]) -> list[CacheStats]:
    """Return what lies in each cache."""
    now, found = time.time(), []
    for name, cache in caches.items():
        entries = list(cache.list_entries())
        ages = [now - entry.stored for entry in entries]
        size = sum(entry.size for entry in entries)
        oldest, newest = (max(ages), min(ages)) if ages else (None, None)
        found.append(CacheStats(name, CACHES[name], len(entries), size, oldest, newest))
    return found


def find_broken(caches: Mapping[str, EvidenceCache]) -> Iterator[tuple[str, CacheEntry]]:
    """Yield the entries that nobody would use: cut, changed, under another key, or written with another secret."""
    for name, cache in caches.items():
        yield from ((name, entry) for entry in cache.list_entries() if cache.lookup(entry.key) is None)


def prune(caches: Mapping[str, EvidenceCache], older_than_s: float) -> dict[str, tuple[int, int]]:
    """Remove entries that were stored longer ago; return how many and how many bytes, by cache. Raises OSError."""
    now = time.time()
    removed: dict[str, tuple[int, int]] = {}
    for name, cache in caches.items():
        gone = [entry for entry in cache.list_entries() if now - entry.stored >= older_than_s]
        for entry in gone:
            cache.remove(entry.key)
        removed[name] = (len(gone), sum(entry.size for entry in gone))
    return removed
