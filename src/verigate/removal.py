"""Remove what hostile programs left behind: any depth, any mode, and never through a symbolic link."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
from collections.abc import Sequence

_DEPTH = 32
_RM = ("/bin/rm", "/usr/bin/rm")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(path: bytes) -> None:
    """Remove a file, a link or a whole folder; do nothing if it doesn't exist.

    Raises OSError for what the system won't remove (an immutable file, a mount point).
    """
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISDIR(mode):
        os.unlink(path)
        return
    top = _open_folder(path)
    try:
        _empty_folder(top, _DEPTH)
    finally:
        os.close(top)
    os.rmdir(path)


def begin_removal(folder: str, names: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Start rm(1) for these names in a folder; return None without rm or names.

    It only saves time: ``remove`` deletes what is left.
    """
    program = next((path for path in _RM if os.access(path, os.X_OK)), None)
    if program is None or not names:
        return None
    null = subprocess.DEVNULL
    try:
        argv = (program, "-rf", "--", *names)
        return subprocess.Popen(argv, cwd=folder, env={}, stdin=null, stdout=null, stderr=null)
    except OSError:
        return None


def _empty_folder(folder: int, depth: int) -> None:
    if depth == 0:
        while _flatten(folder):
            pass
        return
    for name in _unlink_files(folder):
        inner = _open_folder(name, folder)
        try:
            _empty_folder(inner, depth - 1)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)


def _flatten(top: int) -> bool:
    # In a tree deeper than any honest one, move nested folders to the top before removing anything from them, so that
    # neither recursion, nor open descriptors, nor the length of a path grows with the depth.
    folders = _unlink_files(top)
    for name in folders:
        inner = _open_folder(name, top)
        try:
            for deeper in _unlink_files(inner):
                _make_usable(deeper, inner)
                os.rename(deeper, _find_free_name(top), src_dir_fd=inner, dst_dir_fd=top)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=top)
    return bool(folders)


def _unlink_files(folder: int) -> list[bytes]:
    with os.scandir(folder) as entries:
        # Read all names first: what a folder lists while it changes is undefined.
        names = [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in names:
        if not is_folder:
            os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in names if is_folder]


def _find_free_name(folder: int) -> bytes:
    while True:
        name = b".verigate-" + os.urandom(8).hex().encode("ascii")
        try:
            os.lstat(name, dir_fd=folder)
        except FileNotFoundError:
            return name


def _open_folder(path: bytes, parent: int | None = None) -> int:
    _make_usable(path, parent)
    return os.open(path, _FOLDER, dir_fd=parent)


def _make_usable(path: bytes, parent: int | None) -> None:
    if os.lstat(path, dir_fd=parent).st_mode & 0o700 == 0o700:
        return
    # By descriptor, since chmod follows links; O_PATH opens what can't be read.
    handle = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        with contextlib.suppress(OSError):
            os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
