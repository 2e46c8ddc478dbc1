"""Verify that git's objects match their names.

A name is the digest of the content, but git doesn't compute it again when it reads. Whoever can write to a repository's
object store can put other content under a name; then the checkout is not the tree that the verdict names.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from verigate.errors import SubjectError
from verigate.subject.git import Git

_AT_A_TIME = 500
"""Names requested before answers are read: fewer bytes than a pipe holds, or both sides would block."""

_CHUNK = 1 << 20
_SHA256_DIGITS = 64
_TREE, _COMMIT, _SUBMODULE = b"tree", b"commit", b"160000"


def verify_objects(git: Git, roots: Iterable[str], object_format: str) -> None:
    """Read the commits and trees ``roots`` with everything below them, except parents, and hash what is read.

    ``roots`` are full ids, ``object_format`` is ``sha1`` or ``sha256``. Missing objects are skipped: whatever needs
    them reports them. Raises SubjectError for an object whose content doesn't match its name.
    """
    argv = (git.program, *git.options, "cat-file", "--batch")
    with subprocess.Popen(
        argv,
        cwd=git.cwd,
        env=git.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=_CHUNK,
    ) as process:
        asks, answers = process.stdin, process.stdout
        if asks is None or answers is None:
            raise ValueError("both ends are pipes")
        if git.meanwhile is not None:
            next(git.meanwhile, None)
        wanted = dict.fromkeys(root.encode("ascii") for root in roots)
        known = set(wanted)
        while wanted:
            found: dict[bytes, None] = {}
            names = list(wanted)
            for start in range(0, len(names), _AT_A_TIME):
                some = names[start : start + _AT_A_TIME]
                _request(asks, some)
                for name in some:
                    found.update(dict.fromkeys(_read_children(answers, name, object_format)))
            wanted = {name: None for name in found if name not in known}
            known.update(wanted)
        asks.close()


def verify_no_change(git: Git, base: str, tree: str) -> None:
    """Verify the objects of a base from which ``tree`` doesn't differ, though the base's tree has another id.

    Nothing runs then that would read them. The base's ``.artifacts`` may differ. Raises SubjectError as verify_objects.
    """
    done = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{tree}}")
    if done.stdout.strip() == tree.encode("ascii"):
        return
    verify_objects(git, (base, tree), "sha256" if len(tree) == _SHA256_DIGITS else "sha1")


def _request(asks: IO[bytes], names: Sequence[bytes]) -> None:
    try:
        asks.write(b"".join(name + b"\n" for name in names))
        asks.flush()
    except BrokenPipeError as error:
        raise _integrity_error(names[0], "git ended before it answered") from error


def _read_children(answers: IO[bytes], name: bytes, object_format: str) -> Iterator[bytes]:
    """Read the answer about the object ``name`` and yield the names that it refers to."""
    answer = answers.readline().split()
    if len(answer) != 3:
        if answer[1:] == [b"missing"]:
            return
        raise _integrity_error(name, "git can't read it")
    _, kind, size = answer
    keep = kind in {_TREE, _COMMIT}
    digest, content = _read_digest(answers, b"%s %d\0" % (kind, int(size)), int(size), object_format, keep=keep)
    if digest.hexdigest().encode("ascii") != name:
        raise _integrity_error(name, "its content doesn't match its name")
    if kind == _COMMIT:
        yield content[5 : 5 + len(name)]
    elif kind == _TREE:
        try:
            yield from _parse_tree(content, digest.digest_size)
        except ValueError as error:
            raise _integrity_error(name, "its tree can't be parsed") from error


def _read_digest(
    answers: IO[bytes], head: bytes, size: int, object_format: str, *, keep: bool
) -> tuple[hashlib._Hash, bytes]:
    digest = hashlib.new(object_format, head, usedforsecurity=False)
    kept: list[bytes] = []
    while size and (chunk := answers.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
        if keep:
            kept.append(chunk)
    answers.read(1)
    return digest, b"".join(kept)


def _parse_tree(tree: bytes, length: int) -> Iterator[bytes]:
    """Yield the names in a tree's content (mode, blank, path, NUL, ``length`` bytes of id), without submodules."""
    place = 0
    while place < len(tree):
        end = tree.index(b"\0", place) + 1
        if not tree.startswith(_SUBMODULE + b" ", place):
            yield tree[end : end + length].hex().encode("ascii")
        place = end + length


def _integrity_error(name: bytes, why: str) -> SubjectError:
    shown = name.decode("ascii")
    return SubjectError(f"the object {shown} can't be trusted: {why}", where="git", hint="run git fsck")
