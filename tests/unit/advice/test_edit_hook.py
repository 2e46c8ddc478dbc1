"""The hook after an agent's edit loads next to nothing, and reads and answers each host as its module does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from verigate.advice.host_calls import HOSTS
from verigate.advice.json_reader import load_json
from verigate.domain import policy_names
from verigate.integrations.agents import HOSTS as ALL_HOSTS
from verigate.integrations.agents.host import Event

SOURCE = Path(__file__).resolve().parents[3] / "src"
PARSE, ENCODE = load_json()
GIVEN = {"file_path": "a.py", "edits": [{"targetUri": "b.py"}], "patchText": "*** Update File: c.py\n+x\n"}


def _sent(name: str) -> dict[str, Any]:
    given: Any = json.dumps(GIVEN) if name == "copilot" else GIVEN
    calls = ("tool_input", "toolArgs", "arguments")
    return {
        **dict.fromkeys(("session_id", "sessionId", "session", "conversation_id"), "s1"),
        **dict.fromkeys(calls, given),
        "agent_id": "sub",
        "cwd": "/of/the/agent",
        "folder": "/of/the/plug-in",
        "workspace_roots": ["/of/the/editor"],
    }


@pytest.mark.parametrize("name", HOSTS)
def test_a_call_is_read_as_the_hosts_module_reads_it(name: str) -> None:
    variables = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "FACTORY_PROJECT_DIR")
    for environ in ({}, dict.fromkeys(variables, "/project")):
        sent = _sent(name)
        if name != "cursor":
            del sent["workspace_roots"]
        call, turn = HOSTS[name].read(sent, environ, PARSE), ALL_HOSTS[name].turn(sent, environ)
        assert (call.folder, call.session, call.paths) == (turn.folder, turn.session, turn.paths)
        assert call.paths == ("a.py", "b.py", "c.py")
        assert turn.agent in {None, call.agent}


@pytest.mark.parametrize("name", HOSTS)
def test_answers_are_those_of_the_host(name: str) -> None:
    assert ALL_HOSTS[name].allow(Event.EDIT).stdout == HOSTS[name].quiet
    answer = json.loads(HOSTS[name].render('a "line"\n', ENCODE))
    while len(answer) == 1 and isinstance(inner := next(iter(answer.values())), dict):
        answer = inner
    assert 'a "line"\n' in answer.values()


def test_every_host_with_an_edit_in_its_settings_is_answered() -> None:
    commands = {event: f"COMMAND-{event.value}" for event in Event}
    for name, host in ALL_HOSTS.items():
        wanted = host.contribution(commands)
        text = wanted.text if hasattr(wanted, "text") else json.dumps(wanted.value)
        assert ("COMMAND-edit" in text) is (name in HOSTS), name


@pytest.mark.parametrize(
    "text",
    ['{"a": [1, 2.5, null, true, "\\u00e4\\ud800"]}', " \n[]\n", '"a\tb"', "NaN", "", "{", "[1] 2", "x", "[" * 9**6],
)
def test_json_is_read_as_json_reads_it(text: str) -> None:
    def read(parse: Any) -> object:
        try:
            return repr(parse(text))
        except (ValueError, RecursionError) as problem:
            return ValueError if isinstance(problem, ValueError) else RecursionError

    assert read(PARSE) == read(lambda each: json.loads(each, strict=False))


def test_patterns_match_as_fnmatch_has_them() -> None:
    paths = ("a/b", "a/", "a", "a/x.json", "a/p/hooks/x", "a/p/q/hooks/", "ab", "a/x.jsonl", "a/hooks/x")
    for pattern in ("a/*", "a/*.json", "a/*/hooks/*", "*", "a*b"):
        assert [policy_names._matches(path, pattern) for path in paths] == [fnmatchcase(p, pattern) for p in paths], (
            pattern
        )


HEAVY = (
    "re",
    "json",
    "typing",
    "enum",
    "subprocess",
    "pathlib",
    "hashlib",
    "signal",
    "collections",
    "msgspec",
    "click",
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "config").mkdir(parents=True)
    (root / "config" / "adapter-plan.json").write_text("{}\n")
    (root / "test_a.py").write_text("def test_a():\n    assert f(1) == 2\n")
    (root / "shop.py").write_text("X = 1\n")
    git = ("git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run((*git, *words), check=True)
    return root


def _edit(repository: Path, path: str, session: str = "s") -> tuple[str, set[str]]:
    """Run the hook as bin/gate starts it; return what it said and the modules that were loaded."""
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from verigate.cli import main; main()"
    sent = {"session_id": session, "cwd": str(repository), "tool_input": {"file_path": path, "content": "x"}}
    environ = {"PATH": os.environ["PATH"], "HOME": str(repository.parent / "home")}
    argv = (sys.executable, "-X", "importtime", "-I", "-S", "-c", program, str(SOURCE), "hook", "claude", "edit")
    done = subprocess.run(
        argv, input=json.dumps(sent).encode(), env=environ, cwd=repository, capture_output=True, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    said = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
    return said, loaded


def test_no_edit_loads_more_than_it_needs(repository: Path) -> None:
    (repository / "test_a.py").write_text("import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert f(1) == 2\n")
    (repository / "shop.py").write_text("X = 2\n")
    (repository / "config" / "adapter-plan.json").write_text("{ }\n")
    cases = (("shop.py", ""), ("test_a.py", "a test is skipped"), ("config/adapter-plan.json", "a policy file"))
    for path, said in cases:
        answer, loaded = _edit(repository, path)
        assert said in answer
        assert bool(said) is bool(answer)
        assert "verigate.advice.edit_hook" in loaded
        assert loaded.isdisjoint(HEAVY), path
        assert len(loaded) < 60, sorted(loaded)


def test_each_thing_is_said_once_in_a_session(repository: Path) -> None:
    test = repository / "test_a.py"
    test.write_text("@skip\ndef test_a():\n    assert f(1) == 2\n")
    assert "a test is skipped" in _edit(repository, "test_a.py")[0]
    assert _edit(repository, "test_a.py")[0] == ""
    assert "a test is skipped" in _edit(repository, "test_a.py", "another")[0]
    test.write_text("@skip\ndef test_a():\n    f(1)\n")
    again = _edit(repository, "test_a.py")[0]
    assert "1 assertion fewer" in again
    assert "skipped" not in again


@pytest.mark.parametrize("sent", [b"", b"[]", b"{", b'{"cwd": 1, "tool_input": "x"}', b"\xff\xfe", b"[" * 10**6])
def test_input_that_is_none_is_answered_quietly(repository: Path, sent: bytes) -> None:
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from verigate.cli import main; main()"
    argv = (sys.executable, "-I", "-S", "-c", program, str(SOURCE), "hook", "gemini", "edit")
    done = subprocess.run(argv, input=sent, cwd=repository, env={}, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"{}"), done.stderr


def test_git_of_the_repository_is_not_run(repository: Path) -> None:
    trap = repository / "git"
    trap.write_text("#!/bin/sh\ntouch ../trapped\n")
    trap.chmod(0o755)
    (repository / "test_a.py").write_text("def test_a():\n    f(1)\n")
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from verigate.cli import main; main()"
    argv = (sys.executable, "-I", "-S", "-c", program, str(SOURCE), "hook", "claude", "edit")
    sent = {"cwd": str(repository), "tool_input": {"file_path": "test_a.py"}}
    environ = {"PATH": f"{repository}:.:{os.environ['PATH']}", "HOME": str(repository.parent)}
    done = subprocess.run(
        argv, input=json.dumps(sent).encode(), cwd=repository, env=environ, capture_output=True, check=True
    )
    assert b"1 assertion fewer" in done.stdout
    assert not (repository.parent / "trapped").exists()
