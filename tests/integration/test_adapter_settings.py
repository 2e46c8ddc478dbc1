"""What is wrong with an adapter's settings, or with a request for a URN, ends every command with exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest

LIMIT = {"name": "limit", "media_spec": "media:integer", "cli_flag": "--limit"}


def make(tmp_path: Path, argument: dict[str, Any] | None = None, config: Any = None) -> gr.GatedRepository:
    repository = gr.make(tmp_path, capabilities=("other:nothing",), files={"a.txt": "1"})
    capability = {
        "name": "n:probe",
        "needs": [],
        "urn": "cap:ext=pdf;op=probe",
        "arguments": [{**LIMIT, **(argument or {})}],
    }
    manifest = {"name": "n", "version": "1.0.0", "entry": "run", "capabilities": [capability]}
    repository.put("adapters/n/manifest.json", manifest)
    repository.sample.write("adapters/n/run", '#!/bin/sh\necho "{}" > "$3/n.json"\n', executable=True)
    if config is not None:
        repository.put("config/adapters.json", config)
    repository.sample.commit("as it is")
    return repository


@pytest.mark.parametrize(
    ("argument", "config", "says"),
    [
        ({}, {"n": {"limitt": 5}}, "did you mean 'limit'?"),
        ({}, {"n": {"n:probe": {"limitt": 5}}}, "did you mean 'limit'?"),
        ({"default": "abc"}, None, "must be an integer"),
        ({"default": 50, "validation": {"max": 10}}, None, "at most 10 is allowed"),
    ],
)
def test_a_fault_of_the_settings_is_reported_by_every_command(
    tmp_path: Path, argument: dict[str, Any], config: Any, says: str
) -> None:
    repository = make(tmp_path, argument, config)
    for command in (("adapters",), ("adapters", "--urn", "cap:op=probe"), ("plan",), ("verify",), ("doctor",)):
        done = repository.gate(*command)
        assert (command, done.code) == (command, 2)
        assert says in done.output


@pytest.mark.release
def test_settings_that_fit_are_taken(tmp_path: Path) -> None:
    repository = make(tmp_path, {"default": 3, "validation": {"max": 10}}, {"n": {"limit": 5, "n:probe": {"limit": 6}}})
    for command in (("adapters",), ("plan",), ("doctor",)):
        assert (command, repository.gate(*command).code) == (command, 0)


@pytest.mark.parametrize(
    ("request_", "code", "says"),
    [
        ("cap:op=probe;!ext=txt", 0, "n:probe"),
        ("cap:op=probe;?ext=txt", 0, "n:probe"),
        ("cap:op=probe;!ext=pdf", 0, "none of"),
        ("cap:op=probe;in=media:integer", 0, "n:probe"),
        ("cap:op=probe;in=my:unknown", 2, "in: spec ID 'my:unknown'"),
        ("cap:in=media:nowhere.v9;op=probe", 2, "in: spec ID"),
        ('cap:op=probe;out="media:intger"', 2, "media:integer"),
    ],
)
def test_a_request_has_types_that_resolve(tmp_path: Path, request_: str, code: int, says: str) -> None:
    done = make(tmp_path).gate("adapters", "--urn", request_)
    assert done.code == code, done.output
    assert says in done.output


@pytest.mark.release
def test_another_adapter_called_as_a_built_in_one_does_not_say_how_tests_are_run(tmp_path: Path) -> None:
    files = {"a.py": "def f():\n    return 1\n", "test_a.py": "from a import f\ndef test_f():\n    assert f() == 1\n"}
    repository = gr.make(tmp_path, capabilities=("other:nothing",), files={**files, "pytest.ini": "[pytest]\n"})
    repository.begin(task_type="code")
    repository.put("a.py", "def f():\n    return 2\n")
    repository.claim("file:a.py", statements=["All tests pass."])
    place = tmp_path / "elsewhere/code"
    place.mkdir(parents=True)
    lie = ["sh", "-c", "printf 'TAP version 13\\n1..1\\nok 1 - test_f\\n' >out.tap"]
    defaults = {"tests": [{"command": lie, "format": "tap", "report": "out.tap"}]}
    manifest = {"name": "code", "version": "1.0.0", "entry": "run", "capabilities": ["other:look"]}
    (place / "manifest.json").write_text(json.dumps({**manifest, "config": {"defaults": defaults}}))
    (place / "run").write_text("#!/bin/sh\n")
    (place / "run").chmod(0o755)
    done = repository.verify("T1", GATE_ADAPTER_PATH=str(place.parent))
    assert repository.has_verdict(), done.output
    outcomes = {check["id"]: check["outcome"] for check in repository.verdict()["checks"]}
    assert (outcomes["unit:statement:1"], repository.published("tests.json")["failed"]) == ("refuted", 1), done.output
