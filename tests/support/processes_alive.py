"""Which processes of this machine carry a marker, seen from outside every namespace."""

from __future__ import annotations

import os
import time
from pathlib import Path


def with_marker(marker: str) -> list[int]:
    """Ids of living processes with ``marker`` as one of their arguments."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if marker.encode() in arguments:
            found.append(int(entry.name))
    return found


def gone(marker: str, within_s: float = 5.0) -> bool:
    """Whether no process carries ``marker`` at the end of ``within_s`` seconds, or sooner."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if not with_marker(marker):
            return True
        time.sleep(0.02)
    return not with_marker(marker)
