"""A local server that speaks the Gemini REST protocol: generateContent and streamGenerateContent, also of Vertex AI.

Each request is answered by the next reply of the script, or by a function of the request. It records what it was sent.
Nothing here claims to be the hosted service; the client that is driven against it is the real google-genai.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "key-of-the-test-0123456789"
MARK = "@@MARK@@"
"""Stands in a reply for the mark of the prompt that it answers."""

_METHOD = re.compile(
    r"/(?P<version>v\d\w*)/(?:projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)/)?(?:publishers/google/)?"
    r"models/(?P<model>[^/:]+):(?P<method>generateContent|streamGenerateContent)"
)


@dataclass(frozen=True)
class Text:
    """A candidate with this text. ``usage`` are prompt, answer and thought tokens."""

    text: str
    finish: str | None = "STOP"
    usage: tuple[int, int, int] | None = (100, 20, 5)
    thought: str = ""
    version: str = "gemini-2.5-flash-001"
    chunks: int = 3


@dataclass(frozen=True)
class Json:
    """Any document as a successful response."""

    document: Any


@dataclass(frozen=True)
class Status:
    """An error in Google's form."""

    code: int
    message: str = "scripted"
    name: str = "SCRIPTED"


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


Reply = Text | Json | Status | Raw | Slow | Hangup


@dataclass(frozen=True)
class Asked:
    """One request: its path, headers in lower case, and body."""

    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def prompt(self) -> str:
        """The text of the user's turn."""
        return "".join(part["text"] for turn in self.body["contents"] for part in turn["parts"])

    @property
    def instruction(self) -> str:
        """The text of the system's turn."""
        said = self.body.get("systemInstruction") or {}
        return "".join(part["text"] for part in said.get("parts", ()))

    @property
    def config(self) -> Mapping[str, Any]:
        """What governs the answer."""
        found: Mapping[str, Any] = self.body["generationConfig"]
        return found


@dataclass
class GeminiServer:
    """``replies`` are given in turn, the last one for ever; ``answer`` takes precedence."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    answer: Callable[[Asked], Reply] | None = None
    asked: list[Asked] = field(default_factory=list)
    tokens: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def environment(self, **more: str) -> dict[str, str]:
        """What points google-genai here."""
        return {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": self.url, **more}

    def reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.asked.append(asked)
            if self.answer is not None:
                return _marked(self.answer(asked), asked)
            return _marked(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0], asked)


def _marked(reply: Reply, asked: Asked) -> Reply:
    """The reply with the mark of the prompt's fences, where it asks for it."""
    if isinstance(reply, Slow):
        return Slow(reply.seconds, _marked(reply.then, asked))
    found = re.search("The mark of the fences is ([0-9a-f]{32})", asked.prompt)
    if not isinstance(reply, Text) or MARK not in reply.text or found is None:
        return reply
    return replace(reply, text=reply.text.replace(MARK, found[1]))


def answers(*said: tuple[str, str, Sequence[Mapping[str, Any]]], why: str = "because") -> Text:
    """The agreed document: (question, answer, citations) each."""
    document = {
        "mark": MARK,
        "answers": [
            {"question": question, "answer": word, "citations": list(citations), "why": why}
            for question, word, citations in said
        ],
    }
    return Text(json.dumps(document))


def candidate(reply: Text, text: str, *, last: bool = True) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    if reply.thought:
        parts.insert(0, {"text": reply.thought, "thought": True})
    found: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if last and reply.finish is not None:
        found["finishReason"] = reply.finish
    document: dict[str, Any] = {"candidates": [found], "modelVersion": reply.version, "responseId": "r1"}
    if reply.usage is not None and last:
        prompt, answer, thought = reply.usage
        document["usageMetadata"] = {
            "promptTokenCount": prompt,
            "candidatesTokenCount": answer,
            "thoughtsTokenCount": thought,
            "totalTokenCount": prompt + answer + thought,
        }
    return document


@contextmanager
def gemini_server(*replies: Reply) -> Iterator[GeminiServer]:
    server = GeminiServer(replies=list(replies))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args: Any) -> None:
            """Print nothing."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = self.path.partition("?")[0]
            if path == "/token":
                server.tokens += 1
                self.send(200, b'{"access_token": "an-access-token", "expires_in": 3600, "token_type": "Bearer"}')
                return
            called = _METHOD.fullmatch(path)
            if called is None:
                self.send(404, b'{"error": {"code": 404, "message": "no such method", "status": "NOT_FOUND"}}')
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.give(server.reply(Asked(self.path, headers, json.loads(body))), called["method"])

        def give(self, reply: Reply, method: str) -> None:
            if isinstance(reply, Slow):
                server.closing.wait(reply.seconds)
                self.give(reply.then, method)
            elif isinstance(reply, Hangup):
                self.close_connection = True
            elif isinstance(reply, Status):
                error = {"code": reply.code, "message": reply.message, "status": reply.name}
                self.send(reply.code, json.dumps({"error": error}).encode())
            elif isinstance(reply, Raw):
                self.send(reply.status, reply.content, reply.kind, reply.location)
            elif method == "streamGenerateContent":
                self.stream(reply)
            else:
                document = reply.document if isinstance(reply, Json) else candidate(reply, reply.text)
                self.send(200, json.dumps(document).encode())

        def stream(self, reply: Text | Json) -> None:
            if isinstance(reply, Json):
                events = [reply.document]
            else:
                size = max(1, -(-len(reply.text) // reply.chunks))
                texts = [reply.text[at : at + size] for at in range(0, len(reply.text), size)] or [""]
                events = [
                    candidate(reply, text, last=number == len(texts)) for number, text in enumerate(texts, start=1)
                ]
            self.send(200, b"".join(b"data: %s\r\n\r\n" % json.dumps(event).encode() for event in events),
                      "text/event-stream")  # fmt: skip

        def send(
            self, status: int, content: bytes, kind: str = "application/json", location: str | None = None
        ) -> None:
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Clients that hang up are part of what is tested."""

    http = Server(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()
