"""A small web service whose routes read like those of the usual frameworks, and the description that it keeps to.

It starts in a few hundredths of a second, which the real frameworks (tests/integration/test_api_frameworks.py) don't.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from repositories import Content, Repository

MINI = '''
import json, os, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Mini:
    """Routes to functions of (request); they return a value, or (status, value), or (status, value, headers)."""

    def __init__(self):
        self.routes = {}

    def get(self, path, method="GET"):
        pattern = re.compile("".join("([^/]+)" if part.startswith("{") else re.escape(part)
                                     for part in re.split(r"({[^}]*})", path)))
        def register(function):
            # By the first part of the path: a service of many routes mustn't cost more for each.
            self.routes.setdefault(path.split("/")[1], []).append((method, pattern, function))
            return function
        return register

    def delete(self, path):
        return self.get(path, "DELETE")

    def run(self):
        app = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def answer(self):
                parts = urlsplit(self.path)
                self.query = parse_qs(parts.query)
                self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                said = (404, {"detail": "not found"})
                for method, pattern, function in app.routes.get(parts.path.split("/")[1], ()):
                    match = pattern.fullmatch(parts.path)
                    if match and method == self.command:
                        said = function(self, *match.groups())
                status, value, *rest = said if isinstance(said, tuple) else (200, said)
                headers = {"Content-Type": "application/json", **(rest[0] if rest else {})}
                body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, form, *values):
                print("called", self.command, self.path, flush=True)

        ThreadingHTTPServer.daemon_threads = True
        ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
'''

APP = """
import os
from mini import Mini

app = Mini()
ITEMS = {1: "tea", 2: "milk"}


@app.get("/items")
def items(request):
    return [{"id": key, "name": name} for key, name in ITEMS.items()]


@app.get("/items/{id}")
def item(request, key):
    if not key.isdigit() or int(key) not in ITEMS:
        return 404, {"detail": "no such item"}
    return {"id": int(key), "name": ITEMS[int(key)]}


@app.get("/orders")
def orders(request):
    said = request.headers.get("Authorization", "")
    if said != "Bearer " + os.environ.get("SHOP_TOKEN", "nobody knows"):
        return 401, {"detail": "credentials, please"}
    return [{"id": 7, "name": "order"}]


if __name__ == "__main__":
    app.run()
"""

_LIST = {
    "description": "ok",
    "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
}
_ONE = {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}
_ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
OPENAPI: Mapping[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "shop", "version": "1"},
    "paths": {
        "/items": {"get": {"responses": {"200": _LIST}}},
        "/items/{id}": {"get": {"parameters": [_ID], "responses": {"200": _ONE, "404": {"description": "none"}}}},
        "/orders": {"get": {"security": [{"token": []}], "responses": {"200": _LIST}}},
    },
    "components": {
        "schemas": {
            "Item": {
                "type": "object",
                "required": ["id", "name"],
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
                "additionalProperties": False,
            }
        },
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
}
CONFIG: Mapping[str, Any] = {
    "service": {"command": [sys.executable, "app.py"], "pass_credentials": True, "start_timeout_s": 20},
    "credentials": {"token": "SHOP_TOKEN"},
    "inputs": 1,
}
TOKEN = "correct-horse-battery"


def description(**paths: Any) -> dict[str, Any]:
    """A copy of OPENAPI to be changed; ``paths`` replace those of these names (``items``)."""
    made: dict[str, Any] = copy.deepcopy(dict(OPENAPI))
    made["paths"] |= {f"/{name}": value for name, value in paths.items()}
    return made


def files(app: str = APP, openapi: Mapping[str, Any] | None = OPENAPI, **config: Any) -> dict[str, Content]:
    """The files of a repository with this service; ``config`` are further keys of the adapter's configuration."""
    made: dict[str, Content] = {
        "mini.py": MINI,
        "app.py": app,
        "config/adapters.json": json.dumps({"api": {**CONFIG, **config}}),
    }
    return made if openapi is None else {**made, "openapi.json": json.dumps(openapi)}


def api_project(repo: Repository, order: Sequence[str], rules: Mapping[str, Any], **given: Any) -> None:
    """Commit the honest service with a task type ``change`` that runs ``order``; begin task T1."""
    repo.policy(["code:diff", *order], rules)
    repo.commit(files(**given))
    repo.task(type_="change")
