"""Readers of transcripts on what real programs write, cut to what counts, and on what nobody should."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verigate.domain.agent_history import PastEdit, PastMessage, PastRun, PastSession
from verigate.integrations.transcripts import SOURCES, files
from verigate.integrations.transcripts.source import Reading

_AT = "2026-11-26T16:24:{:02}.000Z"


def _lines(*entries: Any) -> str:
    return "".join(f"{entry if isinstance(entry, str) else json.dumps(entry)}\n" for entry in entries)


def _claude(path: Path, *parts: tuple[str, Any], extra: dict[str, Any] | None = None) -> None:
    """Write entries of Claude Code: what the user or the assistant sends, a second after the other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = []
    for second, (kind, content) in enumerate(parts):
        outcome = content.pop("outcome", None) if isinstance(content, dict) else None
        said = content if isinstance(content, str) else [content]
        entry = {"type": kind, "timestamp": _AT.format(second), "cwd": "/w", "sessionId": "s1", **(extra or {})}
        entries.append({**entry, "message": {"role": kind, "content": said}, "toolUseResult": outcome})
    path.write_text(_lines(*entries))


def _used(name: str, tool: str, **given: Any) -> tuple[str, dict[str, Any]]:
    return "assistant", {"type": "tool_use", "id": name, "name": tool, "input": given}


def _result(name: str, content: Any = "", *, error: bool = False, outcome: Any = None) -> tuple[str, dict[str, Any]]:
    part = {"type": "tool_result", "tool_use_id": name, "content": content, "is_error": error, "outcome": outcome}
    return "user", part


def _read(host: str, home: Path) -> tuple[list[PastSession], Reading]:
    reading = Reading()
    source = SOURCES[host]
    return [source.read(path, reading) for path in source.find(home, {})], reading


def test_a_session_of_claude_is_prompts_runs_edits_and_what_was_said(tmp_path: Path) -> None:
    _claude(
        tmp_path / ".claude/projects/-w/s1.jsonl",
        ("user", "Add it"),
        _used("t1", "Write", file_path="/w/a.py", content="x"),
        _result("t1"),
        _used("t2", "Read", file_path="/w/b.py"),
        _result("t2"),
        _used("t3", "Bash", command="pytest"),
        _result("t3", "Exit code 2\nExit code 0\n", error=True),
        _used("t4", "Bash", command="pytest &", run_in_background=True),
        _result("t4", outcome={"backgroundTaskId": "b"}),
        _used("t5", "Edit", file_path="/w/c.py"),
        _result("t5", "String to replace not found", error=True),
        _used("t6", "Bash", command="ls"),
        _result("t6", outcome={"interrupted": True}),
        _used("t7", "Bash", command="pytest"),
        _result("t7", "2 passed"),
        ("assistant", {"type": "text", "text": "Done."}),
    )
    (session,), reading = _read("claude", tmp_path)
    assert (session.name, session.folder, reading.lines) == ("s1", "/w", 0)
    (turn,) = session.turns
    assert turn.events == (
        PastEdit("/w/a.py"),
        PastRun("pytest", succeeded=False, exit_code=2),
        PastRun("pytest &"),
        PastRun("ls", succeeded=False),
        PastRun("pytest", succeeded=True, exit_code=0),
        PastMessage("Done."),
    )
    assert turn.message == "Done."


