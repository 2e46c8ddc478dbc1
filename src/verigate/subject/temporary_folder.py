"""Private temporary folders of runs: created with a lock, removed at the end, and cleaned up after a killed run."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Callable, Iterator, Mapping

from verigate.errors import ExecutionError
from verigate.removal import remove
from verigate.subject.outside_programs import is_below

PREFIX = "verigate-run-"
_LOCK = "lock"
_MARK = b"verigate run "
_ABANDONED_NS = 600_000_000_000


@contextlib.contextmanager
def open_temporary_folder(environ: Mapping[str, str], outside: str, now: Callable[[], int]) -> Iterator[str]:
    """Open a folder of mode 0700 below TMPDIR, /tmp or /var/tmp, and never below the folder ``outside``.

    It holds a file ``lock`` with the process id, locked with flock(2) as long as the process lives; folders with such a
    lock that nobody holds are removed first. ``now`` in nanoseconds since the epoch. Raises ExecutionError if there is
    no room.
    """
    parent = _choose_parent(environ, outside)
    remove_stale_folders(parent, now)
    try:
        path = f"{parent}/{PREFIX}{os.urandom(8).hex()}"
        os.mkdir(path, 0o700)  # as tempfile.mkdtemp does it, which takes 2 ms to load
        try:
            lock = _make_lock(path)
        except OSError:
            with contextlib.suppress(OSError):
                remove(os.fsencode(path))
            raise
    except OSError as error:
        hint = "make room there, or set TMPDIR"
        raise ExecutionError(f"can't create a temporary folder: {error.strerror}", where=parent, hint=hint) from error
    try:
        yield path
    finally:
        # The next run removes what can't be removed now; the verdict doesn't depend on it.
        with contextlib.suppress(OSError):
            _remove_lock_last(path)
        os.close(lock)


def remove_stale_folders(parent: str, now: Callable[[], int]) -> int:
    """Remove folders of runs that were killed; return how many.

    Folders of other users are left alone, and so is one that only has such a name: without a lock of ours in it, only
    an empty folder is removed.
    """
    swept = 0
    try:
        with os.scandir(parent) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(PREFIX)]
    except OSError:
        return 0
    for name in names:
        path = f"{parent}/{name}"
        with contextlib.suppress(OSError):
            if _is_stale(path):
                _remove_lock_last(path)
                swept += 1
            elif _is_old(path, now):
                if os.listdir(path) == [f"{_LOCK}.new"]:
                    os.unlink(f"{path}/{_LOCK}.new")
                os.rmdir(path)
                swept += 1
    return swept


def _remove_lock_last(path: str) -> None:
    # If the removal is interrupted, the lock still shows whose folder this is.
    for name in os.listdir(path):
        if name != _LOCK:
            remove(os.fsencode(f"{path}/{name}"))
    remove(os.fsencode(path))


def _is_ours(path: str) -> bool:
    info = os.lstat(path)
    return stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid()


def _is_stale(path: str) -> bool:
    if not _is_ours(path):
        return False
    try:
        lock = os.open(f"{path}/{_LOCK}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        if not os.read(lock, 100).startswith(_MARK):
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _is_old(path: str, now: Callable[[], int]) -> bool:
    # A run killed before it took its lock leaves an empty folder; one that is just starting has a new one.
    return _is_ours(path) and now() - os.lstat(path).st_mtime_ns > _ABANDONED_NS


def _make_lock(path: str) -> int:
    # Lock under another name first: a lock that can be found is held, or its run has ended.
    lock = os.open(f"{path}/{_LOCK}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.write(lock, _MARK + f"{os.getpid()}\n".encode("ascii"))
        os.rename(f"{path}/{_LOCK}.new", f"{path}/{_LOCK}")
    except OSError:
        os.close(lock)
        raise
    return lock


def _choose_parent(environ: Mapping[str, str], outside: str) -> str:
    fence = os.path.realpath(outside)
    for candidate in (environ.get("TMPDIR", ""), "/tmp", "/var/tmp"):  # noqa: S108 - a private folder is made there
        if os.path.isabs(candidate) and os.access(candidate, os.W_OK | os.X_OK) and "\n" not in candidate:
            real = os.path.realpath(candidate)
            if not is_below(real, fence):
                return real
    raise ExecutionError("there is no temporary folder outside the repository", where=outside, hint="set TMPDIR")
