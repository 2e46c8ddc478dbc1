"""The text that a turn ends with, from a transcript of JSON lines: for hosts that don't send it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

_TAIL_BYTES = 1024 * 1024
_WRITTEN_WITHIN_S = 3.0

ReadText = Callable[[Mapping[str, Any]], str | None]
"""Returns the text of an entry; None for one that is no message of the assistant."""


def read_final_message(path: str, read_text: ReadText, *, ended: bool) -> str | None:
    """Return the last text of the assistant in a transcript; None where there is none to be found.

    It may be written a moment after the hook is called. Until then the last message is that of a tool's call, without
    a text. ``ended``: the turn is over, so it is worth waiting for.
    """
    deadline = time.monotonic() + (_WRITTEN_WITHIN_S if ended else 0)
    while not (message := _read_last(path, read_text)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return message


def _read_last(path: str, read_text: ReadText) -> str | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            file.seek(max(0, os.fstat(descriptor).st_size - _TAIL_BYTES))
            lines = file.read(_TAIL_BYTES).splitlines()
    except (OSError, ValueError):
        return None
    entries = filter(None, map(_parse, reversed(lines)))
    return next((text for entry in entries if (text := read_text(entry)) is not None), None)


def _parse(line: bytes) -> Mapping[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
