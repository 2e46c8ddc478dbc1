"""What coding agents leave and send: transcripts, shell texts, tool calls, two versions of an edited file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from targets.target import Target
from verigate.advice.weaker import find_weaker
from verigate.domain.agent_history import PastSession
from verigate.formats.tool_call import call_of
from verigate.integrations.transcripts import SOURCES
from verigate.integrations.transcripts.checks import list_checks, list_edits
from verigate.integrations.transcripts.source import Reading
from verigate.usecases.mine_history import judge_sessions

_PLACES = {
    "claude": ".claude/projects/w/s.jsonl",
    "codex": ".codex/sessions/2026/rollout-1.jsonl",
    "gemini": ".gemini/tmp/w/chats/session-1.jsonl",
}
_AT = "2026-11-26T16:24:29.721Z"
_SAID = "I fixed it. All tests pass."
TRANSCRIPTS: dict[str, list[dict[str, Any]]] = {
    "claude": [
        {"type": "user", "cwd": "/w", "sessionId": "s", "timestamp": _AT, "message": {"content": "x"}},
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "pytest"}}]},
        },
        {
            "type": "user",
            "message": {
                "content": [{"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": "Exit code 1"}]
            },
            "toolUseResult": {"interrupted": False},
        },
        {"type": "assistant", "message": {"content": [{"type": "text", "text": _SAID}]}},
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "r", "cwd": "/w"}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UserMessage"}}},
        {
            "type": "response_item",
            "payload": {"type": "function_call", "name": "shell", "call_id": "c", "arguments": '{"command": ["tox"]}'},
        },
        {
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": "Exit code: 1\nOutput:\n"},
        },
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": _SAID}]},
        },
    ],
    "gemini": [
        {"id": "u", "type": "user", "content": [{"text": "x"}], "timestamp": _AT},
        {
            "id": "m",
            "type": "gemini",
            "content": _SAID,
            "toolCalls": [
                {
                    "id": "c",
                    "name": "run_shell_command",
                    "args": {"command": "pytest"},
                    "status": "success",
                    "result": [{"functionResponse": {"response": {"output": "Exit Code: 1"}}}],
                }
            ],
        },
        {"$set": {"messages": [{"id": "u", "type": "user", "content": "y"}]}},
        {"$rewindTo": "m"},
    ],
}
_TEST = "import pytest\n\n\ndef test_a():\n    assert f(1) == 2\n"
_SHELLS = (
    b"cd x && .venv/bin/python -m pytest -q 2>&1 | tail -3",
    b"bash -lc 'ruff check . && npm test'",
    b"cat > a <<EOF\nb\nEOF",
)


def list_targets() -> Iterator[Target]:
    """Every reader of what agents leave."""
    for host, entries in TRANSCRIPTS.items():
        seed = b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)
        yield Target(f"transcript of {host}", _read_transcript(host), (seed,))
    yield Target("checks in a shell text", _list_shell, _SHELLS, words=(b"pytest", b"&&", b"|", b"$(", b"'"))
    yield Target("arguments of a tool", lambda _, content: call_of(json.loads(content)), (b'{"file_path": "a", "edits": []}',),
                 (ValueError, RecursionError), is_json=True)  # fmt: skip
    yield Target("an edited file", _compare, (_TEST.encode(), _TEST.replace("def", "@pytest.mark.skip\ndef").encode()))


def _read_transcript(host: str) -> Callable[[Path, bytes], object]:
    def read(folder: Path, content: bytes) -> object:
        path = folder / _PLACES[host]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        source, reading = SOURCES[host], Reading()
        sessions: list[PastSession] = [source.read(each, reading) for each in source.find(folder, {})]
        return list(judge_sessions(sessions, bool, lambda *_: ""))

    return read


def _list_shell(_: Path, content: bytes) -> object:
    text = content.decode("utf-8", "replace")
    return [*list_checks(text)], [*list_edits(text)]


def _compare(_: Path, content: bytes) -> object:
    after = content.decode("utf-8", "replace")
    return [find_weaker(name, _TEST, after) for name in ("test_a.py", "package.json", "Makefile", "a.test.js", "a.py")]
