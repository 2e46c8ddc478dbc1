"""Local servers that speak the providers' protocols and play a script: text, or a call of a tool, one step per request.

Anthropic's Messages, OpenAI's Responses and Google's streamGenerateContent, as much of each as the programs use.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Says:
    """The model ends its turn with this text."""

    text: str


@dataclass(frozen=True)
class Calls:
    """The model calls a tool. ``arguments`` is an object, or the text of a freeform tool.

    ``namespace`` is that of a tool in Responses, None for a tool of the program.
    """

    tool: str
    arguments: Any
    namespace: str | None = None


Step = Says | Calls
Events = list[tuple[str | None, Any]]


@dataclass
class Script:
    """The steps that are left, and the bodies of the requests that were answered with one."""

    steps: list[Step]
    requests: list[Any] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, body: Any) -> tuple[int, Step]:
        """The number and the step of one request."""
        with self.lock:
            self.requests.append(body)
            return len(self.requests), self.steps.pop(0) if self.steps else Says("That is all.")


def anthropic(path: str, body: Any, script: Script) -> Events | Any:
    if not path.startswith("/v1/messages") or "count_tokens" in path:
        return {"input_tokens": 1}
    if not body.get("tools"):
        # A title for the session, and the like.
        answered: tuple[int, Says | Calls] = 0, Says("{}")
    else:
        answered = script.next(body)
    number, step = answered
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    if isinstance(step, Says):
        block: dict[str, Any] = {"type": "text", "text": ""}
        ends = "end_turn"
        delta = {"type": "text_delta", "text": step.text}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": step.tool, "input": {}}
        ends = "tool_use"
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
    told: Events = [
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": ends, "stop_sequence": None}, "usage": usage}),
        ("message_stop", {}),
    ]
    if not body.get("stream"):
        return {**message, "content": [{**block, "text": getattr(step, "text", "")}], "stop_reason": ends}
    return [(name, {"type": name, **data}) for name, data in told]


def completions(path: str, body: Any, script: Script) -> Events | Any:
    """OpenAI's Chat Completions, which servers of others speak too."""
    if not path.endswith("/chat/completions"):
        return {"object": "list", "data": []}
    number, step = script.next(body) if body.get("tools") else (0, Says("{}"))
    message: dict[str, Any] = {"role": "assistant", "content": getattr(step, "text", "")}
    ends = "stop"
    if isinstance(step, Calls):
        call = {"name": step.tool, "arguments": json.dumps(step.arguments)}
        message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": call}]
        ends = "tool_calls"
    head = {"id": f"c{number}", "created": 0, "model": body["model"]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": ends}
        return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
    chunks: list[dict[str, Any]] = [{"delta": message, "finish_reason": None}, {"delta": {}, "finish_reason": ends}]
    told = [{**head, "object": "chat.completion.chunk", "choices": [{"index": 0, **chunk}]} for chunk in chunks]
    return [
        (None, event) for event in (*told, {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    ]


def responses(path: str, body: Any, script: Script) -> Events | Any:
    if not path.endswith("/responses"):
        return {"data": [], "models": []}
    number, step = script.next(body)
    item: dict[str, Any] = {"id": f"item_{number}"}
    if isinstance(step, Says):
        item |= {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]}
    elif isinstance(step.arguments, str):
        item |= {"type": "custom_tool_call", "call_id": f"c{number}", "name": step.tool, "input": step.arguments}
    else:
        arguments = json.dumps(step.arguments)
        item |= {"type": "function_call", "call_id": f"c{number}", "name": step.tool, "arguments": arguments}
        item |= {"namespace": step.namespace} if step.namespace is not None else {}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    told: Events = [
        ("response.created", {"response": {"id": f"r{number}"}}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": {"id": f"r{number}", "usage": usage}}),
    ]
    return [(name, {"type": name, **data}) for name, data in told]


def google(path: str, body: Any, script: Script) -> Events | Any:
    if "streamGenerateContent" not in path:
        # Which model to take: the client asks a small one, and wants JSON.
        route = json.dumps(
            {"reasoning": "-", "complexity_reasoning": "-", "complexity_score": 1, "model_choice": "flash"}
        )
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": route}]}, "finishReason": "STOP"}]}
    _, step = script.next(body)
    part = (
        {"text": step.text} if isinstance(step, Says) else {"functionCall": {"name": step.tool, "args": step.arguments}}
    )
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [(None, {"candidates": [candidate], "usageMetadata": usage})]


REFUSALS: dict[str, Callable[[int, str, str], Any]] = {
    "claude": lambda _, kind, text: {"type": "error", "error": {"type": kind, "message": text}},
    "codex": lambda _, kind, text: {"error": {"message": text, "type": kind, "code": kind}},
    "gemini": lambda status, kind, text: {"error": {"code": status, "message": text, "status": kind}},
}
"""What the provider of each program answers instead, from a status, its kind and its text."""


@contextmanager
def refusing(status: int, document: Any) -> Iterator[str]:
    """The address of a server on this machine that answers every request with an error."""
    content = json.dumps(document).encode()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            """Nothing is logged."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST  # noqa: N815 - the library's name

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


Protocol = Callable[[str, Any, Script], Events | Any]


@contextmanager
def serving(protocol: Protocol, steps: Sequence[Step]) -> Iterator[tuple[str, Script]]:
    """The address of a server on this machine that plays ``steps``, and what it was asked."""
    script = Script(list(steps))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            """Nothing is logged."""

        def do_GET(self) -> None:
            self._answer("application/json", b"{}")

        do_HEAD = do_GET  # noqa: N815 - the library's name

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
            told = protocol(self.path.partition("?")[0], body, script)
            if isinstance(told, list):
                lines = [f"event: {name}\ndata: {json.dumps(data)}\n\n" if name else f"data: {json.dumps(data)}\n\n"
                         for name, data in told]  # fmt: skip
                self._answer("text/event-stream", "".join(lines).encode())
            else:
                self._answer("application/json", json.dumps(told).encode())

        def _answer(self, kind: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def handle(self) -> None:
            # Clients that end don't say goodbye.
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
