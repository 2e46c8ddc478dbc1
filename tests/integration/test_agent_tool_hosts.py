"""Hosts that are asked before tools alone, by their documented inputs, and files that are somebody's own.

Real git and sh; cline's program is in test_agent_programs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from agent_repository import call, make, strings
from gated_repository import Done
from release_tests import some_always

from verigate.domain.agent_host import SUPPORTED_HOSTS

SESSION = "5e55-10n"


@dataclass(frozen=True)
class BeforeTools:
    """A host that is asked before tools alone. ``refused`` says of an answer whether it refuses, and why."""

    name: str
    settings: str
    foreign: str | None
    run: Callable[[str], dict[str, Any]]
    write: Callable[[str], dict[str, Any]]
    read: Callable[[str], dict[str, Any]] | None
    refused: Callable[[Done], str | None]


def _cline_call(tool: str, **given: Any) -> dict[str, Any]:
    base = {"hookName": "tool_call", "taskId": SESSION, "clineVersion": ""}
    return {**base, "tool_call": {"id": "1", "name": tool, "input": given}}


def _cascade(action: str, **info: str) -> dict[str, Any]:
    return {"agent_action_name": action, "trajectory_id": SESSION, "execution_id": "1", "tool_info": info}


def _kiro_call(tool: str, **given: str) -> dict[str, Any]:
    base = {"session_id": SESSION, "hook_event_name": "PreToolUse", "cwd": "@root"}
    return {**base, "tool_name": tool, "tool_input": given}


BEFORE_TOOLS = (
    BeforeTools(
        "cline",
        ".clinerules/hooks/PreToolUse",
        None,
        lambda text: _cline_call("run_commands", commands=["ls", text]),
        lambda path: _cline_call("editor", path=path, new_text="x"),
        lambda path: _cline_call("read_files", files=[{"path": path}]),
        lambda done: done.json["errorMessage"] if done.json.get("cancel") is True else None,
    ),
    BeforeTools(
        "crush",
        "crush.json",
        '{"lsp": {}, "hooks": {"PreToolUse": [{"command": "./theirs.sh"}]}}',
        lambda text: {
            "event": "PreToolUse",
            "session_id": SESSION,
            "tool_name": "bash",
            "tool_input": {"command": text},
        },
        lambda path: {
            "event": "PreToolUse",
            "session_id": SESSION,
            "tool_name": "edit",
            "tool_input": {"file_path": path},
        },
        None,
        lambda done: done.json["reason"] if done.out and done.json["decision"] == "deny" else None,
    ),
    BeforeTools(
        "windsurf",
        ".windsurf/hooks.json",
        '{"hooks": {"pre_run_command": [{"command": "./theirs.sh", "show_output": true}]}}',
        lambda text: _cascade("pre_run_command", command_line=text, cwd="@root"),
        lambda path: _cascade("pre_write_code", file_path=path),
        None,
        lambda done: done.err if done.code == 2 else None,
    ),
    BeforeTools(
        "kiro",
        ".kiro/hooks/verigate.json",
        None,
        lambda text: _kiro_call("execute_bash", command=text),
        lambda path: _kiro_call("fs_write", path=path, text="x"),
        None,
        lambda done: done.err if done.code == 2 else None,
    ),
)


def test_every_host_that_is_asked_before_tools_alone_is_here() -> None:
    assert {host.name for host in BEFORE_TOOLS} == {host.name for host in SUPPORTED_HOSTS if not host.holds_turns}


@pytest.mark.parametrize("host", some_always(BEFORE_TOOLS, lambda host: host.name))
def test_a_host_without_an_end_of_turn_refuses_tool_calls(host: BeforeTools, tmp_path: Path) -> None:
    repository = make(tmp_path)
    settings = repository.root / host.settings
    if host.foreign is not None:
        repository.put(host.settings, host.foreign)
    assert repository.gate("install", "--agent", host.name).code == 0
    written = settings.read_bytes()
    assert "unchanged" in repository.gate("install", "--agent", host.name).out
    assert settings.read_bytes() == written
    repository.sample.commit("hooks")
    if host.foreign is None and settings.suffix != ".json":
        command = f"'{settings}'"
    else:
        command = next(text for text in strings(json.loads(written)) if "verigate-hook" in text)

    def ask(document: dict[str, Any]) -> Done:
        told = json.dumps({"cwd": str(repository.root), "workspaceRoots": [str(repository.root)], **document})
        return call(repository, command, told.replace("@root", str(repository.root)).encode())

    plan = str(repository.root / "config/adapter-plan.json")
    assert "goes past the hooks" in (host.refused(ask(host.run("git commit -n -m x"))) or "")
    assert "is a policy file" in (host.refused(ask(host.write(plan))) or "")
    assert "is a policy file" in (host.refused(ask(host.write(str(settings)))) or "")
    for document in (host.run("git status"), host.write(str(repository.root / "shop.py"))):
        allowed = ask(document)
        assert (allowed.code, host.refused(allowed)) == (0, None), allowed.output
    if host.read is not None:
        assert host.refused(ask(host.read(plan))) is None

    looked = repository.gate("doctor", "--all")
    assert f"{host.name}: it refuses tool calls, and can't hold back the end of a turn" in looked.out
    assert repository.gate("uninstall", "--agent", host.name).code == 0
    assert (settings.read_text() if settings.exists() else None) == host.foreign


@pytest.mark.parametrize("name", ["cline", "aider"])
def test_a_file_of_somebody_else_is_never_replaced(name: str, tmp_path: Path) -> None:
    repository = make(tmp_path)
    theirs = repository.put(next(host.settings for host in SUPPORTED_HOSTS if host.name == name), "# theirs\n")
    refused = repository.gate("install", "--agent", name)
    assert refused.code == 2, refused.output
    assert "this file is somebody's own" in refused.err
    assert theirs.read_text() == "# theirs\n"
    assert repository.gate("uninstall", "--agent", name).code == 0
    assert theirs.read_text() == "# theirs\n"
