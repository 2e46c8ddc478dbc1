"""HTTP connections that may not wait without an end: who sends no request in time is disconnected."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 20.0
"""Seconds in which the head of a request has to be there, from the beginning and after each answer.

uvicorn counts only the time after an answer, and only until the first byte of the next request.
"""


class BoundedHttp(H11Protocol):
    """The protocol of uvicorn, which ends a connection that waited HEAD_S for the head of a request."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._busy_at = self.loop.time()
        self._look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to count."""
        super().connection_made(transport)
        self._busy_at = self.loop.time()
        self._end_if_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count no more."""
        if self._look is not None:
            self._look.cancel()
            self._look = None
        super().connection_lost(exc)

    def _end_if_waiting(self) -> None:
        if self.transport.is_closing():
            return
        now = self.loop.time()
        if self.cycle is not None and not self.cycle.response_complete:
            self._busy_at = now
        elif now - self._busy_at >= HEAD_S:
            self.transport.close()
            return
        self._look = self.loop.call_later(HEAD_S / 8, self._end_if_waiting)
