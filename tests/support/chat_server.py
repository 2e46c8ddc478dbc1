"""A local server that speaks the OpenAI-compatible chat API: models and chat completions, also streamed.

Each request for a completion is answered by the next reply of the script, the last one for ever. It records what it
was sent. The official client, openai, is driven against it too, so that it is the API that is spoken here.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-key-of-the-test-0123456789"
MARK = "@@MARK@@"
"""Stands in a reply for the mark of the prompt that it answers."""


@dataclass(frozen=True)
class Says:
    """An answer. ``usage`` are prompt and answer tokens, None for a server that doesn't count."""

    text: str
    finish: str | None = "stop"
    usage: tuple[int, int] | None = (100, 20)
    refusal: str | None = None
    model: str = "tiny-1-instruct"
    chunks: int = 3
    done: bool = True


@dataclass(frozen=True)
class Json:
    """Any document as a successful response; of a stream, its one event."""

    document: Any


@dataclass(frozen=True)
class Status:
    """An error in OpenAI's form."""

    code: int
    message: str = "scripted"
    kind: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """These bytes, with this status, and the address of a redirect."""

    content: bytes
    status: int = 200
    kind: str = "application/json"
    location: str | None = None


@dataclass(frozen=True)
class Slow:
    """Wait, then answer."""

    seconds: float
    then: Any


@dataclass(frozen=True)
class Hangup:
    """Close the connection without a word."""


Reply = Says | Json | Status | Raw | Slow | Hangup


@dataclass(frozen=True)
class Asked:
    """One request: its path, headers in lower case, and body."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass
class ChatServer:
    """``replies`` are given in turn; ``models`` are listed, None for a server that has no list."""

    replies: list[Reply]
    models: Any = ("tiny-1",)
    key: str | None = None
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    listed: int = 0
    came: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)

    def reply(self, asked: Asked) -> Reply:
        """Return the reply to a request."""
        self.asked.append(asked)
        self.came.set()
        return self.replies[min(len(self.asked), len(self.replies)) - 1]


def mark_answer(reply: Reply, body: Any) -> Reply:
    """Put the mark of the prompt where the answer asks for it."""
    found = re.search("The mark of the fences is ([0-9a-f]{32})", json.dumps(body))
    if not isinstance(reply, Says) or found is None:
        return reply
    return replace(reply, text=reply.text.replace(MARK, found[1]))


def completion(reply: Says) -> dict[str, Any]:
    """The document of an answer."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    document: dict[str, Any] = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": reply.model, "choices": [choice],
    }  # fmt: skip
    return document | ({} if reply.usage is None else {"usage": usage(reply.usage)})


def usage(counted: tuple[int, int]) -> dict[str, int]:
    """Token counts."""
    return {"prompt_tokens": counted[0], "completion_tokens": counted[1], "total_tokens": sum(counted)}


def events(reply: Says, *, counted: bool) -> Iterator[dict[str, Any]]:
    """The chunks of an answer; ``counted``: with one of the usage, as ``include_usage`` asks for."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": reply.model}
    size = max(1, -(-len(reply.text) // reply.chunks))
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": reply.text[at : at + size]} for at in range(0, len(reply.text), size)]
    deltas += [{"refusal": reply.refusal}] if reply.refusal else []
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    if reply.finish is not None:
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]}
    if counted and reply.usage is not None:
        yield {**head, "choices": [], "usage": usage(reply.usage)}


@contextmanager
def chat_server(*replies: Reply, models: Any = ("tiny-1",), key: str | None = None) -> Iterator[ChatServer]:
    """Serve until the block ends. With ``key`` no request without it is answered."""
    server = ChatServer(replies=list(replies), models=models, key=key)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args: Any) -> None:
            """Print nothing."""

        def refused(self) -> bool:
            if server.key is None or self.headers.get("Authorization") == f"Bearer {server.key}":
                return False
            said = f"Incorrect API key provided: {self.headers.get('Authorization', '')}"
            self.give(Status(401, said, "invalid_api_key"), {})
            return True

        def do_GET(self) -> None:
            server.listed += 1
            if self.refused():
                return
            if self.path != "/v1/models" or server.models is None:
                self.give(Status(404, "no such path"), {})
            elif isinstance(server.models, Raw):
                self.give(server.models, {})
            else:
                listed = [{"id": name, "object": "model", "created": 1, "owned_by": "us"} for name in server.models]
                self.give(Json({"object": "list", "data": listed}), {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            headers = {name.lower(): value for name, value in self.headers.items()}
            if self.refused():
                return
            if self.path != "/v1/chat/completions":
                self.give(Status(404, "no such path"), body)
                return
            self.give(mark_answer(server.reply(Asked(self.path, headers, body)), body), body)

        def give(self, reply: Reply, body: Any) -> None:
            if isinstance(reply, Slow):
                server.closing.wait(reply.seconds)
                self.give(reply.then, body)
            elif isinstance(reply, Hangup):
                self.close_connection = True
            elif isinstance(reply, Status):
                error = {"message": reply.message, "type": "scripted", "param": None, "code": reply.kind}
                self.send(reply.code, json.dumps({"error": error}).encode(), headers=reply.headers)
            elif isinstance(reply, Raw):
                more = {} if reply.location is None else {"Location": reply.location}
                self.send(reply.status, reply.content, reply.kind, more)
            elif body.get("stream"):
                self.stream(reply, counted=bool((body.get("stream_options") or {}).get("include_usage")))
            else:
                document = reply.document if isinstance(reply, Json) else completion(reply)
                self.send(200, json.dumps(document).encode())

        def stream(self, reply: Says | Json, *, counted: bool) -> None:
            documents = [reply.document] if isinstance(reply, Json) else events(reply, counted=counted)
            content = b"".join(b"data: %s\n\n" % json.dumps(document).encode() for document in documents)
            if isinstance(reply, Json) or reply.done:
                content += b"data: [DONE]\n\n"
            self.send(200, content, "text/event-stream; charset=utf-8")

        def send(
            self, status: int, content: bytes, kind: str = "application/json", headers: Mapping[str, str] | None = None
        ) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Clients that hang up are part of what is tested."""

    http = Server(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()
