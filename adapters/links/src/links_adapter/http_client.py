"""Request URLs with aiohttp: named errors, each redirect, Retry-After and, if configured, error pages."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import aiohttp
from aiohttp import http_exceptions
from msgspec import structs
from yarl import URL

from links_adapter import link_status as a
from links_adapter.detours import find_detour
from links_adapter.error_pages import MAX_BODY_BYTES, find_fault, read_html
from links_adapter.link_names import is_web, strip_fragment
from links_adapter.settings import Settings

_ATTEMPTS_AFTER_429 = 3

# X509_V_ERR_* of OpenSSL's x509_vfy.h
_CERTIFICATE: Mapping[int, str] = {
    10: a.TLS_EXPIRED,
    18: a.TLS_SELF_SIGNED,
    19: a.TLS_SELF_SIGNED,
    20: a.TLS_UNTRUSTED,
    21: a.TLS_UNTRUSTED,
    62: a.TLS_HOSTNAME,
    64: a.TLS_HOSTNAME,
}


class HttpClient:
    """Requests URLs within the limits of the settings. Use one per event loop, as an asynchronous context manager."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._everywhere = asyncio.Semaphore(settings.concurrency)
        self._hosts: dict[str, _Host] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=self._settings.timeout_s),
            headers={"User-Agent": self._settings.user_agent, "Accept": "*/*"},
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=True,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def request(self, url: str, method: str) -> a.LinkStatus:
        """Request ``url`` with ``method`` (HEAD or GET), and with GET if HEAD is refused. Errors are statuses."""
        answer = await self._request_with_retries(url, method)
        if method == "HEAD" and answer.status in a.HEAD_REFUSED:
            by_get = await self._request_with_retries(url, "GET")
            return structs.replace(by_get, refused=answer.status)
        return answer

    async def read(self, url: str) -> a.LinkStatus:
        """Request ``url`` with GET, follow a meta refresh, and read the page. Errors and detours are statuses."""
        answer = await self._request_with_retries(url, "GET", read=True)
        hops, visited = answer.hops, [strip_fragment(url)]
        while answer.refresh is not None and answer.status == 200:
            target = strip_fragment(answer.refresh)
            if target in visited or len(visited) > self._settings.max_redirects:
                status = a.REDIRECT_LOOP if target in visited else a.TOO_MANY_REDIRECTS
                return structs.replace(answer, status=status, hops=hops)
            visited.append(target)
            answer = await self._request_with_retries(target, "GET", read=True)
            hops = (*hops, *answer.hops)
        if len(visited) == 1:
            return answer
        final = answer.final_url or visited[-1]
        detour = find_detour(url, final) if isinstance(answer.status, int) and answer.status < 300 else None
        return structs.replace(answer, status=detour or answer.status, hops=hops, final_url=final, refresh=visited[-1])

    async def fetch(self, url: str) -> tuple[a.LinkStatus, bytes]:
        """Return the status of GET and the first MAX_BODY_BYTES of the body; empty unless the status is 2xx."""
        try:
            async with self._open(url, "GET") as response:
                answer = a.LinkStatus(response.status, _read_hops(response.history), str(response.url), "GET")
                return answer, await _read_body(response) if response.ok else b""
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            return a.LinkStatus(name_error(error), method="GET"), b""

    async def _request_with_retries(self, url: str, method: str, *, read: bool = False) -> a.LinkStatus:
        waited: list[str] = []
        while True:
            answer = await self._request_once(url, method, read=read)
            wait = _parse_retry_after(answer.retry_after)
            if answer.retry_after is None or wait is None or len(waited) + 1 >= _ATTEMPTS_AFTER_429:
                break
            if wait > self._settings.retry_after_max_s:
                break
            waited.append(answer.retry_after)
            self._host(url).pause(wait)
        return structs.replace(answer, waited=tuple(waited))

    async def _request_once(self, url: str, method: str, *, read: bool) -> a.LinkStatus:
        try:
            async with self._open(url, method) as response:
                hops, final = _read_hops(response.history), str(response.url)
                wait = response.headers.get("Retry-After") if response.status == 429 else None
                answer = a.LinkStatus(response.status, hops, final if hops else None, method, retry_after=wait)
                return await self._judge_page(url, response, answer) if read and response.ok else answer
        except aiohttp.TooManyRedirects as error:
            hops = _read_hops(error.history)
            looped = len({hop.url for hop in hops}) < len(hops)
            return a.LinkStatus(a.REDIRECT_LOOP if looped else a.TOO_MANY_REDIRECTS, hops, method=method)
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            return a.LinkStatus(name_error(error), method=method)

    async def _judge_page(self, url: str, response: aiohttp.ClientResponse, answer: a.LinkStatus) -> a.LinkStatus:
        body, final = await _read_body(response), str(response.url)
        page = read_html(body, response.content_type, response.charset)
        fault = find_fault(body, response.content_type, page, self._settings.error_bodies)
        if fault is not None and (response.status == 200 or fault[0] != a.EMPTY_BODY):
            return structs.replace(answer, status=fault[0], note=fault[1])
        if page is not None and page.refresh is not None and (target := _absolute(final, page.refresh)):
            return structs.replace(answer, refresh=target)
        detour = find_detour(url, final, (page,) if page else ())
        return answer if detour is None else structs.replace(answer, status=detour, final_url=final)

    @asynccontextmanager
    async def _open(self, url: str, method: str) -> AsyncIterator[aiohttp.ClientResponse]:
        if self._session is None:
            raise RuntimeError("the client is used outside its context")
        target, most = URL(url, encoded=True), self._settings.max_redirects + 1
        async with (
            self._everywhere,
            self._host(url).turn(),
            self._session.request(method, target, max_redirects=most) as response,
        ):
            yield response

    def _host(self, url: str) -> _Host:
        host = URL(url, encoded=True).authority
        if host not in self._hosts:
            self._hosts[host] = _Host(self._settings.host_concurrency, self._settings.rate_limit_ms / 1000)
        return self._hosts[host]


