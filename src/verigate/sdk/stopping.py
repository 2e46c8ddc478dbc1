"""SIGTERM in an adapter: it ends it, but never between the start of a tool and the moment when its end is seen to."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 128 + signal.SIGTERM
"""The exit code of an adapter that SIGTERM has ended, as a shell tells it."""


class _State:
    came = False
    held = False
    waits = False


@contextmanager
def ended_by_term() -> Iterator[None]:
    """SIGTERM raises SystemExit in here; see ``has_come`` for where Python ignores that."""
    _State.came = False
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def held_back() -> Iterator[None]:
    """A SIGTERM that comes in here is heard at the end."""
    _State.held, _State.waits = True, False
    try:
        yield
    finally:
        _State.held = False
        if _State.waits:
            raise SystemExit(STOPPED)


def has_come() -> bool:
    """Whether SIGTERM has come since ``ended_by_term`` was entered."""
    return _State.came


def _terminate(_number: int, _frame: FrameType | None) -> None:
    _State.came = _State.waits = True
    if not _State.held:
        raise SystemExit(STOPPED)
