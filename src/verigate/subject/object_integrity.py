"""Verify that git's objects match their names.

A name is the digest of the content, but git doesn't compute it again when it reads. Whoever can write to a repository's
object store can put other content under a name; then the checkout is not the tree that the verdict names.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import IO, Protocol

from verigate.errors import SubjectError
from verigate.subject.git import Git

_AT_A_TIME = 500
"""Names requested before answers are read: fewer bytes than a pipe holds, or both sides would block."""

_CHUNK = 1 << 20
_SHA256_DIGITS = 64
_TREE, _COMMIT, _SUBMODULE = b"tree", b"commit", b"160000"
_TREE_MODE = b"40000"
_BATCH = ("cat-file", "--batch")


class _Digest(Protocol):
    """A digest of hashlib, which exports no type of it."""

    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


def verify_objects(git: Git, roots: Iterable[str], object_format: str, known: Iterable[bytes] = ()) -> frozenset[bytes]:
    """Read the commits and trees ``roots`` with everything below them, except parents, and hash what is read.

    ``roots`` are full ids, ``object_format`` is ``sha1`` or ``sha256``. Missing objects are skipped: whatever needs
    them reports them. So is what is ``known``, raw names, with everything below. Returns the raw names of what was
    read. Raises SubjectError for an object whose content doesn't match its name.
    """
    skipped = frozenset(known)
    found = _FoundNames(object_format, skipped)
    found.trees.update(bytes.fromhex(root) for root in roots)
    # Trees first, one level after the other; files are many, and name no others.
    while found.trees or found.files:
        with _open_answers(git) as (asks, answers):
            while names := found.take_trees():
                for start in range(0, len(names), _AT_A_TIME):
                    some = names[start : start + _AT_A_TIME]
                    _request(asks, some)
                    _read_answers(answers, some, found)
            few = found.take_files() if len(found.files) <= _AT_A_TIME else ()
            if few:
                _request(asks, few)
                _read_answers(answers, few, found)
        if found.files:
            _verify_many(git, found)
    return frozenset(found.known - skipped)


def verify_single(git: Git, names: Iterable[bytes], object_format: str) -> None:
    """Hash the objects with these raw names, and nothing below them. Missing ones are skipped. Raises SubjectError."""
    found = _FoundNames(object_format)
    found.files.update(names)
    _verify_many(git, found)


def list_children(git: Git, trees: Iterable[str], object_format: str) -> frozenset[bytes]:
    """Hash these trees, and return the raw names of what they contain, without submodules. Raises SubjectError."""
    found = _FoundNames(object_format)
    found.files.update(bytes.fromhex(name) for name in trees)
    _verify_many(git, found)
    return frozenset(found.trees | found.files)


def verify_no_change(git: Git, base: str, tree: str) -> None:
    """Verify the objects of a base from which ``tree`` doesn't differ, though the base's tree has another id.

    Nothing runs then that would read them. The base's ``.artifacts`` may differ. Raises SubjectError as verify_objects.
    """
    done = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{tree}}")
    if done.stdout.strip() == tree.encode("ascii"):
        return
    verify_objects(git, (base, tree), "sha256" if len(tree) == _SHA256_DIGITS else "sha1")


class _FoundNames:
    """Names of objects, as raw bytes, that are still to be read: ``trees`` (and commits), and ``files``.

    What was read, and what needn't be, is ``known``.
    """

    def __init__(self, object_format: str, known: Iterable[bytes] = ()) -> None:
        self.digest: Callable[[bytes], _Digest] = getattr(hashlib, object_format)
        """Starts a digest of the names' kind."""
        self.trees: set[bytes] = set()
        self.files: set[bytes] = set()
        self.known = set(known)
        length = len(self.digest(b"").digest())
        self._entry = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{%d})" % length, re.DOTALL)
        self._rest = length + 2

    def take_trees(self) -> Sequence[bytes]:
        """Return the trees that nobody has read, and count them as read."""
        names = tuple(self.trees - self.known)
        self.known.update(names)
        self.trees.clear()
        return names

    def take_files(self) -> Sequence[bytes]:
        """Return the files that nobody has read, and count them as read."""
        names = tuple(self.files - self.known)
        self.known.update(names)
        self.files.clear()
        return names

    def add_children(self, kind: bytes, content: bytes) -> None:
        """Add what a commit or a tree names, without submodules. Raises ValueError for a tree that can't be parsed."""
        if kind == _COMMIT:
            self.trees.add(bytes.fromhex(content[5:].split(b"\n", 1)[0].decode("ascii")))
            return
        entries = self._entry.findall(content)
        if sum(len(mode) + len(path) + self._rest for mode, path, _ in entries) != len(content):
            raise ValueError("something in it is no entry")
        self.trees.update(name for mode, _, name in entries if mode == _TREE_MODE)
        self.files.update(name for mode, _, name in entries if mode not in {_TREE_MODE, _SUBMODULE})


