"""``links:resample``: the links that failed are tried again, with growing waits; what they answered first stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from links_adapter import answers as a
from links_adapter.naming import is_web
from links_adapter.settings import Settings, settings_of
from verigate.sdk import AdapterError, Request, write_json

if TYPE_CHECKING:
    from links_adapter.client import Client

_NOT_ASKED = frozenset({a.NETWORK_FORBIDDEN, a.INVALID_URL, a.FRAGMENT_NOT_FOUND})
"""Failures that another request can't change, or that may not be made."""

MAX_RESAMPLED = 2000
"""Failures tried again; with more than that the links aren't flaky, the network or the site is gone."""


def run(request: Request) -> None:
    """Write ``links/resample.json`` (URL -> its attempts) and ``links/resample.meta.json``.

    Raises AdapterError if there are no statuses.
    """
    settings = settings_of(request)
    statuses = _statuses(request)
    failed = sorted(name for name, status in statuses.items() if _failed(status))
    asked = [name for name in failed if is_web(name) and statuses[name] not in _NOT_ASKED and settings.network]
    transcripts = _transcripts(settings, asked[:MAX_RESAMPLED], statuses) if asked else {}
    meta = {
        "links": len(statuses),
        "failed": len(failed),
        "tried_again": len(transcripts),
        "not_tried": [name for name in failed if name not in transcripts],
        "flaky": sorted(name for name, told in transcripts.items() if told["flaky"]),
        "network": {"used": bool(transcripts), "forbidden_by": settings.forbidden_by},
    }
    write_json(request.task_dir, "links/resample.json", transcripts)
    write_json(request.task_dir, "links/resample.meta.json", meta)


def _statuses(request: Request) -> Mapping[str, Any]:
    path = request.task_dir / "links" / "statuses.json"
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise AdapterError(
            f"the statuses can't be read: {error}", where="links/statuses.json", hint="run links:check first"
        ) from error
    if not isinstance(value, dict):
        raise AdapterError("is no object", where="links/statuses.json")
    return value


def _failed(status: Any) -> bool:
    if not isinstance(status, int):
        return bool(status != a.NOT_FETCHED)
    return not (200 <= status <= 299 or 300 <= status <= 399)


def _transcripts(settings: Settings, names: list[str], statuses: Mapping[str, Any]) -> dict[str, Any]:
    import asyncio

    from links_adapter.client import Client

    async def all_of_them() -> list[dict[str, Any]]:
        async with Client(settings) as client:
            return await asyncio.gather(*(_tried(client, settings, name, statuses[name]) for name in names))

    return dict(zip(names, asyncio.run(all_of_them()), strict=True))


async def _tried(client: Client, settings: Settings, name: str, first: Any) -> dict[str, Any]:
    import asyncio

    attempts: list[dict[str, Any]] = []
    method = "GET" if settings.bodies or settings.method == "get" else "HEAD"
    wait_ms = 0
    for number in range(1, settings.resample_attempts + 1):
        await asyncio.sleep(wait_ms / 1000)
        answer = await client.ask(name, method)
        attempts.append({"attempt": number, "status": answer.status, "waited_ms": wait_ms})
        wait_ms = wait_ms * 2 or settings.resample_wait_ms
    worked = [attempt for attempt in attempts if not _failed(attempt["status"])]
    return {"first": first, "attempts": attempts, "answered": len(worked), "flaky": bool(worked)}
