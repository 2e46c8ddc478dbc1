"""``api:rate-limits``: probe for rate limits within bounds, and read the limits announced in headers.

Sources: RFC 6585 section 4 (429), RFC 9110 section 10.2.3 (Retry-After), draft-ietf-httpapi-ratelimit-headers
(RateLimit, RateLimit-Policy; up to its version 07 RateLimit-Limit, -Remaining, -Reset), and the X- forms before it.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from api_adapter.client import ApiCall
from api_adapter.request_encoding import encode_call
from api_adapter.schemes import choose_credentials
from api_adapter.session import Session, choose_endpoints, open_session, write_meta
from api_adapter.settings import SAFE_METHODS
from verigate.sdk import Request, write_json

_HEADER = re.compile(r"(?:x-)?rate-?limit(?:-[a-z-]+)?|retry-after")
_MOVING = re.compile(r"remaining|reset|retry-after|used")
"""Headers whose values change between calls: their names are facts, their values measurements."""

_DRAFT_MOVING = re.compile(r"\s*;\s*[rt]=\d+")
DEFAULT_PROBED = 3
"""Number of documented endpoints to probe if none are configured."""


def run(request: Request) -> None:
    """Write api/rate_limits.json."""
    with open_session(request) as here:
        calls = _choose_calls(here)
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


def _choose_calls(here: Session) -> dict[str, ApiCall]:
    """Choose endpoints with safe methods only, since each is called many times."""
    wanted = here.settings.rate_limits.endpoints
    found: dict[str, ApiCall] = {}
    for operation, given in choose_endpoints(here, 1).called:
        if operation.method not in SAFE_METHODS or (wanted and operation.id not in wanted):
            continue
        credentials = choose_credentials(operation, here.schemes, here.settings, here.request.environ) or ()
        found[operation.id] = encode_call(operation, given[0], credentials)
        if not wanted and len(found) == DEFAULT_PROBED:
            break
    return found


def _probe(here: Session, call: ApiCall) -> tuple[dict[str, Any], dict[str, Any]]:
    """Call until 429, the maximum count or the time limit."""
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
        headers |= {name: _strip_changing(name, value) for name, value in last.items()}
        limited = answer.status == 429
        if limited or time.monotonic() - start >= bounds.seconds:
            break
    seconds = time.monotonic() - start
    facts = {"limited": limited, "headers": dict(sorted(headers.items()))}
    return facts, {"calls": statuses.total(), "seconds": seconds, "statuses": dict(statuses), "headers": dict(last)}


def _strip_changing(name: str, value: str) -> str:
    """Remove changing parts of a header's value: ``"default";r=12;t=3`` becomes ``"default"``."""
    if _MOVING.search(name):
        return ""
    return _DRAFT_MOVING.sub("", value)[:200]
