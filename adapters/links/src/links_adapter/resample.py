"""``links:resample``: retry failed links with growing waits; their first status stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from links_adapter import link_status as a
from links_adapter.claimed_pages import choose_pages
from links_adapter.link_names import is_web
from links_adapter.settings import Settings, read_settings
from verigate.sdk import AdapterError, Request, write_json

if TYPE_CHECKING:
    from links_adapter.http_client import HttpClient

_NOT_ASKED = frozenset({a.NETWORK_FORBIDDEN, a.INVALID_URL, a.FRAGMENT_NOT_FOUND, a.LOGIN_REQUIRED, a.HOME_PAGE})
"""Failures that a retry can't change, or that must not be retried."""

MAX_RESAMPLED = 2000
"""Limit of retried failures; with more, the network or the site is down rather than the links flaky."""


def run(request: Request) -> None:
    """Write ``links/resample.json`` (URL -> its attempts) and ``links/resample.meta.json``.

    Raises AdapterError if ``links/statuses.json`` is missing.
    """
    settings = read_settings(request)
    statuses = _statuses(request)
    failed = sorted(name for name, status in statuses.items() if _is_failure(status))
    asked = [name for name in failed if is_web(name) and statuses[name] not in _NOT_ASKED and settings.network]
    read = choose_pages(request, settings, statuses)
    transcripts = _transcripts(settings, asked[:MAX_RESAMPLED], statuses, read) if asked else {}
    meta = {
        "links": len(statuses),
        "failed": len(failed),
        "tried_again": len(transcripts),
        "not_tried": [name for name in failed if name not in transcripts],
        "flaky": sorted(name for name, transcript in transcripts.items() if transcript["flaky"]),
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
        raise AdapterError("is not an object", where="links/statuses.json")
    return value


def _is_failure(status: Any) -> bool:
    if not isinstance(status, int):
        return bool(status != a.NOT_FETCHED)
    return not (200 <= status <= 299 or 300 <= status <= 399)


def _transcripts(
    settings: Settings, names: list[str], statuses: Mapping[str, Any], read: frozenset[str]
) -> dict[str, Any]:
    import asyncio

    from links_adapter.http_client import HttpClient

    async def all_of_them() -> list[dict[str, Any]]:
        async with HttpClient(settings) as client:
            return await asyncio.gather(*(_retry(client, settings, name, statuses[name], read) for name in names))

    return dict(zip(names, asyncio.run(all_of_them()), strict=True))


async def _retry(client: HttpClient, settings: Settings, name: str, first: Any, read: frozenset[str]) -> dict[str, Any]:
    import asyncio

    attempts: list[dict[str, Any]] = []
    wait_ms = 0
    for number in range(1, settings.resample_attempts + 1):
        await asyncio.sleep(wait_ms / 1000)
        answer = await (client.read(name) if name in read else client.request(name, settings.method.upper()))
        attempts.append({"attempt": number, "status": answer.status, "waited_ms": wait_ms})
        wait_ms = wait_ms * 2 or settings.resample_wait_ms
    worked = [attempt for attempt in attempts if not _is_failure(attempt["status"])]
    return {"first": first, "attempts": attempts, "answered": len(worked), "flaky": bool(worked)}
