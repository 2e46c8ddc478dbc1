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


IsCall = Callable[[Mapping[str, Any]], bool]
"""Whether an entry is that of the hook's own call: what was said before it is written then."""


def read_final_message(path: str, read_text: ReadText, *, ended: bool, is_call: IsCall | None = None) -> str | None:
    """Return the last text of the assistant in a transcript; None where there is none to be found.

    It may be written a moment after the hook is called. Until then the last message is that of a tool's call, without
    a text, or one of an earlier turn, unless the transcript has the hook's call, by ``is_call``. ``ended``: the
    turn is over, so it is worth waiting for.
    """
    deadline = time.monotonic() + (_WRITTEN_WITHIN_S if ended else 0)
    while True:
        entries = _read_entries(path)
        message = next((text for entry in entries if (text := read_text(entry)) is not None), None)
        is_written = bool(message) and (is_call is None or any(map(is_call, entries)))
        if is_written or time.monotonic() >= deadline:
            return message
        time.sleep(0.05)


def _read_entries(path: str) -> list[Mapping[str, Any]]:
    """Read the entries at the end of a transcript, the last one first; none if it can't be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            file.seek(max(0, os.fstat(descriptor).st_size - _TAIL_BYTES))
            lines = file.read(_TAIL_BYTES).splitlines()
    except (OSError, ValueError):
        return []
    return [*filter(None, map(_parse, reversed(lines)))]


def _parse(line: bytes) -> Mapping[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
