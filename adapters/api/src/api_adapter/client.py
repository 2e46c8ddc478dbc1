"""Call a service: one request in, a bounded response or the name of an error out. Redirects are not followed."""

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
"""Only this much of a body is read; a longer response is marked as truncated."""

_CHUNK = 1 << 16


class ApiResponse(Struct, frozen=True):
    """A response. ``status`` is None if ``error`` names why there is none; header names are in lower case."""

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


class ApiCall(Struct, frozen=True):
    """One request. ``target`` is path and query, percent-encoded, relative to the client's address."""

    method: str
    target: str
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes | None = None


class ApiClient:
    """A service at ``base_url``. Keeps one connection open; a call takes at most about ``timeout_s`` seconds."""

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
        """Close the connection."""
        self._connection.close()

    def call(self, call: ApiCall) -> ApiResponse:
        """Send one request. Raises nothing for failures of the service, which are in the response's ``error``."""
        reused = self._connection.sock is not None
        answer = self._send(call)
        if reused and answer.error == "closed" and call.method in SAFE_METHODS:
            # A server may close an idle connection at any moment; that isn't a failure of the endpoint.
            answer = self._send(call)
        return answer

    def _send(self, call: ApiCall) -> ApiResponse:
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
            return ApiResponse(response.status, None, found, body, not whole, elapsed)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            return ApiResponse(
                None, _name_error(error), {}, b"", truncated=False, elapsed_ms=(time.perf_counter() - start) * 1000
            )


def _read(response: http.client.HTTPResponse, deadline: float) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    size = 0
    while size <= MAX_BODY_BYTES:
        if time.perf_counter() > deadline:
            raise TimeoutError
        part = response.read1(_CHUNK)
        if not part:
            left = response.length
            # read1 doesn't close a response at its end, which would keep the connection from being reused.
            response.close()
            if left:
                raise http.client.IncompleteRead(b"", left)  # read1 doesn't raise it
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


def _name_error(error: Exception) -> str:
    return next((name for kind, name in _NAMES if isinstance(error, kind)), "unreachable")
