"""The programs of agents' hosts: how each is started against a scripted model, and which of its tools write and run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import npm_tools
from gated_repository import GatedRepository, processes_with
from scripted_models import Calls, Protocol, Step, anthropic, completions, google, responses


@dataclass(frozen=True)
class Program:
    """How a program is started. ``write`` calls its tool for a file: path, what it holds now, what it will.

    ``prompts``: it tells a hook what it was asked.
    """

    name: str
    protocol: Protocol
    write: Callable[[Path, str, str], Step]
    prepare: Callable[[GatedRepository, str], tuple[Sequence[str], dict[str, str]]]
    prompts: bool = True


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


def _qwen(_: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    environ = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_MODEL": "m"}
    return ("-p", "Add add() to shop.py.", "--yolo"), environ


def _droid(repository: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    home = repository.home / ".factory"
    home.mkdir()
    model = {"model": "m", "displayName": "m", "baseUrl": f"{address}/v1", "apiKey": "none", "maxOutputTokens": 1000}
    model["provider"] = "generic-chat-completion-api"
    (home / "settings.json").write_text(json.dumps({"customModels": [model]}))
    # Nothing but the model on this machine is reached.
    environ = {"FACTORY_API_KEY": "none", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
    return ("exec", "--auto", "high", "-m", "custom:m", "Add add() to shop.py."), environ


def _create_or_edit(path: Path, now: str, then: str) -> Step:
    if not now:
        return Calls("Create", {"file_path": str(path), "content": then})
    return Calls("Edit", {"file_path": str(path), "old_str": now, "new_str": then})


def _cline(repository: GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
    told = ("auth", "-p", "openai", "-k", "none", "-m", "m", "-b", f"{address}/v1")
    environ = {"CLINE_TELEMETRY_DISABLED": "1"}
    subprocess.run(
        (*npm_tools.agent_program("cline"), *told),
        cwd=repository.root,
        env={"PATH": os.environ["PATH"], "HOME": str(repository.home), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=True,
    )
    return ("--auto-approve", "true", "Add add() to shop.py."), environ


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
    Program(
        "qwen",
        completions,
        lambda path, _, then: Calls("write_file", {"file_path": str(path), "content": then}),
        _qwen,
    ),
    Program("droid", completions, _create_or_edit, _droid, prompts=False),
)
"""Those that can be held back at the end of a turn."""

CLINE = Program(
    "cline",
    completions,
    lambda path, _, then: Calls("editor", {"path": str(path), "new_text": then}),
    _cline,
)


def run_program(program: Program, repository: GatedRepository, address: str) -> subprocess.CompletedProcess[str]:
    arguments, environ = program.prepare(repository, address)
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    try:
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
    finally:
        # cline leaves a process that waits for further calls.
        for pid in processes_with(f"HOME={repository.home}"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


AIDER = "0.86.2"


def aider_program() -> Path:
    """aider's program, in an environment of its own; pip fetches 690 MB on the first call."""
    folder = npm_tools.cache_folder() / f"aider-{AIDER}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            venv.create(folder / "env", with_pip=True, clear=True)
            pip = (folder / "env/bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
            subprocess.run((*pip, f"aider-chat=={AIDER}"), check=True, stdin=subprocess.DEVNULL, timeout=900)
            (folder / ".installed").touch()
    return folder / "env/bin/aider"


SHELLS: dict[str, Callable[[str], Step]] = {
    "claude": lambda command: Calls("Bash", {"command": command, "description": "Run"}),
    "codex": lambda command: Calls("exec_command", {"cmd": command}),
    "copilot": lambda command: Calls("bash", {"command": command, "description": "Run", "mode": "sync"}),
    "gemini": lambda command: Calls("run_shell_command", {"command": command, "description": "Run"}),
    "qwen": lambda command: Calls(
        "run_shell_command", {"command": command, "description": "Run", "is_background": False}
    ),
    "droid": lambda command: Calls(
        "Execute", {"command": command, "summary": "Run", "riskLevel": "low", "riskLevelReason": "none"}
    ),
    "cline": lambda command: Calls("run_commands", {"commands": [command]}),
}
"""How each program calls its tool for a shell text."""
