"""The real claude and codex call the gate's tools and read its resources, driven by a scripted model."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from agent_programs import PROGRAMS, run_program
from agent_repository import BROKEN, make
from scripted_models import Calls, Says, Step, serving

pytestmark = pytest.mark.slow

URI = "verigate://tasks/T1/artifacts/tests.json"
STEPS: dict[str, Sequence[Step]] = {
    "claude": (
        # Each waits for some seconds; a busy machine needs more.
        *[Calls("WaitForMcpServers", {})] * 4,
        Calls("mcp__verigate__verify", {"task_id": "T1"}),
        Calls("mcp__verigate__ask_person", {"question": "May I skip it?", "task_id": "T1"}),
        Calls("ReadMcpResourceTool", {"server": "verigate", "uri": URI}),
        Says("Asked."),
    ),
    "codex": (
        # Waits for the server, whose tools are there from then on.
        Calls("list_mcp_resource_templates", {"server": "verigate"}),
        Calls("verify", {"task_id": "T1"}, "mcp__verigate"),
        Calls("ask_person", {"question": "May I skip it?", "task_id": "T1"}, "mcp__verigate"),
        Calls("read_mcp_resource", {"server": "verigate", "uri": URI}),
        Says("Asked."),
    ),
}
UNASKED = {"claude": "cancel", "codex": "decline"}
"""What each says where nobody sits in front of it."""


@pytest.mark.parametrize("name", STEPS)
def test_tools_questions_and_resources_reach_the_model(name: str, tmp_path: Path) -> None:
    repository = make(tmp_path)
    repository.put("shop.py", BROKEN)
    repository.begin("T1", "code")
    repository.claim("file:shop.py", task_id="T1")
    program, *arguments = (sys.executable, *gr.GATE[1:], "mcp", "--root", str(repository.root))
    known = next(each for each in PROGRAMS if each.name == name)

    def prepare(into: gr.GatedRepository, address: str) -> tuple[Sequence[str], dict[str, str]]:
        words, environ = known.prepare(into, address)
        # The gate of the test, and its folders.
        server: dict[str, Any] = {"command": program, "args": arguments, "env": into.environ()}
        if name == "claude":
            settings = into.home / "mcp.json"
            settings.write_text(json.dumps({"mcpServers": {"verigate": server}}))
            return (*words, f"--mcp-config={settings}", "--strict-mcp-config", "--allowedTools=mcp__verigate"), environ
        settings = into.home / ".codex/config.toml"
        variables = "".join(f"{json.dumps(key)} = {json.dumps(value)}\n" for key, value in server["env"].items())
        lines = f"command = {json.dumps(program)}\nargs = {json.dumps(arguments)}\nstartup_timeout_sec = 60\n"
        told = f"[mcp_servers.verigate]\n{lines}[mcp_servers.verigate.env]\n{variables}"
        settings.write_text(f"{settings.read_text()}\n{told}")
        return words, environ

    with serving(known.protocol, STEPS[name]) as (address, script):
        done = run_program(replace(known, prepare=prepare), repository, address)
    shown = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert script.steps == [], shown
    body = script.requests[-1]
    told = json.dumps(body.get("messages") or body.get("input"), ensure_ascii=False)
    sent = told.replace("\\", "")
    assert '"passed":false,"status":"fail"' in sent, sent[-4000:]
    assert f'"schema":"verigate:person.v1","action":"{UNASKED[name]}","answer":null,"approves":false' in sent
    assert "don't take it for a yes" in sent
    assert '"failed": 1' in sent
    assert repository.verdict("T1")["status"] == "fail"
