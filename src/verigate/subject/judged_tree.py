"""Compute which tree is verified of a commit: the one without ``.artifacts``. Nothing is written to the repository."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from verigate.errors import SubjectError
from verigate.subject.git import Git
from verigate.subject.resolve_subject import ARTIFACTS

_ALGORITHMS = {20: "sha1", 32: "sha256"}
"""By the length of an id in bytes."""


def find_judged_trees(git: Git, names: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the trees that are verified of these commits or trees, in their order.

    ``names`` are full ids. Raises SubjectError for one that git doesn't have.
    """
    asked = "".join(f"{name}^{{tree}}\n" for name in names).encode("ascii")
    out = git.run("cat-file", "--batch", stdin=asked) if names else b""
    found, place = [], 0
    for name in names:
        line, _, _ = out[place : place + 200].partition(b"\n")
        oid, _, kind_and_size = line.partition(b" ")
        kind, _, size = kind_and_size.partition(b" ")
        if kind != b"tree" or not size.isdigit():
            raise SubjectError(f"{name} has no tree here", where=git.cwd, hint="git fetch it")
        start = place + len(line) + 1
        found.append(_leave_out_artifacts(oid.decode("ascii"), out[start : start + int(size)]))
        place = start + int(size) + 1
    return tuple(found)


def _leave_out_artifacts(oid: str, content: bytes) -> str:
    """Return the id of a tree without ``.artifacts``; ``content`` is what the tree's object has."""
    entries = tuple(_split_entries(content, len(oid) // 2))
    kept = [entry for entry in entries if not entry.partition(b" ")[2].startswith(ARTIFACTS + b"\0")]
    if len(kept) == len(entries):
        return oid
    joined = b"".join(kept)
    algorithm = _ALGORITHMS[len(oid) // 2]
    return hashlib.new(algorithm, b"tree %d\0" % len(joined) + joined, usedforsecurity=False).hexdigest()


def _split_entries(content: bytes, id_length: int) -> Iterator[bytes]:
    """Yield the entries of a tree's object: ``mode SP name NUL id``, the id as bytes."""
    start = 0
    while start < len(content):
        end = content.index(b"\0", start) + 1 + id_length
        yield content[start:end]
        start = end
