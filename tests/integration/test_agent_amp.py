"""amp's plug-in, run by node in the place of amp: with its helpers and events as its documentation has them.

The real gate, git and sh. The program itself only talks to Amp's server.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from agent_repository import BROKEN, WORKS, make, own_tasks
from gated_repository import GatedRepository

RUN = """
import { readFileSync } from "node:fs";
import plugin from "PLUGIN";
const handlers = {};
plugin({
  on: (name, handler) => (handlers[name] = handler),
  logger: { log: (text) => console.error(text) },
  system: { workspaceRoot: { toString: () => "file://ROOT" } },
  helpers: {
    filePathFromURI: (uri) => String(uri).replace("file://", ""),
    shellCommandFromToolCall: (event) => (event.tool === "shell" ? { command: event.input.command } : null),
    filesModifiedByToolCall: (event) => (event.tool === "edit" ? [`file://${event.input.path}`] : null),
  },
});
const sent = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify((await handlers[sent.name]({ thread: { id: "T-1" }, ...sent.event }, {})) ?? null));
"""


def _send(repository: GatedRepository, name: str, **event: Any) -> Any:
    plugin = repository.home / "verigate.mjs"
    plugin.write_bytes((repository.root / ".amp/plugins/verigate.ts").read_bytes())
    program = RUN.replace("PLUGIN", str(plugin)).replace("ROOT", str(repository.root))
    done = subprocess.run(
        ("node", "--input-type=module", "-e", program),
        input=json.dumps({"name": name, "event": event}).encode(),
        cwd=repository.root,
        env=repository.environ(),
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def _end(repository: GatedRepository, text: str, status: str = "done") -> Any:
    said = {"role": "assistant", "id": "m", "content": [{"type": "thinking"}, {"type": "text", "text": text}]}
    return _send(repository, "agent.end", message="Add add().", id="m", status=status, messages=[said])


@pytest.mark.slow
def test_amp_is_sent_on_with_the_reason_and_its_calls_are_refused(tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", "amp").code == 0
    assert "unchanged" in repository.gate("install", "--agent", "amp").out
    repository.sample.commit("hooks")
    assert _send(repository, "agent.start", message="Add add() to shop.py.", id="m") is None

    refused = _send(repository, "tool.call", tool="shell", toolUseID="1", input={"command": "git commit -n -m x"})
    assert refused["action"] == "reject-and-continue"
    assert "goes past the hooks" in refused["message"]
    judge = str(repository.root / "config/adapter-plan.json")
    assert _send(repository, "tool.call", tool="edit", input={"path": judge})["action"] == "reject-and-continue"
    for tool, given in (("shell", {"command": "ls"}), ("edit", {"path": "shop.py"}), ("read", {"path": judge})):
        assert _send(repository, "tool.call", tool=tool, input=given) == {"action": "allow"}

    repository.put("shop.py", BROKEN)
    sent_on = _end(repository, "I added add(). All tests pass.")
    assert sent_on["action"] == "continue"
    assert "code.tests_pass refuted" in sent_on["userMessage"]
    assert _send(repository, "agent.start", message=sent_on["userMessage"], id="n") is None
    repository.put("shop.py", WORKS)
    assert _end(repository, "add() adds now.") is None
    (task,) = own_tasks(repository, "amp")
    assert repository.verdict(task.name)["status"] == "pass"
    assert repository.gate("uninstall", "--agent", "amp").code == 0
    assert not (repository.root / ".amp/plugins/verigate.ts").exists()


@pytest.mark.release
def test_without_a_gate_amp_runs_nothing(tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", "amp").code == 0
    link = repository.home / ".local" / "state" / "verigate" / "gate"
    link.unlink()
    link.symlink_to("/bin/false")
    answer = _send(repository, "tool.call", tool="shell", input={"command": "ls"})
    assert (answer["action"], "could not be run" in answer["message"]) == ("reject-and-continue", True)
