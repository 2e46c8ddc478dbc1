"""Check web links: all of them with lychee, and with our own client those that lychee leaves unclear."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from links_adapter import link_status as a
from links_adapter.lychee import LycheeLink, OutOfTime, run_lychee
from links_adapter.lychee_inputs import write_pages
from links_adapter.settings import Settings

_PHRASES: tuple[tuple[str, str], ...] = (
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
"""Phrases of lychee's messages, in lower case; they name failures that a second request may not reproduce."""


def check_web_links(
    settings: Settings, names: Sequence[str], read: frozenset[str], environ: Mapping[str, str], deadline: float
) -> dict[str, a.LinkStatus]:
    """Check the http and https URLs of ``names``; those that time ran out for are left out.

    The pages of the links ``read`` are read. ``deadline`` is a moment of ``time.monotonic``.
    """
    with_fragment = [name for name in names if settings.fragments and _has_fragment(name)]
    plain = sorted(set(names) - set(with_fragment) - read)
    rows: dict[str, LycheeLink] = {}
    for batch, method in ((plain, settings.method), (with_fragment, "get")):
        # Lychee waits for hosts that send Retry-After; the client checks what lychee doesn't report.
        with contextlib.suppress(OutOfTime):
            rows |= _run_lychee(settings, batch, method, environ, (deadline - time.monotonic()) / 2)
    settled: dict[str, a.LinkStatus] = {}
    open_: dict[str, a.LinkStatus | None] = dict.fromkeys(name for name in names if name not in rows)
    for name, row in rows.items():
        if row.code == 200 and not row.hops and name not in read and "#" not in name:
            settled[name] = a.GOOD
            continue
        if row.kind == "excluded":
            open_[name] = None
            continue
        method = "get" if settings.fragments and _has_fragment(name) else settings.method
        answer = _read_status(row, method, settings, name)
        if _is_final(answer, row, method) and not (name in read and isinstance(answer.status, int)):
            settled[name] = answer
        else:
            open_[name] = answer
    if not open_:
        return settled
    import asyncio

    return settled | asyncio.run(_check_with_client(settings, open_, read, deadline))


def _run_lychee(
    settings: Settings, urls: list[str], method: str, environ: Mapping[str, str], timeout_s: float
) -> dict[str, LycheeLink]:
    options = [
        *("--verbose", "--method", method, "--max-retries", "0", "--accept", "100..=999", "--include", ".*"),
        *("--timeout", str(max(1, -(-settings.timeout_ms // 1000))), "--max-redirects", str(settings.max_redirects)),
        *("--max-concurrency", str(settings.concurrency)),
        *("--host-concurrency", str(min(settings.host_concurrency, settings.concurrency))),
        *("--host-request-interval", f"{settings.rate_limit_ms}ms", "--user-agent", settings.user_agent),
        *(("--include-fragments",) if settings.fragments and any(map(_has_fragment, urls)) else ()),
    ]
    with write_pages(urls) as inputs:
        return inputs.map_reports(run_lychee(list(inputs.pages), options, environ=environ, timeout_s=timeout_s))


def _read_status(row: LycheeLink, method: str, settings: Settings, name: str) -> a.LinkStatus:
    hops = tuple(a.Hop(url, status) for url, status in _origins(name, row.hops))
    final = row.hops[-1][0] if row.hops else None
    asked = method.upper()
    if row.url is None:
        return a.LinkStatus(a.INVALID_URL, note=row.message)
    if row.code is None:
        status = _name_failure(row)
        missing = "missing" if status == a.FRAGMENT_NOT_FOUND else None
        return a.LinkStatus(status, hops, final, asked, fragment=missing, note=row.message)
    if 300 <= row.code <= 399 and len(hops) >= settings.max_redirects > 0:
        seen = [hop.url for hop in hops]
        looped = len(set(seen)) < len(seen)
        return a.LinkStatus(a.REDIRECT_LOOP if looped else a.TOO_MANY_REDIRECTS, hops, None, asked)
    return a.LinkStatus(row.code, hops, final, asked, fragment=_unchecked_fragment(name, looked=settings.fragments))


def _origins(name: str, hops: Iterable[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    """Pair each redirect's status with the URL that sent it; lychee reports the URL that it leads to."""
    asked = name
    for url, status in hops:
        yield asked, status
        asked = url


def _name_failure(row: LycheeLink) -> str:
    message = row.message.lower()
    return next((name for words, name in _PHRASES if words in message), a.CONNECTION_FAILED)


def _is_final(answer: a.LinkStatus, row: LycheeLink, method: str) -> bool:
    """Whether lychee's status is final, so that the client needn't request the link again."""
    if row.url is None or answer.status in {a.TIMEOUT, a.FRAGMENT_NOT_FOUND, a.REDIRECT_LOOP, a.TOO_MANY_REDIRECTS}:
        return True
    if row.code is None or row.code == 429 or 300 <= row.code <= 399:
        return False
    return not (method == "head" and row.code in a.HEAD_REFUSED)


def _unchecked_fragment(name: str, *, looked: bool) -> str | None:
    return "unchecked" if _has_fragment(name) and not looked else None


def _has_fragment(name: str) -> bool:
    return bool(name.partition("#")[2])


async def _check_with_client(
    settings: Settings, names: Mapping[str, a.LinkStatus | None], read: frozenset[str], deadline: float
) -> dict[str, a.LinkStatus]:
    import asyncio

    from links_adapter.http_client import HttpClient

    found: dict[str, a.LinkStatus] = {}

    async def check(client: HttpClient, name: str, before: a.LinkStatus | None) -> None:
        after = await (client.read(name) if name in read else client.request(name, settings.method.upper()))
        looked = before is not None and settings.fragments and before.status in range(200, 300)
        found[name] = _merge(before, structs.replace(after, fragment=_unchecked_fragment(name, looked=looked)))

    async with HttpClient(settings) as client:
        tasks = [asyncio.ensure_future(check(client, name, before)) for name, before in names.items()]
        _, late = await asyncio.wait(tasks, timeout=max(deadline - time.monotonic(), 0.1))
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    return found


def _merge(before: a.LinkStatus | None, after: a.LinkStatus) -> a.LinkStatus:
    """Merge both statuses. A link without a response to the first request has failed, whatever the second one gave."""
    if before is None or isinstance(before.status, int) or isinstance(after.status, str):
        return after
    return a.LinkStatus(before.status, before.hops, method=before.method, note=before.note, second=after.status)