def test_what_a_subagent_of_claude_did_stands_where_it_did_it(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-w"
    _claude(
        folder / "s1.jsonl",
        ("user", "Add it"),
        *[("user", {"type": "none"})] * 8,
        ("assistant", {"type": "text", "text": "Done."}),
    )
    helper = [("user", "Help"), _used("t1", "Bash", command="pytest"), _result("t1")]
    _claude(folder / "s1/subagents/agent-1.jsonl", *helper, ("assistant", {"type": "text", "text": "I helped."}),
            extra={"isSidechain": True})  # fmt: skip
    (session,), _ = _read("claude", tmp_path)
    (turn,) = session.turns
    assert turn.events == (PastRun("pytest", succeeded=True, exit_code=0), PastMessage("Done."))


def _codex(path: Path, *payloads: tuple[str, dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = [{"timestamp": _AT.format(at), "type": kind, "payload": body} for at, (kind, body) in enumerate(payloads)]
    path.write_text(_lines(*entries))


def test_a_session_of_codex_takes_exit_codes_from_the_program_and_never_from_what_was_printed(tmp_path: Path) -> None:
    def called(name: str, **given: Any) -> tuple[str, dict[str, Any]]:
        body = {"type": "function_call", "name": "exec_command", "call_id": name, "arguments": json.dumps(given)}
        return "response_item", body

    def answered(name: str, output: str) -> tuple[str, dict[str, Any]]:
        return "response_item", {"type": "function_call_output", "call_id": name, "output": output}

    old = {
        "type": "function_call",
        "name": "shell",
        "call_id": "c3",
        "arguments": '{"command": ["bash", "-lc", "tox"]}',
    }
    patch = "*** Begin Patch\n*** Update File: shop.py\n@@\n-a\n+b\n*** End Patch"
    item = {"type": "CommandExecution", "id": "c4", "exit_code": 5}
    _codex(
        tmp_path / ".codex/sessions/2026/11/26/rollout-1.jsonl",
        ("session_meta", {"id": "r1", "cwd": "/w"}),
        ("event_msg", {"type": "user_message", "message": "Add it"}),
        ("response_item", {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c0", "input": patch}),
        called("c1", cmd="pytest"),
        answered("c1", "Chunk ID: 1\nProcess exited with code 1\nOutput:\nProcess exited with code 0\n"),
        called("c2", cmd="pytest"),
        answered("c2", "Process running with session ID 7\nOutput:\nProcess exited with code 0\n"),
        ("response_item", old),
        answered("c3", json.dumps({"output": "Exit code: 0\nOutput:\n", "metadata": {"exit_code": 4}})),
        called("c4", cmd="pytest"),
        ("event_msg", {"type": "item_completed", "item": item}),
        answered("c4", "Process exited with code 0\nOutput:\n"),
        (
            "response_item",
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
        ),
    )
    (session,), _ = _read("codex", tmp_path)
    (turn,) = session.turns
    assert turn.events == (
        PastEdit("shop.py"),
        PastRun("pytest", succeeded=False, exit_code=1),
        PastRun("pytest"),
        PastRun("tox", succeeded=False, exit_code=4),
        PastRun("pytest", succeeded=False, exit_code=5),
        PastMessage("Done."),
    )


def test_a_session_of_gemini_is_what_its_last_writing_says(tmp_path: Path) -> None:
    def call(name: str, command: str, output: str) -> dict[str, Any]:
        body = [{"functionResponse": {"response": {"output": output}}}]
        given = {
            "id": name,
            "name": "run_shell_command",
            "args": {"command": command},
            "status": "success",
            "result": body,
        }
        return {"id": f"m{name}", "type": "gemini", "content": "", "toolCalls": [given], "timestamp": _AT.format(1)}

    project = tmp_path / ".gemini/tmp/w"
    (project / "chats").mkdir(parents=True)
    (project / ".project_root").write_text("/w")
    ask = {"id": "u1", "type": "user", "content": [{"text": "Add it"}], "timestamp": _AT.format(0)}
    (project / "chats/session-1.jsonl").write_text(
        _lines(
            {"sessionId": "g1", "kind": "main"},
            {"$set": {"messages": [{"id": "u0", "type": "user", "content": "<session_context>\n"}]}},
            ask,
            {"id": "m1", "type": "gemini", "content": "", "timestamp": _AT.format(1)},
            call("1", "pytest", "Output: (empty)\nExit Code: 0\nExit Code: 3\nProcess Group PGID: 1"),
            call("2", "pytest", "Output: ok"),
            call("3", "pytest", "Output: taken back"),
            {"$rewindTo": "m3"},
            {"id": "m4", "type": "gemini", "content": "Done.", "timestamp": _AT.format(2)},
        )
    )
    (project / "chats/session-0.json").write_text(json.dumps({"sessionId": "g0", "messages": [ask]}))
    sessions, reading = _read("gemini", tmp_path)
    found = {session.name: session for session in sessions}
    assert reading.lines == 0
    assert found["g0"].turns == ()
    assert found["g1"].folder == "/w"
    assert found["g1"].turns[0].events == (
        PastRun("pytest", succeeded=False, exit_code=3),
        PastRun("pytest", succeeded=True, exit_code=0),
        PastMessage("Done."),
    )


_PLACES = {
    "claude": ".claude/projects/-w/s1.jsonl",
    "codex": ".codex/sessions/2026/11/26/rollout-1.jsonl",
    "gemini": ".gemini/tmp/w/chats/session-1.jsonl",
}
_HOSTILE = (
    "[" * 200_000,
    '{"type": "user", "message": {"content": ' + "[" * 5000 + "]" * 5000 + "}}",
    '{"type": ' + "9" * 5000 + "}",
    '{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": ["Bash"]}]}}',
    '{"type": "user", "timestamp": 1e400, "message": []}',
    '{"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": "[[["}}',
    '{"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "CommandExecution", "id": {}}}}',
    '{"id": "m", "type": "gemini", "content": 3, "toolCalls": [{"name": "write_file", "args": [], "result": 1}]}',
    '{"$set": {"messages": [1, null, {"id": 1}]}}',
    '{"$rewindTo": "nothing"}',
    "\x00\x1b[2J",
    "null",
    '"text"',
)


@pytest.mark.parametrize("host", _PLACES)
def test_what_is_broken_deep_or_of_another_shape_is_left_out(host: str, tmp_path: Path) -> None:
    path = tmp_path / _PLACES[host]
    path.parent.mkdir(parents=True)
    path.write_bytes(_lines(*_HOSTILE).encode() + b"\xff\xfe\n{")
    (session,), reading = _read(host, tmp_path)
    assert not [event for turn in session.turns for event in turn.events if not isinstance(event, PastMessage)]
    assert reading.lines >= 3


@pytest.mark.parametrize("host", _PLACES)
def test_links_pipes_and_folders_are_no_transcripts(host: str, tmp_path: Path) -> None:
    path = tmp_path / _PLACES[host]
    path.parent.mkdir(parents=True)
    secret = tmp_path / "secret"
    secret.write_text(_lines({"type": "user", "message": {"content": "x"}}))
    path.symlink_to(secret)
    os.mkfifo(path.with_name(path.name.replace("1.", "2.")))
    path.with_name(path.name.replace("1.", "3.")).mkdir()
    assert _read(host, tmp_path)[0] == []


def test_a_line_that_is_too_long_is_one_line_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 3_000_000)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'"' + b"a" * 5_000_000 + b'"\n1\n"' + b"b" * 2_999_990 + b'"\n' + b"c" * 4_000_000)
    found = list(files.read_lines(path))
    assert [value if not isinstance(value, str) else len(value) for value in found] == [None, 1, 2_999_990, None]
