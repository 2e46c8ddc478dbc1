"""Links on the web: all of them by lychee, and by a client of our own whatever its answer doesn't settle."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from links_adapter import answers as a
from links_adapter.lychee import Found, OutOfTime, look
from links_adapter.pages import listing
from links_adapter.settings import Settings

_SAID: tuple[tuple[str, str], ...] = (
    ("connection refused", a.CONNECTION_REFUSED),
    ("connection closed", a.CONNECTION_CLOSED),
    ("connection reset", a.CONNECTION_CLOSED),
    ("timed out", a.TIMEOUT),
    ("timeout", a.TIMEOUT),
    ("dns", a.DNS_FAILED),
    ("tls", a.TLS_FAILED),
    ("ssl", a.TLS_FAILED),
    ("certificate", a.TLS_FAILED),
    ("cannot find fragment", a.FRAGMENT_NOT_FOUND),
)
"""Words of lychee's messages, in lower case, for failures that the client can't name because they are gone by then."""


def web_answers(
    settings: Settings, names: Sequence[str], environ: Mapping[str, str], deadline: float
) -> dict[str, a.Answer]:
    """The answer of each http and https URL of ``names``; those that time ran out for are left out.

    ``deadline`` is a moment of ``time.monotonic``.
    """
    with_fragment = [name for name in names if settings.fragments and _has_fragment(name)]
    plain = [] if settings.bodies else sorted(set(names) - set(with_fragment))
    rows: dict[str, Found] = {}
    for batch, method in ((plain, settings.method), (with_fragment, "get")):
        # It waits for hosts that ask for patience; what it has no report of is left to the client.
        with contextlib.suppress(OutOfTime):
            rows |= _by_lychee(settings, batch, method, environ, (deadline - time.monotonic()) / 2)
    settled: dict[str, a.Answer] = {}
    open_: dict[str, a.Answer | None] = dict.fromkeys(name for name in names if name not in rows)
    for name, row in rows.items():
        if row.code == 200 and not row.hops and settings.method == "head" and not settings.bodies and "#" not in name:
            settled[name] = a.GOOD_BY_HEAD
            continue
        if row.kind == "excluded":
            open_[name] = None
            continue
        method = "get" if settings.fragments and _has_fragment(name) else settings.method
        answer = _settled(row, method, settings, name)
        if _is_final(answer, row, method) and not (settings.bodies and isinstance(answer.status, int)):
            settled[name] = answer
        else:
            open_[name] = answer
    if not open_:
        return settled
    import asyncio

    return settled | asyncio.run(_in_detail(settings, open_, deadline))


def _by_lychee(
    settings: Settings, urls: list[str], method: str, environ: Mapping[str, str], timeout_s: float
) -> dict[str, Found]:
    options = [
        *("--verbose", "--method", method, "--max-retries", "0", "--accept", "100..=999", "--include", ".*"),
        *("--timeout", str(max(1, -(-settings.timeout_ms // 1000))), "--max-redirects", str(settings.max_redirects)),
        *("--max-concurrency", str(settings.concurrency)),
        *("--host-concurrency", str(min(settings.host_concurrency, settings.concurrency))),
        *("--host-request-interval", f"{settings.rate_limit_ms}ms", "--user-agent", settings.user_agent),
        *(("--include-fragments",) if settings.fragments and any(map(_has_fragment, urls)) else ()),
    ]
    with listing(urls) as listed:
        return listed.answered(look(list(listed.pages), options, environ=environ, timeout_s=timeout_s))


def _settled(row: Found, method: str, settings: Settings, name: str) -> a.Answer:
    hops = tuple(a.Hop(url, status) for url, status in _origins(name, row.hops))
    final = row.hops[-1][0] if row.hops else None
    asked = method.upper()
    if row.url is None:
        return a.Answer(a.INVALID_URL, note=row.said)
    if row.code is None:
        status = _named(row)
        missing = "missing" if status == a.FRAGMENT_NOT_FOUND else None
        return a.Answer(status, hops, final, asked, fragment=missing, note=row.said)
    if 300 <= row.code <= 399 and len(hops) >= settings.max_redirects > 0:
        seen = [hop.url for hop in hops]
        looped = len(set(seen)) < len(seen)
        return a.Answer(a.REDIRECT_LOOP if looped else a.TOO_MANY_REDIRECTS, hops, None, asked)
    return a.Answer(row.code, hops, final, asked, fragment=_unchecked(name, looked=settings.fragments))


def _origins(name: str, hops: Iterable[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    """Lychee tells where each redirect led to; here stands who answered with it."""
    asked = name
    for url, status in hops:
        yield asked, status
        asked = url


def _named(row: Found) -> str:
    said = row.said.lower()
    return next((name for words, name in _SAID if words in said), a.CONNECTION_FAILED)


def _is_final(answer: a.Answer, row: Found, method: str) -> bool:
    """Whether lychee's answer says all there is to say."""
    if row.url is None or answer.status in {a.TIMEOUT, a.FRAGMENT_NOT_FOUND, a.REDIRECT_LOOP, a.TOO_MANY_REDIRECTS}:
        return True
    if row.code is None or row.code == 429 or 300 <= row.code <= 399:
        return False
    return not (method == "head" and row.code in a.HEAD_REFUSED)


def _unchecked(name: str, *, looked: bool) -> str | None:
    return "unchecked" if _has_fragment(name) and not looked else None


def _has_fragment(name: str) -> bool:
    return bool(name.partition("#")[2])


async def _in_detail(settings: Settings, names: Mapping[str, a.Answer | None], deadline: float) -> dict[str, a.Answer]:
    import asyncio

    from links_adapter.client import Client

    found: dict[str, a.Answer] = {}

    async def ask(client: Client, name: str, before: a.Answer | None) -> None:
        method = "GET" if settings.bodies or settings.method == "get" else "HEAD"
        after = await client.ask(name, method)
        looked = before is not None and settings.fragments and before.status in range(200, 300)
        found[name] = _together(before, structs.replace(after, fragment=_unchecked(name, looked=looked)))

    async with Client(settings) as client:
        tasks = [asyncio.ensure_future(ask(client, name, before)) for name, before in names.items()]
        _, late = await asyncio.wait(tasks, timeout=max(deadline - time.monotonic(), 0.1))
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    return found


def _together(before: a.Answer | None, after: a.Answer) -> a.Answer:
    """One answer of two. A link that didn't answer at first has failed, whatever a second look gave."""
    if before is None or isinstance(before.status, int) or isinstance(after.status, str):
        return after
    return a.Answer(before.status, before.hops, method=before.method, note=before.note, second=after.status)
