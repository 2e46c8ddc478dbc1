"""Write files whole: readers see the old content or the new one, and what a killed writer leaves is removed later."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

_TRIES = 8
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_whole(
    path: Path, content: bytes, *, mode: int = 0o666, exactly: bool = False, next_to: Path | None = None
) -> None:
    """Replace the content of ``path``, whose folder exists. Raises OSError for it, and then leaves it as it was.

    The content is first written to ``.NAME.part`` next to it, which is locked with flock(2) meanwhile. One of a writer
    that was killed is locked by nobody, and removed by the next. While somebody else keeps that name, another one is
    taken. The file has ``mode``, less the umask unless ``exactly``. ``next_to`` is another path on the same file system
    to write it next to: for files whose names nobody will write again.
    """
    try:
        part, descriptor = _open_part(next_to or path, mode)
        try:
            _fill(descriptor, content, mode if exactly else None)
            part.replace(path)
        except BaseException:  # raised again: whatever ends it, no part is left
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)
    except OSError as problem:
        # What it says is of the file that was wanted; a failed write names none.
        problem.filename, problem.filename2 = os.fspath(path), None
        raise


def remove_parts(folder: Path) -> None:
    """Remove what writers that were killed left in a folder, but for what somebody is writing."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for name in [entry.name for entry in entries if entry.name[0] == "." and entry.name.endswith(".part")]:
            with contextlib.suppress(OSError):
                _remove_abandoned(folder / name)


def _fill(descriptor: int, content: bytes, mode: int | None) -> None:
    if mode is not None:
        os.fchmod(descriptor, mode)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _open_part(path: Path, mode: int) -> tuple[Path, int]:
    """Return a new and locked file next to ``path``, and its descriptor."""
    part = path.with_name(f".{path.name}.part")
    for _ in range(_TRIES):
        try:
            descriptor = os.open(part, _NEW, mode)
        except FileExistsError:
            if _remove_abandoned(part):
                continue
            break
        if _lock(descriptor) and _is_at(descriptor, part):
            return part, descriptor
        os.close(descriptor)  # somebody took it for abandoned before it was locked
    part = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    descriptor = os.open(part, _NEW, mode)
    _lock(descriptor)
    return part, descriptor


def _remove_abandoned(part: Path) -> bool:
    """Remove it unless a process holds its lock; return whether it is gone. Raises OSError for a folder."""
    try:
        descriptor = os.open(part, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    except OSError:
        part.unlink(missing_ok=True)  # a link, or a file that can't be read: no writer has made it
        return True
    try:
        if not _lock(descriptor):
            return False
        if _is_at(descriptor, part):
            part.unlink(missing_ok=True)
        return True
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, part: Path) -> bool:
    try:
        found = part.lstat()
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(descriptor))
