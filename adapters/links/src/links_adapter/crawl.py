"""Collect links from web pages: crawl start URLs to a depth, and read sitemaps."""

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

from links_adapter.http_client import HttpClient
from links_adapter.link_names import is_web, origin_of, strip_fragment
from links_adapter.link_status import NETWORK_FORBIDDEN, Status
from links_adapter.lychee import run_lychee
from links_adapter.settings import TIME_LIMIT_S, Settings
from verigate.sdk import Request, clean_text

MAX_SITEMAP_BYTES = 50 << 20
"""Size limit after decompression, from sitemaps.org, "Sitemap file limits"."""
MAX_SITEMAPS = 1000

_Row = tuple[str, str, int, int]
"""A link's name, and its source, line and column."""


def crawl_pages(request: Request, settings: Settings, starts: list[str]) -> tuple[list[_Row], dict[str, Any]]:
    """Crawl; return the links found, and which pages were read, failed or were left unread.

    If the network is forbidden, no page is read; the start URLs are still links.
    """
    rows: list[_Row] = [(url, "configuration", 0, 0) for url in starts]
    named, sitemaps = _read_sitemaps(request, settings)
    rows += named
    if not settings.network:
        left = sorted(strip_fragment(url) for url in starts)
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
    """Crawls breadth first, with one run of lychee per level, only pages of the start URLs' origins."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self.read: set[str] = set()
        self.failed: dict[str, Status] = {}
        self.left: set[str] = set()

    def follow(self, starts: list[str]) -> Iterator[_Row]:
        origins = {origin_of(url) for url in starts}
        deadline = time.monotonic() + TIME_LIMIT_S / 2
        level = sorted({strip_fragment(url) for url in starts})
        seen = set(level)
        for _ in range(self._settings.depth + 1):
            room = self._settings.max_pages - len(self.read)
            self.left.update(level[room:])
            rows = list(self._links_of(level[:room], deadline))
            yield from rows
            pages = {strip_fragment(name) for name, *_ in rows if is_web(name)}
            level = sorted(page for page in pages - seen if origin_of(page) in origins)
            seen.update(level)
            if not level:
                return
        # Pages below the depth were not requested, so they don't count as left unread.

    def _links_of(self, pages: list[str], deadline: float) -> Iterator[_Row]:
        good = asyncio.run(self._filter_readable(pages))
        self.read.update(good)
        s = self._settings
        options = ["--exclude", ".*", "--include-mail", "--user-agent", s.user_agent, "--max-retries", "0"]
        options += ["--timeout", str(max(1, round(s.timeout_s))), "--max-concurrency", str(s.concurrency)]
        options += ["--host-concurrency", str(s.host_concurrency)]
        options += ["--host-request-interval", f"{s.rate_limit_ms}ms"]
        options += ["--include-verbatim"] if s.verbatim else []
        left = max(deadline - time.monotonic(), 1.0)
        for found in run_lychee(good, options, environ=self._request.environ, timeout_s=left):
            yield clean_text(found.raw) or "<empty>", clean_text(found.source), found.line, found.column

    async def _filter_readable(self, pages: list[str]) -> list[str]:
        """Return the pages that respond with 2xx; lychee stops at the first that doesn't."""
        async with HttpClient(self._settings) as client:
            answers = await asyncio.gather(*(client.fetch(page) for page in pages))
        good = []
        for page, (answer, _) in zip(pages, answers, strict=True):
            if isinstance(answer.status, int) and 200 <= answer.status <= 299:
                good.append(page)
            else:
                self.failed[page] = answer.status
        return good


def _read_sitemaps(request: Request, settings: Settings) -> tuple[list[_Row], dict[str, Any]]:
    rows: list[_Row] = []
    sitemaps: dict[str, Any] = {}
    waiting = list(dict.fromkeys(settings.sitemaps))
    while waiting and len(sitemaps) < MAX_SITEMAPS:
        place = waiting.pop(0)
        if place in sitemaps:
            continue
        status, body = _fetch(request, settings, place)
        try:
            pages, further = _parse_sitemap(body) if status == 200 else ([], [])
        except (ParseError, DefusedXmlException, OSError, EOFError, zlib.error, ValueError) as error:
            status, pages, further = f"NOT_A_SITEMAP: {clean_text(str(error), 200)}", [], []
        sitemaps[place] = {"status": status, "pages": len(pages), "sitemaps": len(further)}
        rows += ((page, place, 0, 0) for page in pages)
        waiting += further
    sitemaps.update(
        {place: {"status": "LEFT", "pages": 0, "sitemaps": 0} for place in waiting if place not in sitemaps}
    )
    return rows, sitemaps


def _fetch(request: Request, settings: Settings, place: str) -> tuple[Status, bytes]:
    if not is_web(place):
        path = (request.repo_root / place).resolve()
        if not path.is_relative_to(request.repo_root.resolve()) or not path.is_file():
            return "FILE_NOT_FOUND", b""
        return 200, _read_start(path)
    if not settings.network:
        return NETWORK_FORBIDDEN, b""

    async def fetch() -> tuple[Status, bytes]:
        async with HttpClient(settings) as client:
            answer, body = await client.fetch(place)
            return answer.status, body

    return asyncio.run(fetch())


def _read_start(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(MAX_SITEMAP_BYTES)


def _parse_sitemap(body: bytes) -> tuple[list[str], list[str]]:
    """Parse one sitemap into pages and further sitemaps. Source: sitemaps.org, protocol 0.9; gzip is allowed."""
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
