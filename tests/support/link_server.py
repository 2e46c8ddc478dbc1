"""A web server on 127.0.0.1 that answers in all the ways in which links go wrong, over plain HTTP or TLS.

Each path has one behaviour, see ``LinkServer.answer``. ``asked`` counts requests by method and path.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGE = b"<!doctype html><title>A page</title><h1 id=there>A page</h1>"


class LinkServer(ThreadingHTTPServer):
    """``pages`` are answered before anything else: path -> body, or (status, body)."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[tuple[str, str]] = Counter()
        self.pages: dict[str, bytes | tuple[int, bytes]] = {}
        self.scheme = "http"
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """Where it answers, without a slash at the end."""
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of what is tested."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LinkServer

    def log_message(self, *_args: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked[self.command, path] += 1
        if path in self.server.pages:
            page = self.server.pages[path]
            status, body = page if isinstance(page, tuple) else (200, page)
            kind = "application/xml" if path.endswith(".xml") else "text/html; charset=utf-8"
            self.plain(status, body, **{"Content-Type": kind})
            return
        name, _, rest = path.strip("/").partition("/")
        getattr(self, f"on_{name.replace('-', '_')}", self.on_missing)(rest)

    do_HEAD = do_GET  # noqa: N815 - http.server calls it by this name

    def plain(self, status: int, body: bytes = PAGE, **headers: str) -> None:
        self.send_response(status)
        for key, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def on_ok(self, _rest: str) -> None:
        self.plain(200)

    def on_missing(self, _rest: str) -> None:
        self.plain(404, b"<title>Nothing here</title>")

    def on_status(self, rest: str) -> None:
        """``/status/CODE``."""
        self.plain(int(rest))

    def on_redirect(self, rest: str) -> None:
        """``/redirect/CODE/where/to``."""
        code, _, target = rest.partition("/")
        self.plain(int(code), b"", Location=f"/{target}")

    def on_members(self, _rest: str) -> None:
        self.plain(302, b"", Location="/login?next=/members")

    def on_loop(self, _rest: str) -> None:
        self.plain(302, b"", Location=self.path)

    def on_nowhere(self, _rest: str) -> None:
        self.plain(302, b"", Location="http://[broken")

    def on_refuses_head(self, rest: str) -> None:
        """``/refuses-head/CODE``: this to HEAD, 200 to GET."""
        self.plain(int(rest) if self.command == "HEAD" else 200)

    def on_head_only(self, rest: str) -> None:
        """``/head-only/CODE``: 200 to HEAD, this to GET."""
        self.plain(200 if self.command == "HEAD" else int(rest))

    def on_limited(self, rest: str) -> None:
        """``/limited/SECONDS/TIMES``: 429 with Retry-After at first, then 200."""
        seconds, _, times = rest.partition("/")
        so_often = sum(count for (_, path), count in self.server.asked.items() if path == self.path)
        if so_often <= int(times):
            self.plain(429, b"", **{"Retry-After": seconds})
        else:
            self.plain(200)

    def on_flaky(self, rest: str) -> None:
        """``/flaky/TIMES/...``: 503 at first, then 200."""
        so_often = sum(count for (_, path), count in self.server.asked.items() if path == self.path)
        self.plain(503 if so_often <= int(rest.partition("/")[0]) else 200)

    def on_slow(self, _rest: str) -> None:
        self.server.closing.wait(20)
        self.plain(200)

    def on_endless(self, _rest: str) -> None:
        """A body that never ends."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        until = time.monotonic() + 20
        with contextlib.suppress(OSError):
            while self.command != "HEAD" and not self.server.closing.is_set() and time.monotonic() < until:
                self.wfile.write(b"<p>and on</p>" * 1000)

    def on_closing(self, _rest: str) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def on_cut(self, _rest: str) -> None:
        """Less of a body than it says."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "5000")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"<h1>Once upon")

    def on_no_http(self, _rest: str) -> None:
        self.close_connection = True
        self.wfile.write(b"220 mail.example ESMTP\r\n")

    def on_gzip_broken(self, _rest: str) -> None:
        self.plain(200, b"this was never packed", **{"Content-Encoding": "gzip"})

    def on_error_page(self, _rest: str) -> None:
        self.plain(200, b"<title>404 Not Found</title><h1>Oops</h1>")

    def on_error_json(self, _rest: str) -> None:
        self.plain(200, b'{"status": 404, "message": "no such thing"}', **{"Content-Type": "application/json"})


@contextmanager
def link_server(
    pages: Mapping[str, bytes | tuple[int, bytes]] | None = None, *, certificate: Path | None = None
) -> Iterator[LinkServer]:
    """A server that runs until the block ends; with TLS where ``certificate`` is a PEM file with key."""
    with LinkServer() as server:
        server.pages.update(pages or {})
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            server.scheme = "https"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()


def write_certificate(path: Path, *, days: int = 30, host: str | None = None) -> Path:
    """A self-signed certificate for 127.0.0.1 (or ``host``) with its key, as PEM; expired for negative ``days``."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "links.example")])
    ends = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    names = [x509.DNSName(host)] if host else [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends - dt.timedelta(days=60))
        .not_valid_after(ends)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
