"""One run at a time per task. The kernel drops the lock with the process, so that no kill leaves it stuck."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verigate.errors import LockedError


@contextmanager
def task_lock(artifacts: Path, task_id: str) -> Iterator[None]:
    """Hold the lock of a task. Raises LockedError, with the holder's process id, if another run holds it."""
    folder = artifacts / ".locks"
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / task_id, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            raise LockedError(
                f"task {task_id} is being verified by another run (process {holder})",
                where=str(folder / task_id),
                hint="wait for it to end, or end it; the lock goes with the process",
            ) from held
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
