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
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from verigate.user_folders import UserFolders

PREFIX = "verigate-engine-run-"
_HELD = ".held"
_NAME = re.compile(re.escape(PREFIX) + r"[A-Za-z0-9_]+")
_KEPT_S = 14 * 24 * 3600
_BEGINNING_S = 60
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
def hold_run_root(environ: Mapping[str, str], repository: str | None, task_id: str) -> Iterator[str]:
    """Hold the run root of a task until the block ends. Old roots of finished runs are removed."""
    digest = hashlib.sha256(f"{repository or ''}\0{task_id}".encode("utf-8", "surrogateescape")).hexdigest()[:24]
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
    """Hold a root until the stack is closed; None if another run holds it."""
    for _ in range(_TRIES):
        root.mkdir(mode=0o700, exist_ok=True)
        descriptor = _lock(root)
        if descriptor is not None:
            os.utime(root)
            stack.callback(os.close, descriptor)
            return root
        # Another process may only be checking whether it is held, or removing it.
        time.sleep(0.01)
    return None


def _lock(root: Path) -> int | None:
    """Lock a root; None if another process has it, or removed it meanwhile."""
    descriptor = None
    try:
        descriptor = os.open(root / _HELD, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine, there = os.fstat(descriptor), (root / _HELD).lstat()
        if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    if descriptor is not None:
        os.close(descriptor)
    return None


def find_finished_roots(environ: Mapping[str, str], repository: str, *, sessions: bool) -> tuple[Path, ...]:
    """Find the roots of finished runs, of all repositories, in the state folder and the folder for temporary files.

    A root with a session that a later run may resume counts only if it is old, or with ``sessions``.
    """
    place = UserFolders(environ, repository).state("engines")
    folders = [Path(place)] if place is not None else []
    folders.append(Path(environ.get("TMPDIR") or tempfile.gettempdir()))
    found = (root for folder in folders if folder.is_dir() for root in sorted(folder.glob(f"{PREFIX}*")))
    finished = (root for root in found if _is_ours(root) and not _is_beginning(root) and not is_held(root))
    return tuple(root for root in finished if sessions or not _is_kept(root))


def _is_beginning(root: Path) -> bool:
    """Whether a run may have made this root just now, and not locked it yet."""
    return not (root / _HELD).exists() and time.time() - root.lstat().st_mtime < _BEGINNING_S


def _is_ours(root: Path) -> bool:
    there = root.lstat()
    return bool(_NAME.fullmatch(root.name)) and stat.S_ISDIR(there.st_mode) and there.st_uid == os.getuid()


def _is_kept(root: Path) -> bool:
    return not _is_old(root) and any(root.glob("*.session.json"))


def _is_old(root: Path) -> bool:
    return time.time() - root.lstat().st_mtime > _KEPT_S


def remove_root(root: Path) -> bool:
    """Remove a root while nobody else can hold it; return whether it is gone."""
    descriptor = _lock(root)
    if descriptor is None:
        return False
    try:
        shutil.rmtree(root, ignore_errors=True)
    finally:
        os.close(descriptor)
    return not root.exists()


def _sweep(state: Path) -> None:
    for root in state.iterdir():
        if _is_ours(root) and _is_old(root) and not is_held(root):
            remove_root(root)
