"""Allow one run at a time per task. The kernel releases the lock when the process ends, even if it is killed."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verigate.errors import ExecutionError, LockedError

LOCKS_FOLDER = ".locks"


@contextmanager
def task_lock(artifacts: Path, task_id: str) -> Iterator[None]:
    """Hold the lock of a task.

    Raises LockedError, with the holder's process id, if another run holds it; ExecutionError if it can't be created.
    """
    folder = artifacts / LOCKS_FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _open_lock_file(folder / task_id)
    except OSError as problem:
        raise ExecutionError(
            f"the lock of task {task_id} can't be taken: {problem.strerror}",
            where=str(problem.filename or folder / task_id),
            hint="remove what is there, or make the folder writable",
        ) from problem
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            raise LockedError(
                f"task {task_id} is being verified by another run (process {holder})",
                where=str(folder / task_id),
                hint="wait for that run to end, or end it; this releases the lock",
            ) from held
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _open_lock_file(path: Path) -> int:
    # Non-blocking: there may be a named pipe.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "it is not a regular file", str(path))
