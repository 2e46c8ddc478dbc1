"""``links:check``: a status for every discovered link, or its name among the missing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from links_adapter import answers as a
from links_adapter.naming import EMPTY, is_web, scheme_of
from links_adapter.settings import TIME_LIMIT_S, Settings, settings_of
from verigate.sdk import AdapterError, Request, clean_text, write_json

NOTHING_TO_FETCH = frozenset({"mailto", "tel", "sms", "data", "javascript", "about", "blob", "urn", "cid", "mid"})
"""Schemes that name no resource that could be fetched."""


def run(request: Request) -> None:
    """Write ``links/statuses.json``, ``links/details.json`` and ``links/check.meta.json``.

    ``statuses.json`` has the final status where the profile lets redirects pass, else that of the first answer.
    Raises AdapterError if there is no list of links.
    """
    settings = settings_of(request)
    names = _urlset(request)
    answers = answers_of(request, settings, names)
    statuses = {
        name: answer.status if settings.redirects_pass else answer.first_status for name, answer in answers.items()
    }
    missing = [name for name in names if name not in answers]
    details = {name: told for name, answer in answers.items() if (told := _told(answer))}
    meta = {
        "network": {"used": settings.network and any(map(is_web, names)), "forbidden_by": settings.forbidden_by},
        "links": len(names),
        "checked": len(answers),
        "missing": missing,
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


def answers_of(request: Request, settings: Settings, names: Iterable[str]) -> dict[str, a.Answer]:
    """The answer of each name that one could be had for in time."""
    deadline = time.monotonic() + TIME_LIMIT_S
    web, local, found = [], [], {}
    for name in names:
        if is_web(name):
            web.append(name)
            continue
        scheme = scheme_of(name)
        if name == EMPTY:
            found[name] = a.Answer(a.EMPTY_URL)
        elif scheme in NOTHING_TO_FETCH:
            found[name] = a.Answer(a.NOT_FETCHED)
        elif scheme in {"", "file"}:
            local.append(name)
        else:
            found[name] = a.Answer(a.UNSUPPORTED_SCHEME)
    if local:
        from links_adapter.local import local_answers

        found |= local_answers(request, settings, local)
    if not settings.network:
        return found | {name: a.Answer(a.NETWORK_FORBIDDEN) for name in web}
    if web:
        from links_adapter.web import web_answers

        found |= web_answers(settings, web, request.environ, deadline)
    return found


def _told(answer: a.Answer) -> Mapping[str, Any]:
    """What there is to say beside the status; nothing for a link that simply answered."""
    told: dict[str, Any] = {}
    if answer is a.GOOD_BY_HEAD:
        return told
    if answer.hops:
        told["redirects"] = [{"url": clean_text(hop.url), "status": hop.status} for hop in answer.hops]
        told["final_status"] = answer.status
        told["final_url"] = None if answer.final_url is None else clean_text(answer.final_url)
    for key in ("refused", "retry_after", "fragment", "second", "note"):
        if (value := getattr(answer, key)) is not None:
            told[key] = clean_text(value, 500) if isinstance(value, str) else value
    if answer.waited:
        told["waited"] = [clean_text(value, 100) for value in answer.waited]
    if told and answer.method is not None:
        told["method"] = answer.method
    return told
