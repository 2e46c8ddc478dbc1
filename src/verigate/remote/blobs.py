"""Blobs of a content-addressable storage, by their digests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Digest(NamedTuple):
    """SHA-256 in lower-case hex, and the size in bytes."""

    hash: str
    size: int

    @classmethod
    def of(cls, content: bytes) -> Digest:
        """Compute the digest of a blob."""
        return cls(hashlib.sha256(content).hexdigest(), len(content))

    @property
    def is_valid(self) -> bool:
        """Whether it can be a digest at all."""
        return _SHA256.fullmatch(self.hash) is not None and self.size >= 0

    def __str__(self) -> str:
        """As resource names have it."""
        return f"{self.hash}/{self.size}"


def split_batches(digests: Iterable[Digest], limit: int, overhead: int) -> Iterator[list[Digest]]:
    """Split into batches of at most ``limit`` bytes, each digest with ``overhead``; none may be larger by itself."""
    batch: list[Digest] = []
    total = 0
    for digest in digests:
        weight = digest.size + overhead
        if batch and total + weight > limit:
            yield batch
            batch, total = [], 0
        batch.append(digest)
        total += weight
    if batch:
        yield batch
