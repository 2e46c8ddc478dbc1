"""The parts of forges' REST APIs that comments are written and reviews are read with, in memory.

Answers of GitHub are whole: they fit its description (``github_description``), and ``faults`` collects what doesn't.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from github_description import Exchange, GithubDescription

TOKEN = "a-token"
LOGIN = "github-actions[bot]"
MOMENT = "2026-06-15T12:00:00Z"

_LIST = re.compile(r"(?:/api/v1)?/repos/owner/shop/issues/7/comments|/api/v4/projects/42/merge_requests/7/notes")
_ONE = re.compile(
    r"(?:/api/v1)?/repos/owner/shop/issues/comments/(\d+)|/api/v4/projects/42/merge_requests/7/notes/(\d+)"
)
_PULL = re.compile(r"/repos/owner/shop/pulls/7")
_REVIEWS = re.compile(r"/repos/owner/shop/pulls/7/reviews")
_CHANGES = {"github": "PATCH", "gitea": "PATCH", "gitlab": "PUT"}


@dataclass
class Comments:
    """What is there, and the methods that were called. ``refuse`` is the status of every answer from then on.

    ``instead`` is sent in place of every answer. ``forge`` is github, gitea (which answers each page with all comments)
    or gitlab. ``login`` is the token's.
    ``reviews`` are those of the pull request, which ``author`` opened. ``before`` is called with each method first.
    """

    url: str = ""
    stored: list[dict[str, Any]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    refuse: int | None = None
    elsewhere: str = ""
    instead: bytes = b""
    reviews: list[Any] = field(default_factory=list)
    author: str = "somebody"
    forge: str = "github"
    login: str = LOGIN
    description: GithubDescription | None = None
    faults: list[str] = field(default_factory=list)
    before: Callable[[str], object] = len
    _number: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def writes(self) -> list[str]:
        """The methods called that change something."""
        return [method for method in self.calls if method != "GET"]

    def add(self, login: str, body: str, **more: Any) -> dict[str, Any]:
        with self._lock:
            self._number += 1
            address = f"{self.url}/repos/owner/shop/issues/comments/{self._number}"
            comment: dict[str, Any] = {"id": self._number, "body": body, "created_at": MOMENT, "updated_at": MOMENT}
            if self.forge == "gitlab":
                comment |= {"author": {"id": 1, "username": login}, "system": False, "noteable_iid": 7}
            else:
                comment |= {"user": _user(self.url, login), "html_url": address, "issue_url": f"{self.url}/issues/7"}
                comment |= {"node_id": "IC_1", "url": address}
            self.stored.append(comment | more)
            return self.stored[-1]

    def by(self, login: str) -> list[str]:
        return [comment["body"] for comment in self.stored if _login(comment) == login]

    def answer(self, method: str, target: str, token: str, document: Any) -> tuple[int, Any]:
        self.before(method)
        self.calls.append(method)
        if self.refuse is not None:
            return self.refuse, {"message": "Resource not accessible by integration"}
        if token != (TOKEN if self.forge == "gitlab" else f"Bearer {TOKEN}"):
            return 401, {"message": "Bad credentials"}
        url = urlsplit(target)
        query = parse_qs(url.query)
        status, answer = self._answer(method, url.path, query, document)
        if self.description is not None and self.forge == "github" and "comments" in url.path:
            exchange = Exchange(method, url.path, query, document, status, answer)
            self.faults.extend(self.description.find_faults(exchange))
        return status, answer

    def _answer(self, method: str, path: str, query: dict[str, list[str]], document: Any) -> tuple[int, Any]:
        if method == "GET":
            return self._read(path, query)
        if method == "POST" and _LIST.fullmatch(path):
            return 201, self.add(self.login, document["body"])
        found = _ONE.fullmatch(path)
        number = int(next(filter(None, found.groups()))) if found else 0
        comment = next((each for each in self.stored if each["id"] == number), None)
        if comment is None:
            return 404, {"message": "Not Found"}
        if method == _CHANGES[self.forge]:
            comment["body"] = document["body"]
            return 200, comment
        if method == "DELETE":
            self.stored.remove(comment)
            return 204, None
        return 404, {"message": "Not Found"}

    def _read(self, path: str, query: dict[str, list[str]]) -> tuple[int, Any]:
        if path == "/api/v4/user":
            return 200, {"id": 1, "username": self.login}
        if _PULL.fullmatch(path):
            return 200, {"number": 7, "user": {"login": self.author}}
        listed = self.stored if _LIST.fullmatch(path) else self.reviews if _REVIEWS.fullmatch(path) else None
        if listed is None:
            return 404, {"message": "Not Found"}
        if self.forge == "gitea":
            return 200, list(listed)
        size, page = int(query["per_page"][0]), int(query["page"][0])
        return 200, listed[size * (page - 1) : size * page]


def _login(comment: dict[str, Any]) -> str:
    found: str = comment["author"]["username"] if "author" in comment else comment["user"]["login"]
    return found


def _user(url: str, login: str) -> dict[str, Any]:
    """A user as GitHub describes one."""
    links = (
        *("avatar", "followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events"),
        *("received_events", "html"),
    )
    own = {"login": login, "id": 1, "node_id": "U_1", "gravatar_id": "", "type": "Bot", "site_admin": False}
    return {**own, "url": f"{url}/users/x", **{f"{name}_url": f"{url}/users/x" for name in links}}


@contextmanager
def comments_server(forge: str = "github", description: GithubDescription | None = None) -> Iterator[Comments]:
    """The server on a free port of this machine; ``url`` is what GITHUB_API_URL would be, without the path."""
    comments = Comments(forge=forge, description=description)

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            document = json.loads(body) if body else None
            token = self.headers.get("PRIVATE-TOKEN" if forge == "gitlab" else "Authorization", "")
            status, answer = comments.answer(self.command, self.path, token, document)
            self.send_response(status)
            if comments.elsewhere:
                self.send_header("Location", comments.elsewhere)
            self.end_headers()
            if comments.instead:
                self.wfile.write(comments.instead)
            elif answer is not None:
                self.wfile.write(json.dumps(answer).encode())

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815 - names of http.server

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
