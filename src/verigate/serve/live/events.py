"""A log of events that any number of readers follow, each from where it was."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from msgspec import Struct

MOST_KEPT = 20_000
MOST_READERS = 400
"""Fewer than the connections that a server answers: pages are there, however many follow."""

RESET = "reset"
"""The kind of the event for a reader that missed some: it has to read the page again."""


class Event(Struct, frozen=True):
    """Something that happened. ``id`` is for readers that come back; ``about`` is a topic that readers choose by."""

    id: str
    number: int
    kind: str
    about: str
    data: Mapping[str, Any]


class EventLog:
    """Events in order, the last MOST_KEPT of them kept. ``publish`` may be called from any thread."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._epoch = secrets.token_hex(4)  # numbers of an earlier server say nothing
        self._last = 0
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._lock = threading.Lock()

    @property
    def last_id(self) -> str:
        """The id of the newest event; what comes after it is new to whoever read a page just now."""
        with self._lock:
            return self._name(self._last)

    @property
    def first_id(self) -> str:
        """The id that is before all events, for whoever wants those that are kept as well."""
        return self._name(0)

    @property
    def readers(self) -> int:
        """How many follow the log."""
        return len(self._waiting)

    def publish(self, kind: str, about: str, data: Mapping[str, Any]) -> Event:
        """Add an event and wake those who wait."""
        with self._lock:
            self._last += 1
            event = Event(self._name(self._last), self._last, kind, about, data)
            self._events.append(event)
            waiting = list(self._waiting.items())
        for wakes, loop in waiting:
            try:
                loop.call_soon_threadsafe(wakes.set)
            except RuntimeError:
                continue  # its loop has ended, and the reader with it
        return event

    async def follow(self, after: str | None, about: str) -> AsyncGenerator[Event, None]:
        """Yield the events about a topic that come after the one with this id, without an end.

        Without an id those from now on. If some were dropped meanwhile, or the id is of another server, the first
        is a RESET.
        """
        wakes = asyncio.Event()
        # Before the first look, so that nothing can happen in between unseen.
        with self._lock:
            self._waiting[wakes] = asyncio.get_running_loop()
            seen = self._last if after is None else self._find_number(after)
        try:
            while True:
                wakes.clear()
                events, lost, last = self._list_after(seen)
                seen = last
                if lost:
                    yield Event(self._name(last), last, RESET, about, {})
                    events = ()
                for event in events:
                    if event.about == about:
                        yield event
                await wakes.wait()
        finally:
            with self._lock:
                del self._waiting[wakes]

    def _list_after(self, seen: int) -> tuple[tuple[Event, ...], bool, int]:
        with self._lock:
            oldest = self._events[0].number if self._events else self._last + 1
            lost = seen < oldest - 1
            found: list[Event] = []
            for event in reversed(self._events):
                if event.number <= seen:
                    break
                found.append(event)
            return tuple(reversed(found)), lost, self._last

    def _find_number(self, after: str) -> int:
        """Return the number of an id; -1, before all, for one that isn't of this log."""
        epoch, _, number = after.partition("-")
        known = epoch == self._epoch and number.isascii() and number.isdigit() and len(number) < 12
        return int(number) if known and int(number) <= self._last else -1

    def _name(self, number: int) -> str:
        return f"{self._epoch}-{number}"
