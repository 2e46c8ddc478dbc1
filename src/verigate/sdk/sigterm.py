"""Handle SIGTERM in an adapter: exit, but never between starting a tool and registering its cleanup."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 128 + signal.SIGTERM
"""Exit code of an adapter ended by SIGTERM, by the shells' convention."""


class _State:
    came = False
    held = False
    waits = False


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Raise SystemExit on SIGTERM in this context. Python may ignore it: see ``has_received_sigterm``."""
    _State.came = False
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def defer_sigterm() -> Iterator[None]:
    """Defer a SIGTERM to the end of this context."""
    _State.held, _State.waits = True, False
    try:
        yield
    finally:
        _State.held = False
        if _State.waits:
            raise SystemExit(STOPPED)


def has_received_sigterm() -> bool:
    """Whether SIGTERM has arrived since ``exit_on_sigterm`` was entered."""
    return _State.came


def _terminate(_number: int, _frame: FrameType | None) -> None:
    _State.came = _State.waits = True
    if not _State.held:
        raise SystemExit(STOPPED)
