"""The programs of agents' hosts: how each is started against a scripted model, and which of its tools write and run."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import npm_tools
from gated_repository import GatedRepository
from scripted_models import Calls, Protocol, Step, anthropic, google, responses


@dataclass(frozen=True)
class Program:
    """How a program is started. ``write`` calls its tool for a file: path, what it holds now, what it will."""

    name: str
    protocol: Protocol
    write: Callable[[Path, str, str], Step]
    prepare: Callable[[GatedRepository, str], tuple[Sequence[str], dict[str, str]]]


def _claude(_: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    environ = {
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": address,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    return (
        "-p",
        "Add add() to shop.py.",
        "--permission-mode",
        "acceptEdits",
        "--allowedTools=Bash(sh bin/test)",
    ), environ


def _codex(repository: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    provider = f'{{name="scripted",base_url="{address}/v1",env_key="SCRIPTED",wire_api="responses"}}'
    home = repository.home / ".codex"
    home.mkdir()
    (home / "config.toml").write_text(f'[projects."{repository.root}"]\ntrust_level = "trusted"\n')
    arguments = [
        "exec",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "-m",
        "gpt-5.5",
    ]
    arguments += [
        "-c",
        "model_provider=scripted",
        "-c",
        f"model_providers.scripted={provider}",
        "Add add() to shop.py.",
    ]
    return arguments, {"SCRIPTED": "none", "SHELL": "/bin/sh"}


def _copilot(_: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    environ = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": address,
        "COPILOT_PROVIDER_TYPE": "anthropic",
        "COPILOT_PROVIDER_API_KEY": "none",
        "COPILOT_MODEL": "claude-sonnet-4",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return ("-p", "Add add() to shop.py.", "--allow-all-tools", "--trust-folder"), environ


def _replace(path: Path, now: str, then: str) -> Step:
    if not now:
        return Calls("create", {"path": str(path), "file_text": then})
    return Calls("edit", {"path": str(path), "old_str": now, "new_str": then})


def _gemini(repository: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    home = repository.home / ".gemini"
    home.mkdir()
    (home / "settings.json").write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))
    environ = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": address, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return ("-p", "Add add() to shop.py.", "--approval-mode", "yolo"), environ


def patch(path: Path, now: str, then: str) -> Step:
    head = f"*** {'Update' if now else 'Add'} File: {path.name}"
    lines = ["@@", *(f"-{line}" for line in now.splitlines())] if now else []
    lines += [f"+{line}" for line in then.splitlines()]
    return Calls("apply_patch", "\n".join(["*** Begin Patch", head, *lines, "*** End Patch"]))


PROGRAMS = (
    Program(
        "claude",
        anthropic,
        lambda path, _, then: Calls("Write", {"file_path": str(path), "content": then}),
        _claude,
    ),
    Program("codex", responses, patch, _codex),
    Program("copilot", anthropic, _replace, _copilot),
    Program(
        "gemini",
        google,
        lambda path, _, then: Calls("write_file", {"file_path": str(path), "content": then}),
        _gemini,
    ),
)


def run_program(program: Program, repository: GatedRepository, address: str) -> subprocess.CompletedProcess[str]:
    arguments, environ = program.prepare(repository, address)
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        (*npm_tools.agent_program(program.name), *arguments),
        cwd=repository.root,
        env={**keep, "HOME": str(repository.home), "TMPDIR": str(repository.tmp), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


SHELLS: dict[str, Callable[[str], Step]] = {
    "claude": lambda command: Calls("Bash", {"command": command, "description": "Run"}),
    "codex": lambda command: Calls("exec_command", {"cmd": command}),
    "copilot": lambda command: Calls("bash", {"command": command, "description": "Run", "mode": "sync"}),
    "gemini": lambda command: Calls("run_shell_command", {"command": command, "description": "Run"}),
}
"""How each program calls its tool for a shell text."""
