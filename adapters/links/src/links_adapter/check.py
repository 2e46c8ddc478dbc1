"""``links:check``: check the status of every discovered link; links without one are listed as missing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from links_adapter import link_status as a
from links_adapter.claimed_pages import choose_pages
from links_adapter.link_names import EMPTY, is_unresolved, is_web, scheme_of
from links_adapter.settings import TIME_LIMIT_S, Settings, read_settings
from verigate.sdk import AdapterError, Request, clean_text, write_json

NOTHING_TO_FETCH = frozenset({"mailto", "tel", "sms", "data", "javascript", "about", "blob", "urn", "cid", "mid"})
"""Schemes of URLs that can't be fetched."""


def run(request: Request) -> None:
    """Write ``links/statuses.json``, ``links/details.json`` and ``links/check.meta.json``.

    ``statuses.json`` has the final status if the profile accepts redirects, else that of the first response.
    Raises AdapterError if the list of links is missing.
    """
    settings = read_settings(request)
    names = _urlset(request)
    answers = check_links(request, settings, names)
    statuses = {
        name: answer.status if settings.redirects_pass else answer.first_status for name, answer in answers.items()
    }
    missing = [name for name in names if name not in answers]
    details = {name: details for name, answer in answers.items() if (details := _describe(answer))}
    meta = {
        "network": {"used": settings.network and any(map(is_web, names)), "forbidden_by": settings.forbidden_by},
        "links": len(names),
        "checked": len(answers),
        "missing": missing,
        "bodies": settings.bodies,
        "redirected": sum(bool(answer.hops) for answer in answers.values()),
        "statuses": {str(status): count for status, count in Counter(map(str, statuses.values())).items()},
        "redirects": "followed" if settings.redirects_pass else "reported",
    }
    write_json(request.task_dir, "links/statuses.json", statuses)
    write_json(request.task_dir, "links/details.json", details)
    write_json(request.task_dir, "links/check.meta.json", meta)


def _urlset(request: Request) -> list[str]:
    path = request.task_dir / "links" / "urlset.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[str])
    except (OSError, ValueError) as error:
        raise AdapterError(
            f"the list of links can't be read: {error}", where="links/urlset.json", hint="run links:discover first"
        ) from error


def check_links(request: Request, settings: Settings, names: Iterable[str]) -> dict[str, a.LinkStatus]:
    """Check all links; those that time ran out for are left out."""
    deadline = time.monotonic() + TIME_LIMIT_S
    web, local, found = [], [], {}
    for name in names:
        if is_web(name):
            web.append(name)
            continue
        scheme = scheme_of(name)
        if name == EMPTY:
            found[name] = a.LinkStatus(a.EMPTY_URL)
        elif is_unresolved(name):
            found[name] = a.LinkStatus(a.UNRESOLVED)
        elif scheme in NOTHING_TO_FETCH:
            found[name] = a.LinkStatus(a.NOT_FETCHED)
        elif scheme in {"", "file"}:
            local.append(name)
        else:
            found[name] = a.LinkStatus(a.UNSUPPORTED_SCHEME)
    if local:
        from links_adapter.local_links import check_local_links

        found |= check_local_links(request, settings, local)
    if not settings.network:
        return found | {name: a.LinkStatus(a.NETWORK_FORBIDDEN) for name in web}
    if web:
        from links_adapter.web_links import check_web_links

        read = choose_pages(request, settings, web)
        found |= check_web_links(settings, web, read, request.environ, deadline)
    return found


def _describe(answer: a.LinkStatus) -> Mapping[str, Any]:
    """Return the details next to the status: redirects, retries, fragment; empty for a plain response."""
    details: dict[str, Any] = {}
    if answer is a.GOOD:
        return details
    if answer.hops:
        details["redirects"] = [{"url": clean_text(hop.url), "status": hop.status} for hop in answer.hops]
        details["final_status"] = answer.status
        details["final_url"] = None if answer.final_url is None else clean_text(answer.final_url)
    for key in ("refused", "retry_after", "fragment", "second", "note", "refresh"):
        if (value := getattr(answer, key)) is not None:
            details[key] = clean_text(value, 500) if isinstance(value, str) else value
    if answer.waited:
        details["waited"] = [clean_text(value, 100) for value in answer.waited]
    if details and answer.method is not None:
        details["method"] = answer.method
    return details