@contextlib.contextmanager
def _open_answers(git: Git) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Start a git that answers each name at once, and yield where it is asked and where it answers."""
    with subprocess.Popen(
        (git.program, *git.options, *_BATCH),
        cwd=git.cwd,
        env=git.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=_CHUNK,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise ValueError("both ends are pipes")
        if git.meanwhile is not None:
            next(git.meanwhile, None)
        yield process.stdin, process.stdout
        process.stdin.close()


def _verify_many(git: Git, found: _FoundNames) -> None:
    """Read all of the files with one request, of which git writes the answers many at a time."""
    names = found.take_files()
    if not names:
        return
    with tempfile.TemporaryFile() as asked:
        asked.write(_encode(names))
        asked.seek(0)
        with subprocess.Popen(
            (git.program, *git.options, *_BATCH, "--buffer"),
            cwd=git.cwd,
            env=git.environ,
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=_CHUNK,
        ) as process:
            if process.stdout is None:
                raise ValueError("the end is a pipe")
            with contextlib.suppress(OSError):
                # Each time that the pipe is full, git waits for this process.
                fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _CHUNK)
            _read_answers(process.stdout, names, found)


def _encode(names: Collection[bytes]) -> bytes:
    return b"".join(name.hex().encode("ascii") + b"\n" for name in names)


def _request(asks: IO[bytes], names: Sequence[bytes]) -> None:
    try:
        asks.write(_encode(names))
        asks.flush()
    except BrokenPipeError as error:
        raise _integrity_error(names[0], "git ended before it answered") from error


def _read_answers(answers: IO[bytes], names: Iterable[bytes], found: _FoundNames) -> None:
    """Read the answer about each name, and add what these objects name. Raises SubjectError."""
    read_line, read, digest_of = answers.readline, answers.read, found.digest
    for name in names:
        answer = read_line().split()
        if len(answer) != 3:
            if answer[1:] == [b"missing"]:
                continue
            raise _integrity_error(name, "git can't read it")
        _, kind, digits = answer
        size = int(digits)
        is_folder = kind in {_TREE, _COMMIT}
        if size < _CHUNK or is_folder:
            content = read(size)
            digest = digest_of(b"%b %b\0%b" % (kind, digits, content)).digest()
        else:
            content, digest = b"", _read_digest(answers, digest_of(b"%b %b\0" % (kind, digits)), size)
        read(1)
        if digest != name:
            raise _integrity_error(name, "its content doesn't match its name")
        if is_folder:
            try:
                found.add_children(kind, content)
            except ValueError as error:
                raise _integrity_error(name, "its tree can't be parsed") from error


def _read_digest(answers: IO[bytes], digest: _Digest, size: int) -> bytes:
    while size and (chunk := answers.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.digest()


def _integrity_error(name: bytes, why: str) -> SubjectError:
    return SubjectError(f"the object {name.hex()} can't be trusted: {why}", where="git", hint="run git fsck")
