"""Send what happens as server-sent events (WHATWG HTML, "Server-sent events")."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from sse_starlette.sse import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from verigate.errors import UsageError
from verigate.serve.live.events import MOST_READERS
from verigate.serve.live.runs import RUN_TOPIC
from verigate.serve.web.site import site_of

LONGEST_TOPIC = 200
_PING_S = 15
_SEND_S = 60
"""Seconds in which a reader has to take what is sent."""

_LONGEST_S = 3600.0
"""After which an answer ends. A browser asks again by itself, from the event on that it has seen."""


async def send_events(request: Request) -> Response:
    """Send what happens about a topic, from the event on that the reader has seen last."""
    about = request.query_params.get("about", "")[:LONGEST_TOPIC]
    return stream_events(request, about, request.query_params.get("after", ""))


def stream_events(request: Request, about: str, after: str) -> Response:
    """Stream the events about a topic. Where the reader was is in the header ``Last-Event-ID``, else in ``after``.

    Raises UsageError if too many follow already.
    """
    site = site_of(request)
    if site.events.readers >= MOST_READERS:
        hint = "read the page again by hand, or later"
        raise UsageError(f"{MOST_READERS} readers follow events already", where=about, hint=hint)
    # Without an id those from the request on: a reader has the answer's head before the first look at the log. Of a
    # run all: it may have ended before a program that began it asks.
    begins = site.events.first_id if about.startswith(RUN_TOPIC) else site.events.last_id
    seen = request.headers.get("last-event-id") or after or begins

    async def stream() -> AsyncIterator[dict[str, Any]]:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_S), contextlib.aclosing(site.events.follow(seen, about)) as events:
                async for event in events:
                    yield {"id": event.id, "event": event.kind, "data": json.dumps(event.data)}

    return EventSourceResponse(stream(), ping=_PING_S, send_timeout=_SEND_S)
