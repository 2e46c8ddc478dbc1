"""What comes over a pipe: requests of MCP, what the gate answers them, and the output of models' programs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
from mcp.server.stdio import stdio_server

from targets.target import Target
from verigate.config.schemas import bundle_schema
from verigate.domain.engine import ExecutionResult
from verigate.errors import GateError
from verigate.integrations.mcp.gate_call import Heard
from verigate.integrations.mcp.resources import Evidence
from verigate.integrations.mcp.server import make_server
from verigate.integrations.mcp.tool_answer import EndedCall, answer_call
from verigate.integrations.mcp.tools import make_tools
from verigate.reporting.escape import escape
from verigate.reporting.mcp_text import render_tool_text
from verigate.verifier.answers import UnreadableAnswerError, read_answers
from verigate.verifier.http.chat import (
    MalformedResponseError,
    ProviderStreamError,
    StreamReader,
    read_completion,
    read_error,
    read_error_code,
    read_models,
)
from verigate.verifier.lifecycle.parse import extract_answer_text, find_last_error, parse_output, read_output
from verigate.verifier.program import Program
from verigate.verifier.programs import claude, codex, gemini, iflow, process
from verigate.verifier.session_file import PlainCodec

ANSWER = {
    "mark": "m",
    "answers": [
        {
            "question": "q1",
            "answer": "supported",
            "citations": [{"artifact": "a.json", "pointer": "/a", "quoted": "1"}],
            "why": "w",
        }
    ],
}
CLAUDE: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "session_id": "s", "model": "m", "claude_code_version": "1"},
    {
        "type": "assistant",
        "message": {
            "model": "m",
            "content": [{"type": "text", "text": "t"}, {"type": "tool_use", "input": {}, "name": "n", "id": "i"}],
        },
    },
    {"type": "user", "message": {"content": [{"type": "tool_result", "content": "c", "tool_use_id": "i"}]}},
    {"type": "system", "subtype": "api_retry", "error_status": 401, "attempt": 4, "error": "e"},
    {
        "type": "result",
        "result": json.dumps(ANSWER),
        "session_id": "s",
        "total_cost_usd": 0.1,
        "is_error": True,
        "errors": ["e"],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    },
]
CODEX: list[dict[str, Any]] = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"type": "agent_message", "text": f"```json\n{json.dumps(ANSWER)}\n```"}},
    {"type": "item.started", "item": {"type": "command_execution", "command": "c", "id": "i"}},
    {"type": "error", "message": "unexpected status 401 x"},
    {"type": "turn.failed", "error": {"message": "m"}},
    {"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 2}},
]
GEMINI: list[dict[str, Any]] = [
    {"type": "init", "session_id": "s", "model": "m"},
    {"type": "message", "role": "assistant", "content": "a", "delta": True},
    {"type": "tool_use", "parameters": {}, "tool_name": "n", "tool_id": "i"},
    {
        "type": "result",
        "status": "error",
        "error": {"message": "m"},
        "stats": {"input_tokens": 1, "output_tokens": 2, "models": {"m": {"output_tokens": 2}}},
    },
]
CHAT = {
    "id": "c",
    "model": "m",
    "choices": [{"index": 0, "message": {"content": json.dumps(ANSWER), "refusal": None}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2},
}
CHUNK = {"model": "m", "choices": [{"delta": {"content": [{"text": "t"}]}, "finish_reason": "length"}], "usage": None}
CHAT_ERROR = {"error": {"message": "m", "code": "insufficient_quota"}, "detail": "d"}
IFLOW = (
    b"an answer\n<Execution Info>\n"
    + json.dumps({"session-id": "s", "tokenUsage": {"input": 1, "output": 2}}).encode()
    + b"\n</Execution Info>\n"
)

_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
}
_EVIDENCE = Evidence(tuple, lambda _task, _path: (b"{}", "application/json"))
REQUESTS = [
    _INITIALIZE,
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "verigate://tasks/T1/artifacts/a.json"}},
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "verify", "arguments": {"task_id": "T1", "staged": True}},
    },
    {
        "jsonrpc": "2.0",
        "id": 4,
        "method": "tools/call",
        "params": {"name": "explain", "arguments": {"task_id": "T1", "check": "c"}},
    },
    {"jsonrpc": "2.0", "id": 5, "method": "ping"},
]
PRINTED = {
    "schema": "verigate:error.v1",
    "code": "USAGE",
    "exit_code": 2,
    "faults": [{"message": "m", "file": "f", "pointer": None, "line": None, "hint": "h"}],
}
VERDICT = {
    "schema": "verigate:verdict.v1",
    "task_id": "T1",
    "type": "code",
    "status": "pass",
    "decided_by": "facts",
    "checks": [],
    "reasons": [],
    "units": {"expected": None, "supported": 0, "refuted": 0, "undecided": 0, "per_unit": []},
    "metrics": {},
    "policy": {"profile": "code", "digest": "sha256:0", "thresholds": {}},
    "subject": {"kind": "worktree", "base": None, "tree": None},
    "verifier": None,
    "metadata": {},
}
_TOOLS = make_tools(bundle_schema("verdict"))
_ARGUMENTS = {
    "task_id": "T1",
    "check": "c",
    "ref": "HEAD",
    "base": "main",
    "profile": "p",
    "only": ["code:lint"],
    "staged": True,
}


def list_targets() -> Iterator[Target]:
    """List the targets."""
    outputs: tuple[tuple[str, Program, bytes], ...] = (
        ("claude", claude.PROGRAM, _lines(CLAUDE)),
        ("codex", codex.PROGRAM, _lines(CODEX)),
        ("gemini", gemini.PROGRAM, _lines(GEMINI)),
        ("iflow", iflow.PROGRAM, IFLOW),
        ("any program", process.PROGRAM, json.dumps(ANSWER).encode()),
    )
    for name, program, seed in outputs:
        yield Target(f"output of {name}", _read_output(program), (seed,))
    yield Target(
        "answer of a model", _read_answer, (json.dumps(ANSWER).encode(),), (UnreadableAnswerError,), is_json=True
    )
    yield Target(
        "session of a program",
        _read_session,
        (b'{"sessionId": "s", "inputTokens": 1, "outputTokens": 2}',),
        is_json=True,
    )
    chat = tuple(json.dumps(each).encode() for each in (CHAT, CHUNK, CHAT_ERROR, {"data": [{"id": "m"}]}))
    refusals = (MalformedResponseError, ProviderStreamError)
    yield Target("replies of a chat server", _read_chat, chat, refusals, is_json=True)
    yield Target("requests of MCP", _serve, (_lines(REQUESTS), _lines(REQUESTS[:3])))
    yield Target("arguments of MCP", _list_words, (json.dumps(_ARGUMENTS).encode(),), (GateError,), is_json=True)
    printed = tuple(json.dumps(each).encode() for each in (VERDICT, PRINTED))
    yield Target("answers of the gate to MCP", _answer, printed, (), is_json=True)


def _lines(values: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(value, separators=(",", ":")).encode() + b"\n" for value in values)


def _read_output(program: Program) -> Callable[[Path, bytes], object]:
    def read(_folder: Path, content: bytes) -> None:
        raw = content.decode("utf-8", "replace")
        printed = read_output(raw, program.log, program.trailer, raw)
        parse_output(raw, printed)
        extract_answer_text(raw, printed).encode("utf-8", "replace")
        find_last_error(raw, program.log)

    return read


def _read_answer(_folder: Path, content: bytes) -> None:
    read_answers(ExecutionResult(output=content.decode("utf-8", "replace")), "m")


def _read_chat(_folder: Path, content: bytes) -> None:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return
    read_error(document)
    read_error_code(document)
    for read in (read_models, StreamReader().read, read_completion):
        try:
            read(document)
        except (MalformedResponseError, ProviderStreamError):
            continue


def _read_session(_folder: Path, content: bytes) -> None:
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError):
        return
    codec = PlainCodec()
    params = codec.deserialize(raw)
    assert params is None or codec.serialize(params) == params


def _list_words(_folder: Path, content: bytes) -> None:
    try:
        arguments = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(arguments, dict):
        for tool in _TOOLS.values():
            # What a client gives is a value, never an option of the gate.
            words = tool.words(
                {name: value for name, value in arguments.items() if name in tool.takes.document["properties"]}
            )
            free = words[words.index("--") + 1 :] if "--" in words else ()
            assert not [word for word in words[1 : len(words) - len(free)] if not word.startswith("--")]


def _answer(_folder: Path, content: bytes) -> None:
    for tool in _TOOLS.values():
        for code in (0, 1, 2, 3):
            found = answer_call(tool, {}, EndedCall(code, content, ("warning: x",)), render_tool_text)
            assert found.text


def _serve(_folder: Path, content: bytes) -> None:
    """Serve the bytes as the lines of a client; what comes back is JSON by the line."""

    async def gate(_words: Sequence[str], heard: Heard) -> EndedCall:
        await heard("code:lint 1 s")
        return EndedCall(0, json.dumps(VERDICT).encode(), ())

    async def serve() -> bytes:
        server = make_server(_TOOLS, gate, render_tool_text, escape, _EVIDENCE, version="1")
        out = io.BytesIO()
        incoming = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace")
        outgoing = io.TextIOWrapper(out, encoding="utf-8")
        async with stdio_server(anyio.wrap_file(incoming), anyio.wrap_file(outgoing)) as (read, write):
            await server.run(read, write, server.create_initialization_options())
        outgoing.flush()
        return out.getvalue()

    for line in anyio.run(serve).splitlines():
        json.loads(line)