class _Host:
    """Rate limit of one host: a maximum of concurrent requests and a minimum interval between their starts."""

    def __init__(self, at_once: int, interval_s: float) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._interval_s = interval_s
        self._next = 0.0

    def pause(self, seconds: float) -> None:
        """Start no request for this time."""
        self._next = max(self._next, time.monotonic() + seconds)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        async with self._places:
            await asyncio.sleep(max(self._next - time.monotonic(), 0.0))
            self._next = time.monotonic() + self._interval_s
            yield


_NAMES: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((aiohttp.ClientConnectorDNSError, socket.gaierror), a.DNS_FAILED),
    ((aiohttp.RedirectClientError,), a.BAD_REDIRECT),
    ((aiohttp.ClientSSLError, ssl.SSLError), a.TLS_FAILED),
    ((aiohttp.ServerTimeoutError, TimeoutError), a.TIMEOUT),
    ((ConnectionRefusedError,), a.CONNECTION_REFUSED),
    ((aiohttp.ServerDisconnectedError, ConnectionResetError, BrokenPipeError), a.CONNECTION_CLOSED),
    ((aiohttp.ClientPayloadError,), a.INCOMPLETE_BODY),
    ((aiohttp.ClientResponseError, http_exceptions.HttpProcessingError), a.BAD_RESPONSE),
    ((ValueError,), a.INVALID_URL),
)
"""The first match names the error."""


def name_error(error: BaseException) -> str:
    """Name an error of aiohttp or of the operating system."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return _CERTIFICATE.get(getattr(error.certificate_error, "verify_code", -1), a.TLS_FAILED)
    if isinstance(error, aiohttp.ClientPayloadError) and _is_caused_by(error, http_exceptions.ContentEncodingError):
        return a.BAD_ENCODING
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, ConnectionRefusedError):
        return a.CONNECTION_REFUSED
    return next((name for kinds, name in _NAMES if isinstance(error, kinds)), a.CONNECTION_FAILED)


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False


async def _read_body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_chunked(1 << 16):
        body += chunk
        if len(body) >= MAX_BODY_BYTES:
            break
    return bytes(body[:MAX_BODY_BYTES])


def _absolute(base: str, target: str) -> str | None:
    """Return the web page that a refresh leads to; None for another scheme or the page itself."""
    try:
        url = urljoin(base, target)
    except ValueError:
        return None
    return url if is_web(url) and strip_fragment(url) != strip_fragment(base) else None


def _read_hops(history: tuple[aiohttp.ClientResponse, ...]) -> tuple[a.Hop, ...]:
    return tuple(a.Hop(str(response.url), response.status) for response in history)


def _parse_retry_after(value: str | None) -> float | None:
    """Parse Retry-After (RFC 9110, section 10.2.3: seconds or a date) as seconds; None for anything else."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
