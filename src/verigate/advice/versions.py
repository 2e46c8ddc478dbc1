"""Read a file's two versions: on disk, and at HEAD by one call of git."""

from __future__ import annotations

import os
import select
import stat
import time

from verigate.subject.outside_programs import find_outside_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BYTES = 2 << 20
"""What is larger isn't read."""

TIMEOUT_S = 5.0
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "-c", "core.hooksPath=/dev/null")
_NOT_LAZY = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
}


def read_file(place: str) -> str | None:
    """Read a regular file as text; None where there is none, or one that is too large. A link isn't followed."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return _read_all(descriptor, None)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def read_head(root: str, path: str, environ: Mapping[str, str]) -> str | None:
    """Read a file of the repository at ``root`` as it is at HEAD; None where it isn't there, or can't be read in time.

    subprocess takes longer to load than git to answer.
    """
    git = find_outside_program("git", environ.get("PATH", os.defpath), root)
    if git is None:
        return None
    kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")} | _NOT_LAZY
    argv = (git, "-C", root, *_SETTINGS, "cat-file", "blob", f"HEAD:{path}")
    out, into = os.pipe()
    try:
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        actions = [(os.POSIX_SPAWN_DUP2, number, at) for number, at in ((null, 0), (into, 1), (null, 2))]
        try:
            child = os.posix_spawn(git, argv, kept, file_actions=actions)
        finally:
            os.close(into)
            os.close(null)
        text = _read_all(out, time.monotonic() + TIMEOUT_S)
    except (OSError, ValueError):
        return None
    finally:
        os.close(out)
    if text is None:
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    return text if status == 0 else None


def _read_all(descriptor: int, until: float | None) -> str | None:
    """Read to the end; None for more than MOST_BYTES, and if that isn't reached by ``until``, in time.monotonic()."""
    chunks: list[bytes] = []
    size = 0
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    while size <= MOST_BYTES:
        if until is not None and not ready.poll(max(0.0, until - time.monotonic()) * 1000):
            return None
        chunk = os.read(descriptor, 1 << 20)
        if not chunk:
            return b"".join(chunks).decode("utf-8", "replace")
        chunks.append(chunk)
        size += len(chunk)
    return None
