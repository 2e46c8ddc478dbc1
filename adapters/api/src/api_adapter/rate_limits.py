"""``api:rate-limits``: a bounded search for a limit, and what the service says about one in its headers.

Sources: RFC 6585 section 4 (429), RFC 9110 section 10.2.3 (Retry-After), draft-ietf-httpapi-ratelimit-headers
(RateLimit, RateLimit-Policy; up to its version 07 RateLimit-Limit, -Remaining, -Reset), and the X- forms before it.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from api_adapter.client import Call
from api_adapter.schemes import right
from api_adapter.settings import SAFE_METHODS
from api_adapter.visit import Visit, choose, visit, write_meta
from api_adapter.wire import call_of
from verigate.sdk import Request, write_json

_HEADER = re.compile(r"(?:x-)?rate-?limit(?:-[a-z-]+)?|retry-after")
_MOVING = re.compile(r"remaining|reset|retry-after|used")
"""Headers whose values change from call to call; their names are facts, their values measurements."""

_DRAFT_MOVING = re.compile(r"\s*;\s*[rt]=\d+")
DEFAULT_PROBED = 3
"""Without configured endpoints, so many of the documented ones that answered, in their order."""


def run(request: Request) -> None:
    """Write api/rate_limits.json."""
    with visit(request) as here:
        calls = _chosen(here)
        limited: list[dict[str, Any]] = []
        announced: list[dict[str, Any]] = []
        probed: list[dict[str, Any]] = []
        measured: dict[str, Any] = {}
        for endpoint, call in calls.items():
            facts, measured[endpoint] = _probe(here, call)
            probed.append({"endpoint": endpoint})
            if facts["limited"]:
                limited.append({"endpoint": endpoint, "status": 429, "headers": facts["headers"]})
            elif facts["headers"]:
                announced.append({"endpoint": endpoint, "headers": facts["headers"]})
        bounds = here.settings.rate_limits
        write_json(
            request.task_dir,
            "api/rate_limits.json",
            {
                "limited": limited,
                "announced": announced,
                "probed": probed,
                "declared": {"requests": bounds.requests, "seconds": bounds.seconds},
            },
        )
        write_meta(here, "rate_limits", {}, {"probes": measured})


def _chosen(here: Visit) -> dict[str, Call]:
    """Only safe methods, whatever else is allowed: nothing is changed forty times."""
    wanted = here.settings.rate_limits.endpoints
    found: dict[str, Call] = {}
    for operation, given in choose(here, 1).called:
        if operation.method not in SAFE_METHODS or (wanted and operation.id not in wanted):
            continue
        credentials = right(operation, here.schemes, here.settings, here.request.environ) or ()
        found[operation.id] = call_of(operation, given[0], credentials)
        if not wanted and len(found) == DEFAULT_PROBED:
            break
    return found


def _probe(here: Visit, call: Call) -> tuple[dict[str, Any], dict[str, Any]]:
    """Call until 429, the count or the time is reached."""
    bounds = here.settings.rate_limits
    start = time.monotonic()
    statuses: Counter[str] = Counter()
    headers: dict[str, str] = {}
    last: Mapping[str, str] = {}
    limited = False
    for _ in range(bounds.requests):
        answer = here.client.call(call)
        statuses[str(answer.outcome)] += 1
        last = {name: value for name, value in answer.headers.items() if _HEADER.fullmatch(name)}
        headers |= {name: _lasting(name, value) for name, value in last.items()}
        limited = answer.status == 429
        if limited or time.monotonic() - start >= bounds.seconds:
            break
    seconds = time.monotonic() - start
    facts = {"limited": limited, "headers": dict(sorted(headers.items()))}
    return facts, {"calls": statuses.total(), "seconds": seconds, "statuses": dict(statuses), "headers": dict(last)}


def _lasting(name: str, value: str) -> str:
    """A header's value without what moves: ``"default";r=12;t=3`` is ``"default"``."""
    if _MOVING.search(name):
        return ""
    return _DRAFT_MOVING.sub("", value)[:200]
