"""The part of GitHub's REST API that comments on pull requests are written and reviews are read with, in memory."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-token"
LOGIN = "github-actions[bot]"

_LIST = re.compile(r"/repos/owner/shop/issues/7/comments")
_PULL = re.compile(r"/repos/owner/shop/pulls/7")
_REVIEWS = re.compile(r"/repos/owner/shop/pulls/7/reviews")
_ONE = re.compile(r"/repos/owner/shop/issues/comments/(\d+)")


@dataclass
class Comments:
    """What is there, and the methods that were called. ``refuse`` is the status of every answer from then on.

    ``reviews`` are those of the pull request, which ``author`` opened.
    """

    url: str = ""
    stored: list[dict[str, Any]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    refuse: int | None = None
    elsewhere: str = ""
    reviews: list[Any] = field(default_factory=list)
    author: str = "somebody"

    def add(self, login: str, body: str) -> dict[str, Any]:
        comment = {"id": len(self.stored) + 1, "user": {"login": login}, "body": body}
        self.stored.append(comment)
        return comment

    def by(self, login: str) -> list[str]:
        return [comment["body"] for comment in self.stored if comment["user"]["login"] == login]

    def answer(self, method: str, target: str, token: str, document: Any) -> tuple[int, Any]:
        self.calls.append(method)
        if self.refuse is not None:
            return self.refuse, {"message": "Resource not accessible by integration"}
        if token != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}
        url = urlsplit(target)
        if method == "GET":
            return self._read(url.path, parse_qs(url.query))
        if method == "POST" and _LIST.fullmatch(url.path):
            return 201, self.add(LOGIN, document["body"])
        if method == "PATCH" and (found := _ONE.fullmatch(url.path)):
            comment = self.stored[int(found[1]) - 1]
            comment["body"] = document["body"]
            return 200, comment
        return 404, {"message": "Not Found"}

    def _read(self, path: str, query: dict[str, list[str]]) -> tuple[int, Any]:
        if _PULL.fullmatch(path):
            return 200, {"number": 7, "user": {"login": self.author}}
        listed = self.stored if _LIST.fullmatch(path) else self.reviews if _REVIEWS.fullmatch(path) else None
        if listed is None:
            return 404, {"message": "Not Found"}
        size, page = int(query["per_page"][0]), int(query["page"][0])
        return 200, listed[size * (page - 1) : size * page]


@contextmanager
def comments_server() -> Iterator[Comments]:
    """The server on a free port of this machine; ``url`` is what GITHUB_API_URL would be."""
    comments = Comments()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            document = json.loads(body) if body else None
            token = self.headers.get("Authorization", "")
            status, answer = comments.answer(self.command, self.path, token, document)
            self.send_response(status)
            if comments.elsewhere:
                self.send_header("Location", comments.elsewhere)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - names of http.server

        def log_message(self, *arguments: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    comments.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield comments
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
