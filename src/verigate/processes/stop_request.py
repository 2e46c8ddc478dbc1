"""A request from another thread to end what runs, without a signal."""

from __future__ import annotations

import os

from verigate.errors import Interrupted


class StoppedError(Interrupted):
    """What ran was ended by a ``StopRequest``, and by no signal."""


class StopRequest:
    """Can be waited for by its descriptor; stays set until it is cleared."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)

    def fileno(self) -> int:
        """Return the descriptor, which can be read while it is set."""
        return self._descriptor

    def set(self) -> None:
        """End what runs; from any thread."""
        os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        """Forget a request that came too late."""
        try:
            os.eventfd_read(self._descriptor)
        except BlockingIOError:
            return
