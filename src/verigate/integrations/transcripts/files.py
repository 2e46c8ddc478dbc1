"""Find and read the files of transcripts. Whatever is in them is the agent's: it is bounded, and never executed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

MAX_LINE = 32 * 1024 * 1024
"""Bytes of a line that are read; a longer one is left out."""

MAX_FILE = 2 * 1024 * 1024 * 1024
"""Bytes of a file that are read."""

MAX_DOCUMENT = 256 * 1024 * 1024
"""Bytes of a file that is one JSON document."""

_CHUNK = 1024 * 1024


def find_files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """List the regular files below a folder that match one of the patterns, the oldest first. Links are left out."""
    found: dict[Path, float] = {}
    for pattern in patterns:
        for path in folder.glob(pattern):
            try:
                status = path.lstat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                found[path] = status.st_mtime
    return sorted(found, key=lambda path: (found[path], str(path)))


def read_lines(path: Path) -> Iterator[Any]:
    """Yield each line of a file as a JSON value; None for one that is too long, or no JSON. Raises OSError."""
    for line in _iterate_lines(path):
        yield None if line is None else parse(line)


def read_document(path: Path) -> Any:
    """Return a file that is one JSON document; None for one that is none, or too large. Raises OSError."""
    with _open(path) as file:
        content = file.read(MAX_DOCUMENT + 1)
    return parse(content) if len(content) <= MAX_DOCUMENT else None


def read_short(path: Path) -> str:
    """Return the text of a small file; empty if there is none that can be read."""
    try:
        with _open(path) as file:
            return str(file.read(4096).decode("utf-8", "replace")).strip()
    except OSError:
        return ""


def parse(content: bytes) -> Any:
    """Parse JSON, which may be broken, deep or have huge numbers; None for what isn't any."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _open(path: Path) -> Any:
    """Open a regular file, and neither a link nor something that waits. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no regular file")
    return os.fdopen(descriptor, "rb")


def _iterate_lines(path: Path) -> Iterator[bytes | None]:
    """Yield lines with something in them; None for each that is too long. Memory is bounded by MAX_LINE."""
    with _open(path) as file:
        left, rest, skipping = MAX_FILE, bytearray(), False
        while left > 0 and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            *lines, last = chunk.split(b"\n")
            for line in lines:
                whole, rest = rest + line, bytearray()
                if skipping or len(whole) > MAX_LINE:
                    yield None
                elif whole.strip():
                    yield bytes(whole)
                skipping = False
            rest += last
            if len(rest) > MAX_LINE:
                rest, skipping = bytearray(), True
        if skipping:
            yield None
        elif rest.strip():
            yield bytes(rest)
