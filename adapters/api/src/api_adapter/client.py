"""Calling a service: one request in, a bounded answer or the name of an error out. Redirects are not followed."""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from msgspec import Struct

from api_adapter.settings import SAFE_METHODS

MAX_BODY_BYTES = 1 << 20
"""What is read of a body; the rest is left and the answer marked as truncated."""

_CHUNK = 1 << 16


class Answer(Struct, frozen=True):
    """What came back. ``status`` is None where ``error`` names why there is none; header names are in lower case."""

    status: int | None
    error: str | None
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    elapsed_ms: float

    @property
    def outcome(self) -> int | str:
        """The status, or the error's name."""
        return self.status if self.status is not None else self.error or "error"

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case; empty without one."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Call(Struct, frozen=True):
    """One request. ``target`` is path and query, percent-encoded, relative to the client's address."""

    method: str
    target: str
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes | None = None


class Client:
    """A service at ``base_url``. One connection is kept open; each call takes at most about ``timeout_s`` seconds."""

    def __init__(self, base_url: str, timeout_s: float) -> None:
        parts = urlsplit(base_url)
        self._prefix = parts.path.rstrip("/")
        self._timeout_s = timeout_s
        host, port = parts.hostname or "", parts.port
        self._connection: http.client.HTTPConnection
        if parts.scheme == "https":
            self._connection = http.client.HTTPSConnection(
                host, port, timeout=timeout_s, context=ssl.create_default_context()
            )
        else:
            self._connection = http.client.HTTPConnection(host, port, timeout=timeout_s)

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def call(self, call: Call) -> Answer:
        """Send one request. Never raises for what the service does; that is in the answer's ``error``."""
        reused = self._connection.sock is not None
        answer = self._once(call)
        if reused and answer.error == "closed" and call.method in SAFE_METHODS:
            # A server may close an idle connection at any moment: that says nothing about the endpoint.
            answer = self._once(call)
        return answer

    def _once(self, call: Call) -> Answer:
        start = time.perf_counter()
        try:
            headers = {"Accept": "application/json, */*;q=0.5", "Accept-Encoding": "identity", **call.headers}
            self._connection.request(call.method, self._prefix + call.target, call.body, headers)
            response = self._connection.getresponse()
            body, whole = _read(response, start + self._timeout_s)
            elapsed = (time.perf_counter() - start) * 1000
            found = {name.lower(): value for name, value in response.getheaders()}
            if not whole:
                self._connection.close()
            return Answer(response.status, None, found, body, not whole, elapsed)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            return Answer(None, _name(error), {}, b"", truncated=False, elapsed_ms=(time.perf_counter() - start) * 1000)


def _read(response: http.client.HTTPResponse, deadline: float) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    size = 0
    while size <= MAX_BODY_BYTES:
        if time.perf_counter() > deadline:
            raise TimeoutError
        part = response.read1(_CHUNK)
        if not part:
            left = response.length
            # read1 leaves a response open that it has read to its end, and the connection couldn't be used again.
            response.close()
            if left:
                raise http.client.IncompleteRead(b"", left)  # which read1 doesn't tell
            return b"".join(parts), True
        parts.append(part)
        size += len(part)
    return b"".join(parts)[:MAX_BODY_BYTES], False


_NAMES: tuple[tuple[type[Exception], str], ...] = (
    (TimeoutError, "timeout"),
    (ConnectionRefusedError, "refused"),
    (ssl.SSLError, "tls"),
    (socket.gaierror, "dns"),
    (ConnectionError, "closed"),  # http.client.RemoteDisconnected is one
    (http.client.IncompleteRead, "closed"),
    (http.client.HTTPException, "not-http"),
    (ValueError, "not-http"),
)


def _name(error: Exception) -> str:
    return next((name for kind, name in _NAMES if isinstance(error, kind)), "unreachable")
