"""A plain folder outside git as the subject: a pristine copy, its digest, and checkouts made from the copy."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Sequence

from msgspec import Struct

from verigate.domain.subject import Change, ChangeKind, Subject, SubjectKind
from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.errors import SubjectError
from verigate.subject.git import decode_path, escape_bytes
from verigate.subject.project_env import is_environment

_ARTIFACTS = os.fsencode(ARTIFACTS_FOLDER)
_LEFT_OUT = frozenset({b".git", b"__pycache__", b"node_modules"})
_BUFFER = 1 << 20


class FolderTree(Struct, frozen=True):
    """The subject's files from the pristine copy at ``pristine``; ``paths`` are its files and links."""

    pristine: str
    paths: tuple[bytes, ...]

    def changes(self) -> Iterator[Change]:
        """Yield every file as added."""
        for path in self.paths:
            mode = os.lstat(os.fsencode(self.pristine) + b"/" + path).st_mode
            yield Change(decode_path(path), ChangeKind.ADDED, stat.S_ISREG(mode) and not mode & 0o100)

    def write(self, checkout: str, name: str) -> None:  # noqa: ARG002 - a folder needs no bookkeeping
        """As in Tree."""
        shutil.copytree(self.pristine, checkout, symlinks=True, dirs_exist_ok=True)

    def put_back(self, checkout: str, name: str, paths: Sequence[bytes]) -> None:  # noqa: ARG002
        """As in Tree."""
        for path in paths:
            target = os.fsencode(checkout) + b"/" + path
            shutil.copy2(os.fsencode(self.pristine) + b"/" + path, target, follow_symlinks=False)

    def write_git(self, folder: str, name: str, ignored: Sequence[bytes], *, based: bool) -> bool:  # noqa: ARG002 - as the protocol has it
        """A plain folder has no git."""
        return False


def copy_folder(root: str, pristine: str) -> tuple[Subject, FolderTree]:
    """Copy the folder ``root`` to ``pristine`` (created here) and digest the copy.

    Excluded are ``.artifacts`` at the top, ``.git``, bytecode, node_modules and virtual environments, and sockets,
    pipes and devices, which are not files. The digest is SHA-256 over ``<path> NUL <mode> NUL <SHA-256 of content or
    link> LF`` in the order of paths. Raises SubjectError for what can't be read.
    """
    os.mkdir(pristine, 0o755)
    top, copy = os.fsencode(root), os.fsencode(pristine)
    lines: list[bytes] = []
    paths: list[bytes] = []
    for path, info in _walk(top, b""):
        source, target = top + b"/" + path, copy + b"/" + path
        try:
            if stat.S_ISDIR(info.st_mode):
                os.mkdir(target, 0o755)
                continue
            if stat.S_ISLNK(info.st_mode):
                text = os.readlink(source)
                os.symlink(text, target)
                mode, digest = b"120000", hashlib.sha256(text).hexdigest()
            else:
                mode = b"100755" if info.st_mode & 0o100 else b"100644"
                digest = _copy_file(source, target, 0o755 if info.st_mode & 0o100 else 0o644)
        except OSError as error:
            raise _unreadable_error(path, error) from error
        paths.append(path)
        lines.append(path + b"\0" + mode + b"\0" + digest.encode("ascii") + b"\n")
    tree = "sha256:" + hashlib.sha256(b"".join(sorted(lines))).hexdigest()
    return Subject(SubjectKind.FOLDER, root, None, tree), FolderTree(pristine, tuple(sorted(paths)))


def _walk(top: bytes, prefix: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
    pending = [prefix]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(top + b"/" + folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            raise _unreadable_error(folder, error) from error
        for entry in entries:
            path = folder + entry.name
            info = entry.stat(follow_symlinks=False)
            if entry.name in _LEFT_OUT or path == _ARTIFACTS:
                continue
            if stat.S_ISDIR(info.st_mode):
                if is_environment(os.fsdecode(entry.path)):
                    continue
                yield path, info
                pending.append(path + b"/")
            elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                yield path, info


def _copy_file(source: bytes, target: bytes, mode: int) -> str:
    # Digest what is written: it is the copy's digest even if the original changes meanwhile.
    digest = hashlib.sha256()
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as original, open(target, "xb") as copy:
        while block := original.read(_BUFFER):
            digest.update(block)
            copy.write(block)
        os.fchmod(copy.fileno(), mode)
    return digest.hexdigest()


def _unreadable_error(path: bytes, error: OSError) -> SubjectError:
    hint = "make it readable, or verify a git repository that ignores it"
    return SubjectError(f"a file of the subject can't be read: {error.strerror}", where=escape_bytes(path), hint=hint)
