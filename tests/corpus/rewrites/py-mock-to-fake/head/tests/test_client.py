import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from issues_client import Client, NotFound, send_by_http


class FakeTransport:
    """Answers every request alike and keeps what was sent."""

    def __init__(self, status, body=b"{}"):
        self.answer = (status, body)
        self.sent = []

    def __call__(self, method, url, data):
        self.sent.append((method, url, data))
        return self.answer


def test_title():
    transport = FakeTransport(200, b'{"title": "It breaks"}')
    assert Client("https://x.org/", transport).title(7) == "It breaks"
    assert transport.sent == [("GET", "https://x.org/issues/7", None)]


def test_close():
    transport = FakeTransport(200, b'{"state": "closed"}')
    assert Client("https://x.org", transport).close(7) == "closed"
    [(method, url, data)] = transport.sent
    assert (method, url) == ("PATCH", "https://x.org/issues/7")
    assert json.loads(data) == {"state": "closed", "reason": "done"}


def test_not_found():
    with pytest.raises(NotFound, match="/issues/8"):
        Client("https://x.org", FakeTransport(404)).title(8)


def test_other_errors():
    with pytest.raises(OSError, match="GET /issues/8: 500"):
        Client("https://x.org", FakeTransport(500)).title(8)


@pytest.fixture
def echo():
    """A server that answers with method and body, and with 404 below /none."""

    class Echo(BaseHTTPRequestHandler):
        def do_PATCH(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(404 if self.path == "/none" else 200)
            self.end_headers()
            self.wfile.write(self.command.encode() + b" " + body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("path", "status"), [("/a", 200), ("/none", 404)])
def test_send_by_http(echo, path, status):
    assert send_by_http("PATCH", echo + path, b"{}") == (status, b"PATCH {}")
