"""Remember which documents were valid: what hasn't changed since the last run isn't validated again.

A mark is an empty file in the caller's cache. Its name is the digest of the gate's version, the schema and the
document's bytes, so it only states that these bytes are well-formed; their content is read and judged on every run.
Sandboxed adapters don't see the folder. Marks may be removed at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from functools import cache
from pathlib import Path
from typing import Any

from verigate import __version__
from verigate.user_folders import UserFolders

MOST_MARKS = 4096
"""The most marks that are kept; the next one removes them all."""

LARGEST = 1_048_576
"""Bytes of a document; a larger one is validated on each run."""


class _Cache:
    folder: str | None = None


def use_cache(folders: UserFolders) -> None:
    """Keep marks in the user's cache from now on. Before this call none is kept."""
    _Cache.folder = folders.cache("valid")


def is_marked_valid(schema: bytes, source: bytes) -> bool:
    """Return whether a document was valid by this schema before."""
    folder = _Cache.folder
    if folder is None or len(source) > LARGEST or not _is_own(folder):
        return False
    return os.path.exists(f"{folder}/{_name_mark(schema, source)}")  # noqa: PTH110 - a Path takes longer


def mark_valid(schema: bytes, source: bytes) -> None:
    """Mark a document as valid. A cache that can't be written is no error: the next run is slower."""
    folder = _Cache.folder
    if folder is None or len(source) > LARGEST:
        return
    with contextlib.suppress(OSError):
        Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_own(folder):
            return
        marks = os.listdir(folder)  # noqa: PTH208 - thousands of them
        for mark in marks if len(marks) >= MOST_MARKS else ():
            Path(folder, mark).unlink()
        Path(folder, _name_mark(schema, source)).touch(mode=0o600)


def _name_mark(schema: bytes, source: bytes) -> str:
    digest = _hash_schema(schema).copy()
    digest.update(source)
    name: str = digest.hexdigest()
    return name


@cache
def _hash_schema(schema: bytes) -> Any:
    return hashlib.sha256(f"{__version__}\0{len(schema)}\0".encode() + schema)


def _is_own(folder: str) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
