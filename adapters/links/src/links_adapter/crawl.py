"""Pages on the web as sources of links: a start URL to a depth, and the pages that sitemaps name."""

from __future__ import annotations

import asyncio
import gzip
import io
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from links_adapter.answers import NETWORK_FORBIDDEN, Status
from links_adapter.client import Client
from links_adapter.lychee import look
from links_adapter.naming import is_web, origin_of, without_fragment
from links_adapter.settings import TIME_LIMIT_S, Settings
from verigate.sdk import Request, clean_text

MAX_SITEMAP_BYTES = 50 << 20
"""The protocol's own bound (sitemaps.org, "Sitemap file limits"), unpacked."""
MAX_SITEMAPS = 1000

_Row = tuple[str, str, int, int]
"""A link's name, and the source, line and column where it stands."""


def crawled(request: Request, settings: Settings, starts: list[str]) -> tuple[list[_Row], dict[str, Any]]:
    """The links of all pages that are read, and what was read, what failed and what was left.

    Where the network is forbidden no page is read, and the start URLs are still links.
    """
    rows: list[_Row] = [(url, "configuration", 0, 0) for url in starts]
    named, sitemaps = _of_sitemaps(request, settings)
    rows += named
    if not settings.network:
        left = sorted(without_fragment(url) for url in starts)
        return rows, {"pages": [], "pages_failed": {}, "pages_left": left, "sitemaps": sitemaps}
    crawl = _Crawl(request, settings)
    rows += crawl.follow(starts)
    return rows, {
        "pages": sorted(crawl.read),
        "pages_failed": dict(crawl.failed),
        "pages_left": sorted(crawl.left),
        "sitemaps": sitemaps,
    }


class _Crawl:
    """Breadth first, one run of lychee per level; a page of another origin than the start URLs' isn't read."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self.read: set[str] = set()
        self.failed: dict[str, Status] = {}
        self.left: set[str] = set()

    def follow(self, starts: list[str]) -> Iterator[_Row]:
        origins = {origin_of(url) for url in starts}
        deadline = time.monotonic() + TIME_LIMIT_S / 2
        level = sorted({without_fragment(url) for url in starts})
        seen = set(level)
        for _ in range(self._settings.depth + 1):
            room = self._settings.max_pages - len(self.read)
            self.left.update(level[room:])
            rows = list(self._links_of(level[:room], deadline))
            yield from rows
            pages = {without_fragment(name) for name, *_ in rows if is_web(name)}
            level = sorted(page for page in pages - seen if origin_of(page) in origins)
            seen.update(level)
            if not level:
                return
        # What lies deeper was not asked for, and isn't named as left.

    def _links_of(self, pages: list[str], deadline: float) -> Iterator[_Row]:
        good = asyncio.run(self._readable(pages))
        self.read.update(good)
        s = self._settings
        options = ["--exclude", ".*", "--include-mail", "--user-agent", s.user_agent, "--max-retries", "0"]
        options += ["--timeout", str(max(1, round(s.timeout_s))), "--max-concurrency", str(s.concurrency)]
        options += ["--host-concurrency", str(s.host_concurrency)]
        options += ["--host-request-interval", f"{s.rate_limit_ms}ms"]
        options += ["--include-verbatim"] if s.verbatim else []
        left = max(deadline - time.monotonic(), 1.0)
        for found in look(good, options, environ=self._request.environ, timeout_s=left):
            yield clean_text(found.raw) or "<empty>", clean_text(found.source), found.line, found.column

    async def _readable(self, pages: list[str]) -> list[str]:
        """Those that answer 2xx with a page; lychee would end at the first that doesn't."""
        async with Client(self._settings) as client:
            answers = await asyncio.gather(*(client.text(page) for page in pages))
        good = []
        for page, (answer, _) in zip(pages, answers, strict=True):
            if isinstance(answer.status, int) and 200 <= answer.status <= 299:
                good.append(page)
            else:
                self.failed[page] = answer.status
        return good


def _of_sitemaps(request: Request, settings: Settings) -> tuple[list[_Row], dict[str, Any]]:
    rows: list[_Row] = []
    told: dict[str, Any] = {}
    waiting = list(dict.fromkeys(settings.sitemaps))
    while waiting and len(told) < MAX_SITEMAPS:
        place = waiting.pop(0)
        if place in told:
            continue
        said, body = _fetched(request, settings, place)
        try:
            pages, further = _parsed(body) if said == 200 else ([], [])
        except (ParseError, DefusedXmlException, OSError, EOFError, zlib.error, ValueError) as error:
            said, pages, further = f"NOT_A_SITEMAP: {clean_text(str(error), 200)}", [], []
        told[place] = {"status": said, "pages": len(pages), "sitemaps": len(further)}
        rows += ((page, place, 0, 0) for page in pages)
        waiting += further
    told.update({place: {"status": "LEFT", "pages": 0, "sitemaps": 0} for place in waiting if place not in told})
    return rows, told


def _fetched(request: Request, settings: Settings, place: str) -> tuple[Status, bytes]:
    if not is_web(place):
        path = (request.repo_root / place).resolve()
        if not path.is_relative_to(request.repo_root.resolve()) or not path.is_file():
            return "FILE_NOT_FOUND", b""
        return 200, _start_of(path)
    if not settings.network:
        return NETWORK_FORBIDDEN, b""

    async def fetch() -> tuple[Status, bytes]:
        async with Client(settings) as client:
            answer, body = await client.text(place)
            return answer.status, body

    return asyncio.run(fetch())


def _start_of(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(MAX_SITEMAP_BYTES)


def _parsed(body: bytes) -> tuple[list[str], list[str]]:
    """Pages and further sitemaps of one document. Source: sitemaps.org, protocol 0.9; gzip is allowed."""
    if body.startswith(b"\x1f\x8b"):
        with gzip.GzipFile(fileobj=io.BytesIO(body)) as stream:
            body = stream.read(MAX_SITEMAP_BYTES)
    tree = fromstring(body)
    found: dict[str, list[str]] = {"url": [], "sitemap": []}
    for entry in tree:
        kind = entry.tag.rpartition("}")[2]
        for child in entry:
            if kind in found and child.tag.rpartition("}")[2] == "loc" and child.text and child.text.strip():
                found[kind].append(child.text.strip())
    return found["url"], found["sitemap"]
