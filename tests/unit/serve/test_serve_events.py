"""No reader of the log of events misses one, or learns that it did."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator

from verigate.serve.live.events import RESET, Event, EventLog


async def take(events: AsyncGenerator[Event, None], number: int) -> list[Event]:
    return [await asyncio.wait_for(anext(events), 5) for _ in range(number)]


def test_a_reader_that_comes_back_gets_what_came_meanwhile() -> None:
    async def scenario() -> None:
        log = EventLog()
        log.publish("a", "t", {"n": 0})
        first = log.follow(None, "t")
        waiting = asyncio.ensure_future(take(first, 1))
        await asyncio.sleep(0.01)
        log.publish("a", "other", {})
        log.publish("a", "t", {"n": 1})
        (seen,) = await waiting
        assert seen.data == {"n": 1}
        await first.aclose()
        assert log.readers == 0
        for number in (2, 3):
            log.publish("a", "t", {"n": number})
        again = log.follow(seen.id, "t")
        assert [event.data["n"] for event in await take(again, 2)] == [2, 3]
        await again.aclose()

    asyncio.run(scenario())


def test_a_reader_that_missed_some_is_told_so() -> None:
    async def scenario() -> None:
        log = EventLog(most=3)
        first = log.publish("a", "t", {"n": 0})
        for number in range(1, 6):
            log.publish("a", "t", {"n": number})
        for after in (first.id, "00000000-1", "nonsense", f"{first.id[:8]}-999999", f"{first.id[:8]}--1"):
            events = log.follow(after, "t")
            (found,) = await take(events, 1)
            assert (found.kind, found.id) == (RESET, log.last_id), after
            log.publish("b", "t", {})
            assert (await take(events, 1))[0].kind == "b"
            await events.aclose()

    asyncio.run(scenario())


def test_a_log_without_events_resets_nobody() -> None:
    async def scenario() -> None:
        log = EventLog()
        events = log.follow(log.last_id, "t")
        waiting = asyncio.ensure_future(take(events, 1))
        await asyncio.sleep(0.01)
        log.publish("a", "t", {})
        assert (await waiting)[0].kind == "a"
        await events.aclose()

    asyncio.run(scenario())


def test_many_readers_get_every_event_of_many_threads_in_one_order() -> None:
    async def scenario() -> None:
        log = EventLog()
        readers = [asyncio.ensure_future(take(log.follow(log.last_id, "t"), 400)) for _ in range(20)]
        await asyncio.sleep(0.01)
        threads = [threading.Thread(target=lambda: [log.publish("a", "t", {}) for _ in range(100)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for events in await asyncio.gather(*readers):
            assert [event.number for event in events] == list(range(1, 401))

    asyncio.run(scenario())
