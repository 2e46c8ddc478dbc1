"""The HTTP API of ``gate serve`` over a network: asked for what its OpenAPI document promises, and followed.

Starts git, sh, schemathesis and the gate, which serves and verifies.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
import served
import served_sample as sample
from schema_checks import check_by_schema

# What changes something starts the gate each time: what is accepted of that is for the next test.
CONFIG = """\
[parameters]
"path.repository" = "repository"
"path.task" = "T1"
"path.path" = "tests.json"

# Of the methods that a path doesn't have one is as good as eight.
[phases.coverage]
unexpected-methods = ["PATCH"]

[[operations]]
include-method = "POST"
parameters = { "path.repository" = "none" }
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    return sample.make_sample(tmp_path_factory.mktemp("api"))


@pytest.mark.slow
def test_the_server_keeps_what_its_document_promises(repository: gr.GatedRepository, tmp_path: Path) -> None:
    """Every check of schemathesis, with names that are there, and with everything else that a caller may send."""
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    with served.start(repository.root, home=repository.home, environ=repository.environ()) as server:
        server.wait_for("/tasks.json", "notice", "")
        done = subprocess.run(
            (
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", tmp_path / "schemathesis.toml"),
                *("run", f"{server.base}/api/v1/openapi.json", "--checks", "all", "--max-examples", "1"),
                *("--header", f"Authorization: Bearer {server.token}", "--generation-deterministic"),
                # Events are an answer without an end; the next test reads it.
                *("--exclude-path", "/events", "--no-color", "--warnings", "off"),
            ),
            cwd=tmp_path,
            env={**repository.environ(), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
        assert "21 selected / 22 total" in done.stdout, done.stdout
        assert "Coverage" in done.stdout


def check_answer(server: served.Server, name: str, answer: served.Answer) -> Any:
    """Hold an answer to the schema that the document has for it, and return it."""
    document, found = server.json("/api/v1/openapi.json"), json.loads(answer.body)
    operations = [each for path in document["paths"].values() for each in path.values()]
    (operation,) = (each for each in operations if each["operationId"] == name)
    content = operation["responses"][str(answer.status)]["content"][answer.headers["content-type"]]
    check_by_schema(found, {**content["schema"], "components": document["components"]})
    return found


def test_a_program_verifies_a_task_and_follows_it(repository: gr.GatedRepository) -> None:
    with served.start(repository.root, home=repository.home, environ=repository.environ()) as server:
        server.wait_for("/tasks.json", "notice", "")
        address = "/api/v1/repositories/repository/tasks/T1/verify"
        assert server.ask(address, "POST").status == 401
        bearer = {"authorization": f"Bearer {server.token}"}
        begun = server.ask(address, "POST", headers=bearer)
        assert (begun.status, begun.headers["location"]) == (202, "/api/v1/runs/1"), begun
        assert check_answer(server, "verifyTask", begun)["words"] == ["verify", "--", "T1"]
        events = served.Events(server, "/api/v1/events?about=run/1", "")
        done = server.wait_for("/api/v1/runs/1", "state", "ended")
        assert done["exit_code"] == 0, done
        late = served.Events(server, "/api/v1/events?about=run/1", "")
        late.wait("ended")
        late.close()
        check_answer(server, "readRun", server.ask("/api/v1/runs/1"))
        events.wait("ended")
        assert [each[1:] for each in events.seen] == [each[1:] for each in late.seen]
        events.close()
        listed = server.json("/api/v1/repositories/repository/engines")
        claude = next(engine for engine in listed["engines"] if engine["name"] == "claude-cli")
        assert {"json_output", "supportsSkills"} <= claude["capabilities"].keys()
        assert claude["derived"] == ["supportsSkills"]
        assert claude["options_schema"]["properties"]["timeout_s"]
        assert {rule["kind"] for rule in claude["log_rules"]} >= {"message", "result"}
        again = server.ask("/api/v1/repositories/repository/adapters/reload", "POST", headers=bearer)
        assert {each["name"] for each in check_answer(server, "reloadAdapters", again)["adapters"]} >= {"code", "facts"}
        tested = server.ask("/api/v1/repositories/repository/engines/claude-cli/test", "POST", headers=bearer)
        check_answer(server, "testEngine", tested)
        run = server.wait_for(tested.headers["location"], "state", "ended")
        assert json.loads(run["output"])["schema"] == "verigate:environment-test.v1", run
