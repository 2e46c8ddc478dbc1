"""Send requests to a server: bounded, without redirects, and again after a rate limit or a server error.

httpx2 is imported with this module, on the first request.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
from msgspec import Struct

from verigate.verifier.http.chat import MalformedResponseError, read_error, read_error_code
from verigate.verifier.http.server import Address

RETRIED = frozenset({408, 429, 500, 502, 503, 504, 529})
_MAX_BODY = 16 * 1024 * 1024
_MAX_ERROR = 64 * 1024
_MAX_LINE = 1024 * 1024
_DONE = "[DONE]"


class HttpRetries(Struct, frozen=True):
    """How often a request is sent, and the seconds before the second time; each pause is twice the one before."""

    attempts: int = 4
    first_delay_s: float = 1.0
    longest_delay_s: float = 20.0


class StatusError(Exception):
    """A status other than 200, after all retries. ``said`` are the server's own words."""

    def __init__(self, status: int, said: str | None) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.said = said


class ChatTransport:
    """Requests to one server until ``deadline``, in seconds of ``monotonic``. ``silence_s`` bounds each read."""

    def __init__(
        self,
        address: Address,
        *,
        deadline: float,
        monotonic: Callable[[], float],
        silence_s: float | None = None,
        retries: HttpRetries | None = None,
    ) -> None:
        self._address = address
        self._deadline = deadline
        self._monotonic = monotonic
        self._silence_s = silence_s
        self._retries = retries or HttpRetries()

    async def get_models(self) -> Any:
        """Return the listing of models. Raises StatusError, MalformedResponseError, httpx2.HTTPError."""
        async with self._open() as client, self._send(client, "GET", "models") as response:
            return await _read_document(response)

    async def complete(self, body: Mapping[str, Any]) -> Any:
        """Send a request; return the response. Raises StatusError, MalformedResponseError, httpx2.HTTPError."""
        async with self._open() as client, self._send(client, "POST", "chat/completions", body) as response:
            return await _read_document(response)

    async def stream(self, body: Mapping[str, Any]) -> AsyncIterator[Any]:
        """Send a request; yield the chunks of the response. Raises as ``complete`` does."""
        async with self._open() as client, self._send(client, "POST", "chat/completions", body) as response:
            kind = response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise MalformedResponseError(f"it is no stream of events, but {kind[:60] or 'of no type'}")
            async for event in _read_events(response):
                if event == _DONE:
                    return
                yield _parse(event.encode())

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[httpx2.AsyncClient]:
        """A client for one request. A redirect isn't followed: it would carry the key, and the evidence, along."""
        headers = {"Accept": "application/json, text/event-stream", "User-Agent": "verigate"}
        if self._address.key is not None:
            headers["Authorization"] = f"Bearer {self._address.key}"
        local = self._address.is_local
        # Reading all certificates takes longer than asking. Without encryption none is needed, and none is trusted.
        plain = self._address.base_url.startswith("http:") and local
        trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else httpx2.create_ssl_context()
        # What is on this machine is asked without a proxy.
        async with httpx2.AsyncClient(
            headers=headers, follow_redirects=False, trust_env=not local, timeout=None, verify=trusted
        ) as client:
            yield client

    @asynccontextmanager
    async def _send(
        self, client: httpx2.AsyncClient, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send, again where that makes sense; yield the response with status 200, its body unread."""
        content = None if body is None else json.dumps(body, ensure_ascii=True).encode()
        headers = {} if content is None else {"Content-Type": "application/json"}
        delay, url = self._retries.first_delay_s, f"{self._address.base_url}/{path}"
        for left in reversed(range(self._retries.attempts)):
            remaining = max(0.001, self._deadline - self._monotonic())
            silence = remaining if self._silence_s is None else min(remaining, self._silence_s)
            timeout = httpx2.Timeout(remaining, read=silence)
            request = client.build_request(method, url, content=content, headers=headers, timeout=timeout)
            try:
                response = await client.send(request, stream=True)
            except (httpx2.ReadError, httpx2.RemoteProtocolError):
                # It hung up without a word; a server that isn't there at all refuses the connection instead.
                if not left:
                    raise
                wait = delay
            else:
                try:
                    if response.status_code == 200:
                        yield response
                        return
                    problem, pause = await _read_refusal(response, delay)
                finally:
                    await response.aclose()
                if pause is None or not left or pause >= self._deadline - self._monotonic():
                    raise problem
                wait = pause
            await asyncio.sleep(min(wait, self._retries.longest_delay_s))
            delay = min(2 * delay, self._retries.longest_delay_s)


async def _read_refusal(response: httpx2.Response, delay: float) -> tuple[StatusError, float | None]:
    """Read an error; return it with the seconds to wait before the next try, None for no other."""
    content = await _read_bounded(response, _MAX_ERROR, cut=True)
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        document = None
    said = read_error(document) or content[:300].decode("utf-8", "replace").strip()
    problem = StatusError(response.status_code, said or None)
    final = response.headers.get("x-should-retry") == "false" or read_error_code(document) == "insufficient_quota"
    if response.status_code not in RETRIED or final:
        return problem, None
    wanted = read_retry_after(response.headers)
    return problem, delay if wanted is None else max(wanted, delay)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Read the seconds after which a server wants to be asked again (RFC 9110, 10.2.3); None if it doesn't say."""
    from datetime import UTC, datetime

    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value.isascii() and value.replace(".", "", 1).isdigit():
            return float(value) / unit
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


async def _read_document(response: httpx2.Response) -> Any:
    return _parse(await _read_bounded(response, _MAX_BODY))


async def _read_bounded(response: httpx2.Response, limit: int, *, cut: bool = False) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > limit:
            if cut:
                break
            raise MalformedResponseError(f"it is longer than {limit >> 20} MiB")
    return bytes(content[:limit])


async def _read_events(response: httpx2.Response) -> AsyncIterator[str]:
    """Yield the data of server-sent events (WHATWG HTML, 9.2), until the connection ends."""
    data: list[str] = []
    async for line in _read_lines(response):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
            continue
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
    if data:
        # Some servers end with their last event and no blank line below it.
        yield "\n".join(data)


async def _read_lines(response: httpx2.Response) -> AsyncIterator[str]:
    rest, total = b"", 0
    async for chunk in response.aiter_bytes():
        total += len(chunk)
        *lines, rest = (rest + chunk).split(b"\n")
        if total > _MAX_BODY or len(rest) > _MAX_LINE:
            raise MalformedResponseError("its stream is longer than 16 MiB, or one line of it than 1 MiB")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest:
        yield rest.removesuffix(b"\r").decode("utf-8", "replace")


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise MalformedResponseError(f"it is not JSON: {str(problem)[:200]}") from problem
