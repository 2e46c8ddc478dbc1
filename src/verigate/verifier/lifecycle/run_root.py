"""Run roots: a private folder for the engines of each task of each repository, outside of every subject.

``$XDG_STATE_HOME/verigate/engines/run-<digest>``, the same each time: programs find their sessions by working folder.
A run holds a lock in its root; a root that isn't locked belongs to a finished run. A root that another run holds, or
that can't be created, is replaced by a temporary one, without sessions.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from verigate.user_folders import UserFolders

PREFIX = "verigate-engine-run-"
_HELD = ".held"
_NAME = re.compile(re.escape(PREFIX) + r"[A-Za-z0-9_]+")
_KEPT_S = 14 * 24 * 3600
_TEMPORARY = "t_"
_TRIES = 3


def find_owning_root(path: str) -> Path | None:
    """Find the run root that contains a run folder; None for any other path."""
    place = Path(path)
    return place.parent if place.is_absolute() and _NAME.fullmatch(place.parent.name) else None


def is_held(root: Path) -> bool:
    """Whether a run holds this root now. An unreadable root counts as held."""
    try:
        descriptor = os.open(root / _HELD, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextlib.contextmanager
def hold_run_root(environ: Mapping[str, str], repository: str, task_id: str) -> Iterator[str]:
    """Hold the run root of a task until the block ends. Old roots of finished runs are removed."""
    digest = hashlib.sha256(f"{repository}\0{task_id}".encode("utf-8", "surrogateescape")).hexdigest()[:24]
    place = UserFolders(environ, repository).state("engines")
    with contextlib.ExitStack() as stack:
        root = None
        if place is not None:
            state = Path(place)
            with contextlib.suppress(OSError):
                state.mkdir(mode=0o700, parents=True, exist_ok=True)
                _sweep(state)
                root = _hold(stack, state / f"{PREFIX}{digest}")
        if root is None:
            root = _hold(stack, Path(tempfile.mkdtemp(prefix=f"{PREFIX}{_TEMPORARY}")))
        assert root is not None, "a folder that was just made is held by nobody else"  # noqa: S101
        yield str(root)
        if root.name.startswith(f"{PREFIX}{_TEMPORARY}"):
            shutil.rmtree(root, ignore_errors=True)


def _hold(stack: contextlib.ExitStack, root: Path) -> Path | None:
    root.mkdir(mode=0o700, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(root / _HELD, flags, 0o600)
    for attempt in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if attempt == _TRIES - 1:
                os.close(descriptor)
                return None
            # Another process may only be checking whether it is held.
            time.sleep(0.01)
    os.utime(root)
    stack.callback(os.close, descriptor)
    return root


def _sweep(state: Path) -> None:
    for root in state.iterdir():
        old = _NAME.fullmatch(root.name) and time.time() - root.lstat().st_mtime > _KEPT_S
        if old and not root.is_symlink() and not is_held(root):
            shutil.rmtree(root, ignore_errors=True)
