"""Read single objects of git by their names, each hashed: a name is the digest of the content."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from msgspec import Struct

from verigate.errors import SubjectError
from verigate.subject.git import Git

MOST_BYTES = 256 * 1024 * 1024
"""Bytes that one reader reads in all."""

_HINT = "fetch it with git first, or run git fsck"


class TreeItem(Struct, frozen=True):
    """One entry of a tree object: its name as bytes, its mode as git writes it (``40000`` is a tree), its id."""

    name: bytes
    mode: bytes
    oid: str


class ObjectReader:
    """Reads through one ``git cat-file --batch``; ``open_objects`` makes it."""

    def __init__(self, asks: IO[bytes], answers: IO[bytes], object_format: str) -> None:
        self._asks = asks
        self._answers = answers
        self._format = object_format
        self._left = MOST_BYTES

    def read_root(self, commit: str) -> str:
        """Return the id of a commit's tree."""
        return self.read(commit, b"commit")[5:].split(b"\n", 1)[0].decode("ascii", "replace")

    def read_tree(self, oid: str) -> tuple[TreeItem, ...]:
        """Return the entries of a tree. Raises SubjectError for one that git would not write."""
        content, length = self.read(oid, b"tree"), hashlib.new(self._format, usedforsecurity=False).digest_size
        found: dict[bytes, TreeItem] = {}
        place = 0
        while place < len(content):
            end = content.find(b"\0", place)
            mode, _, name = content[place:end].partition(b" ")
            raw = content[end + 1 : end + 1 + length]
            place = end + 1 + length
            forbidden = not name or b"/" in name or name in {b".", b".."} or name.lower() == b".git" or name in found
            if end < 0 or len(raw) != length or forbidden:
                raise SubjectError(f"the tree {oid} can't be read", where="git", hint="run git fsck")
            found[name] = TreeItem(name, mode, raw.hex())
        return tuple(found.values())

    def read(self, oid: str, kind: bytes) -> bytes:
        """Return the content of an object of this kind. Raises SubjectError if it is missing, changed or too large."""
        try:
            self._asks.write(f"{oid}\n".encode("ascii"))
            self._asks.flush()
        except (BrokenPipeError, UnicodeEncodeError) as problem:
            raise SubjectError(f"the object {oid} can't be read", where="git", hint=_HINT) from problem
        answer = self._answers.readline().split()
        if len(answer) != 3:
            raise SubjectError(f"the object {oid} is not in this repository", where="git", hint=_HINT)
        size = int(answer[2])
        if answer[1] != kind:
            raise SubjectError(f"the object {oid} is no {kind.decode()}", where="git", hint="run git fsck")
        self._left -= size
        if self._left < 0:
            hint = "keep large files out of adapters/, config/ and hooks/"
            raise SubjectError(f"the policy has more than {MOST_BYTES} bytes", where="git", hint=hint)
        content = self._answers.read(size)
        self._answers.read(1)
        digest = hashlib.new(self._format, b"%s %d\0" % (kind, size), usedforsecurity=False)
        digest.update(content)
        if digest.hexdigest() != oid:
            message = f"the object {oid} can't be trusted: its content doesn't match its name"
            raise SubjectError(message, where="git", hint="run git fsck")
        return content


@contextmanager
def open_objects(git: Git, object_format: str) -> Iterator[ObjectReader]:
    """Open a reader of the objects that ``git`` sees; ``object_format`` is ``sha1`` or ``sha256``."""
    argv = (git.program, *git.options, "cat-file", "--batch")
    with subprocess.Popen(
        argv, cwd=git.cwd, env=git.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise ValueError("both ends are pipes")
        try:
            yield ObjectReader(process.stdin, process.stdout, object_format)
        finally:
            process.kill()
