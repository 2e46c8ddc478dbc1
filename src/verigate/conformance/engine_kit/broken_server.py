"""A local server that gives one reply to every request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from verigate.conformance.engine_kit.replies import BrokenReply


class BrokenServer:
    """``url`` is its base URL. ``reply`` is given to each request; ``asked`` counts them."""

    def __init__(self) -> None:
        self.url = ""
        self.reply = BrokenReply(b"")
        self.asked = 0


@contextmanager
def serve_broken() -> Iterator[BrokenServer]:
    """Serve on a port of the loopback until the block ends."""
    server = BrokenServer()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args: Any) -> None:
            """Print nothing."""

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server.asked += 1
            self.send_response(server.reply.status)
            self.send_header("Content-Type", server.reply.kind)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.send_header("Content-Length", str(len(server.reply.body)))
            self.end_headers()
            self.wfile.write(server.reply.body)

        do_GET = do_POST = _answer  # noqa: N815 - http.server's names

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
