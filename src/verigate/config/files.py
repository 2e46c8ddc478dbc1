"""Read files that anybody may have put there."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from verigate.errors import ConfigError, Fault
from verigate.formats.strict_json import MAX_NAME, StrictJsonError, loads
from verigate.formats.visible import format_path

MAX_CONFIG_BYTES = 4 * 1024 * 1024


def label(path: Path, root: Path | None = None) -> str:
    """Format a path for messages and JSON: relative to ``root`` if it is below, bytes outside UTF-8 escaped."""
    shown = path.relative_to(root) if root is not None and path.is_relative_to(root) else path
    return format_path(shown)


def read_bytes(path: Path, *, shown: str, max_bytes: int = MAX_CONFIG_BYTES, follow: bool = False) -> bytes | None:
    """Read a regular file; None if there is none. Raises ConfigError for anything that can't be read.

    A symbolic link is refused, because it speaks for another place, unless ``follow``: a person named the path.
    Opened without blocking, because a named pipe at this path would hold the gate up for ever.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as problem:
        if not follow and getattr(problem, "errno", None) == errno.ELOOP and path.is_symlink():
            raise ConfigError([Fault("it is a symbolic link", file=shown, hint="put the file itself there")]) from None
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigError([Fault(f"it can't be read: {reason}", file=shown)]) from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError([Fault("it is not a regular file", file=shown)])
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            content = stream.read(max_bytes + 1)
    except OSError as problem:
        raise ConfigError([Fault(f"it can't be read: {problem.strerror}", file=shown)]) from None
    finally:
        os.close(descriptor)
    if len(content) > max_bytes:
        raise ConfigError([Fault(f"it is larger than the {max_bytes} bytes that are read", file=shown)])
    return content


def parse_json(content: bytes, *, shown: str) -> Any:
    """Parse JSON. Raises ConfigError with the position of the fault."""
    try:
        return loads(content, max_bytes=MAX_CONFIG_BYTES, max_name=MAX_NAME)
    except StrictJsonError as problem:
        raise ConfigError([problem.to_fault(shown)]) from None
