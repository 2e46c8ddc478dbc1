"""Executions of programs as engines, as tests of engines make them: real scripts are started."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from verigate.domain.engine import EngineServices, ExecutionContext, ExecutionResult, Runtime
from verigate.domain.engine_request import EngineRequest
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.streams import Redactor
from verigate.verifier.program import Program
from verigate.verifier.programs.engine import ProgramEngine

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": ["null", "string"]}},
    "required": ["a"],
}
REQUEST = EngineRequest("T1", "the instruction", "the prompt", SCHEMA, timeout_s=20)
NOW = "2026-01-02T03:04:05Z"

TALKER = msgspec.convert(
    {
        "type": "talker",
        "label": "A program that speaks JSON lines",
        "capabilities": {"json_output": True, "session_resume": True, "cost_reporting": True},
        "arguments": [{"words": ["--resume", "{session}"], "needs": "session"}],
        "unknown_session": ["who is that"],
        "version": [],
        "log": [
            {"kind": "session", "when": {"/t": "s"}, "fields": {"session": ["/id"], "model": ["/m"]}},
            {"kind": "message", "when": {"/t": "m"}, "text": ["/text"]},
            {"kind": "usage", "when": {"/t": "u"},
             "fields": {"input_tokens": ["/i"], "output_tokens": ["/o"], "cost": ["/c"], "status": ["/status"]}},
            {"kind": "error", "when": {"/t": "e"}, "text": ["/text"],
             "fields": {"error": ["/text"], "status": ["/status"]}},
        ],
    },
    Program,
)  # fmt: skip


def services(folder: Path, **environ: str) -> EngineServices:
    processes = EngineProcesses(sys.executable, Redactor(), lambda: NOW)
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home"), **environ}
    run_root = folder / "verigate-engine-run-x"
    run_root.mkdir(exist_ok=True)
    return EngineServices(environ, processes, str(run_root), lambda: NOW, time.monotonic)


def execute(
    folder: Path, program: Program, script: str, *, environ: Mapping[str, str] | None = None, **more: Any
) -> ExecutionResult:
    """One execution of ``script``, a shell's, as ``program``."""
    session = more.pop("session", None)
    callbacks = {name: more.pop(name) for name in ("on_log", "on_meta", "on_spawn") if name in more}
    request = more.pop("request", REQUEST)
    config = {"command": ["sh", "-c", script, "sh"], **more}
    runtime = Runtime(session, None if session is None else {"sessionId": session})
    context = ExecutionContext("r1", config, request.context(), runtime=runtime, **callbacks)
    return asyncio.run(ProgramEngine(program, services(folder, **(environ or {}))).execute(context))


def lines(*documents: Any) -> str:
    return "".join(f"echo '{json.dumps(document)}'; " for document in documents)
