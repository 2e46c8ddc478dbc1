"""Programs as engines, by the rules of the fifth source document and of the issue. Real scripts are started."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import ANY
from zipfile import ZipFile

import msgspec
import pytest
from engine_calls import NOW, REQUEST, SCHEMA, TALKER, execute, lines, services

from verigate.domain.engine import (
    EngineCapabilities,
    EnvironmentCheck,
    EnvironmentTest,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Runtime,
    Spawned,
    Usage,
    describe_capabilities,
)
from verigate.errors import UsageError
from verigate.verifier.engine_options import read_options
from verigate.verifier.engines import open_engine
from verigate.verifier.lifecycle.command import build_argv, build_environment, wrap_with_dependencies
from verigate.verifier.lifecycle.options import parse_options
from verigate.verifier.lifecycle.strict_schema import require_all_properties
from verigate.verifier.managed_engine import ManagedEngine
from verigate.verifier.program import FaultRule, LogRule, Program, Trust, Words
from verigate.verifier.programs.claude import PROGRAM as CLAUDE
from verigate.verifier.programs.codex import PROGRAM as CODEX
from verigate.verifier.programs.engine import ProgramEngine
from verigate.verifier.programs.gemini import PROGRAM as GEMINI
from verigate.verifier.programs.iflow import PROGRAM as IFLOW
from verigate.verifier.programs.process import PROGRAM as PROCESS
from verigate.verifier.session import open_session
from verigate.verifier.session_file import PlainCodec, compute_usage

PROGRAMS = {program.type: program for program in (CLAUDE, CODEX, GEMINI, IFLOW, PROCESS)}
WELL = lines({"t": "s", "id": "s1", "m": "m-1"}, {"t": "m", "text": '{"a": "b"}'}, {"t": "u", "i": 3, "o": 4, "c": 0.5})


def test_a_result_has_every_field_of_the_document(tmp_path: Path) -> None:
    result = execute(tmp_path, TALKER, WELL)
    assert not result.failed, result
    document = result.document()
    wanted = {
        "exitCode": 0, "signal": None, "timedOut": False, "errorMessage": None,
        "usage": {"inputTokens": 3, "outputTokens": 4}, "sessionParams": {"sessionId": "s1"}, "sessionDisplayId": "s1",
        "provider": None, "model": "m-1", "costUsd": 0.5, "clearSession": False, "resultJson": {"a": "b"},
    }  # fmt: skip
    assert {name: document[name] for name in wanted} == wanted


def test_every_callback_of_the_context_is_called(tmp_path: Path) -> None:
    heard: list[Any] = []

    async def on_log(stream: str, chunk: str) -> None:
        heard.append((stream, chunk))

    async def on_meta(meta: InvocationMeta) -> None:
        heard.append(meta)

    async def on_spawn(meta: Spawned) -> None:
        heard.append(meta)

    execute(tmp_path, TALKER, "echo said; echo told >&2", on_log=on_log, on_meta=on_meta, on_spawn=on_spawn)
    assert [item.command for item in heard if isinstance(item, InvocationMeta)] == ["sh"]
    assert [item.started_at for item in heard if isinstance(item, Spawned)] == [NOW]
    assert ("stdout", "said\n") in heard
    assert ("stderr", "told\n") in heard


def test_the_prompt_is_stdin_and_both_streams_are_in_the_logs(tmp_path: Path) -> None:
    result = execute(tmp_path, PROCESS, "cat; echo told >&2")
    logs = tmp_path / "verigate-engine-run-x/process/logs"
    assert (logs / "prompt.txt").read_text() == "the instruction\nthe prompt"
    assert (logs / "stdout.log").read_text() == "the instruction\nthe prompt\n"
    assert (logs / "stderr.log").read_text() == "told\n"
    assert result.output == "the instruction\nthe prompt\n"
    assert result.result_json is None


ENDS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "an exit code": ("echo oops >&2; exit 3", {}, {"exit_code": 3, "error_code": "engine_failed"}),
    "a signal after a perfect answer": (f"{WELL} kill -9 $$", {}, {"signal": "SIGKILL", "error_code": "killed"}),
    "time": (f"{WELL} sleep 30", {"timeout_s": 0.5}, {"timed_out": True, "error_code": "timeout"}),
    "silence": (f"{WELL} sleep 30", {"silence_s": 0.5}, {"timed_out": True, "error_code": "timeout"}),
    "a success after its time": (
        f"trap 'exit 0' TERM; {WELL} sleep 30 & wait", {"timeout_s": 0.5},
        {"timed_out": True, "error_code": "timeout"}),
    "a limit": (lines({"t": "e", "text": "slow down", "status": 429}) + "exit 1", {}, {"error_code": "rate_limited"}),
    "a refused key": (lines({"t": "e", "text": "no", "status": 401}), {}, {"error_code": "not_permitted"}),
    "an error and no answer": (lines({"t": "e", "text": "no"}), {}, {"exit_code": 0, "error_code": "engine_failed"}),
    "no such program": ("", {"command": ["/no/such/program"]}, {"error_code": "missing_program"}),
    "an unknown option": ("", {"comand": ["x"]}, {"error_code": "configuration"}),
    "an option of another type": ("", {"arguments": "x"}, {"error_code": "configuration"}),
    "a missing skill": ("", {"skill": "/no/skill"}, {"error_code": "skill"}),
}  # fmt: skip


@pytest.mark.parametrize("case", ENDS)
def test_what_goes_wrong_has_a_name_and_is_no_success(case: str, tmp_path: Path) -> None:
    script, options, wanted = ENDS[case]
    result = execute(tmp_path, TALKER, script, **options)
    assert result.failed
    assert {name: getattr(result, name) for name in wanted} == wanted
    assert result.error_message
    assert result.error_hint


FAULTS = [
    FaultRule("not_permitted", {"/t": "retry", "/status": 401}, ("/text",), ends=True),
    FaultRule("model_not_found", {"/t": "e"}, ("/text",), ("no", "model")),
    FaultRule("untrusted_folder", prefix="Not trusted"),
]
RETRY = lines({"t": "retry", "status": 401, "text": "bad key"})
NAMED: dict[str, tuple[str, str | None]] = {
    "a program that would go on trying is ended": (RETRY + "sleep 60", "not_permitted"),
    "also where it ignores TERM": (f"trap '' TERM; {RETRY} sleep 60 & wait; sleep 60", "not_permitted"),
    "also where it answers at its end": (f"trap 'exit 0' TERM; {WELL} {RETRY} sleep 60 & wait", "not_permitted"),
    "a program that ends itself": (lines({"t": "e", "text": "no such model"}) + "exit 1", "model_not_found"),
    "on stderr, in colour": (r"printf '\033[31mNot trusted: /x\033[0m\n' >&2; exit 55", "untrusted_folder"),
    "another status": (lines({"t": "retry", "status": 429, "text": "bad key"}) + WELL, None),
    "a success in spite of it": (lines({"t": "e", "text": "no such model"}) + WELL, None),
    "the model's own words": (
        lines({"t": "m", "text": json.dumps({"t": "retry", "status": 401, "text": "bad key"})}) + WELL, None),
    "the model's own words on a line of text": ("echo 'Not trusted: I say'; " + WELL, None),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_a_fault_that_the_program_prints_has_a_name_and_ends_it_early(case: str, tmp_path: Path) -> None:
    script, code = NAMED[case]
    program = msgspec.structs.replace(TALKER, faults=tuple(FAULTS))
    began = time.monotonic()
    result = execute(tmp_path, program, script, grace_s=0.3, request=msgspec.structs.replace(REQUEST, timeout_s=50))
    assert (result.error_code, result.timed_out) == (code, False), result
    assert result.failed is (code is not None)
    assert time.monotonic() - began < 20


@pytest.mark.slow
def test_the_request_s_time_bounds_the_program_and_it_is_ended_within_it(tmp_path: Path) -> None:
    began = time.monotonic()
    result = execute(tmp_path, TALKER, "sleep 30", request=msgspec.structs.replace(REQUEST, timeout_s=4.0), grace_s=1.0)
    assert result.timed_out
    assert time.monotonic() - began < 4.0


# What it is given

ENVIRON = {
    "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "o", "AWS_SECRET_ACCESS_KEY": "a", "GITHUB_TOKEN": "g", "MINE": "m",
    "PATH": "/bin", "HOME": "/h", "GATE_TASK_ID": "T", "LD_PRELOAD": "x", "HTTPS_PROXY": "p",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "env_from", "wanted"),
    [
        ("claude_cli", (), {"ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY"}),
        ("codex_cli", (), {"OPENAI_API_KEY"}),
        ("process", (), set()),
        ("process", ("MINE", "GATE_TASK_ID", "LD_PRELOAD"), {"MINE"}),
    ],
)
def test_a_program_gets_the_variables_that_it_declares_and_no_others(
    name: str, env_from: Any, wanted: set[str]
) -> None:
    program = PROGRAMS[name]
    found = build_environment(program, ENVIRON, env_from)
    assert found.keys() - program.set.keys() == {"PATH", "HOME", "HTTPS_PROXY"} | wanted


VECTORS: dict[str, tuple[str, dict[str, str], list[str], list[str]]] = {
    "claude": ("claude_cli", {
        "config_file": "/c", "instruction": "{model}", "model": "m", "schema": "{}", "session": "s"}, [], [
        "claude", "-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config", "--setting-sources", "",
        "--tools", "", "--disable-slash-commands", "--settings", "/c", "--system-prompt", "{model}", "--model", "m",
        "--json-schema", "{}", "--resume", "s"]),
    "claude, with nothing": ("claude_cli", {"config_file": "/c"}, ["--x"], [
        "claude", "-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config", "--setting-sources", "",
        "--tools", "", "--disable-slash-commands", "--settings", "/c", "--x"]),
    "codex": ("codex_cli", {"schema_file": "/s", "schema": "{}", "session": "s"}, ["--x"], [
        "codex", "exec", "--json", "--skip-git-repo-check", "--color", "never", "--output-schema", "/s",
        "-c", 'a.b="c"', "--x", "resume", "s", "-"]),
    "gemini": ("gemini_cli", {}, [], ["gemini", "--output-format", "stream-json", "--prompt", ""]),
    "iflow": ("iflow_cli", {"model": "m"}, [], ["iflow", "--model", "m", "--prompt", ""]),
    "process": ("process", {"model": "m"}, ["--x", "{model}"], ["mine", "--x", "{model}"]),
}  # fmt: skip


@pytest.mark.parametrize("case", VECTORS)
def test_command_lines_are_as_each_program_wants_them(case: str) -> None:
    name, values, more, wanted = VECTORS[case]
    program = PROGRAMS[name]
    assert build_argv(program, program.command or ("mine",), values, {"a": {"b": "c"}}, more) == wanted


def test_dependencies_of_a_skill_come_by_uv() -> None:
    assert wrap_with_dependencies(["p", "x"], ()) == ["p", "x"]
    wrapped = ["uv", "run", "--no-project", "--with", "a>=1", "--with", "b", "--", "p", "x"]
    assert wrap_with_dependencies(["p", "x"], ("a>=1", "b")) == wrapped


def test_uv_chooses_the_python_that_a_command_names(tmp_path: Path) -> None:
    script = tmp_path / "judge"
    script.write_text("#!/usr/bin/python3 -E\nprint(1)\n")
    through_env, other = tmp_path / "env-judge", tmp_path / "sh-judge"
    through_env.write_text("#!/usr/bin/env python3\n")
    other.write_text("#!/bin/sh\n")
    head = ["uv", "run", "--no-project"]
    for command, chosen, rest in (
        (["/usr/bin/python3.12", "x.py"], ["--python", "/usr/bin/python3.12"], ["python", "x.py"]),
        ([str(script), "a"], ["--python", "/usr/bin/python3"], ["python", "-E", str(script), "a"]),
        ([str(through_env), "a"], [], [str(through_env), "a"]),
        ([str(other)], [], [str(other)]),
        (["/usr/bin/pythonic"], [], ["/usr/bin/pythonic"]),
    ):
        assert wrap_with_dependencies(command, ("d==1",)) == [*head, *chosen, "--with", "d==1", "--", *rest]


def make_wheel(folder: Path, version: str) -> Path:
    """A package ``greeting`` that says its version."""
    wheel = folder / f"greeting-{version}-py3-none-any.whl"
    head = f"greeting-{version}.dist-info"
    with ZipFile(wheel, "w") as archive:
        archive.writestr("greeting.py", f"WORD = 'hello {version}'\n")
        archive.writestr(f"{head}/METADATA", f"Metadata-Version: 2.1\nName: greeting\nVersion: {version}\n")
        archive.writestr(f"{head}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{head}/RECORD", "greeting.py,,\n")
    return wheel


_GREET = "import greeting, json; print(json.dumps(dict(a=greeting.WORD)))"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["sh", "python3", "a path", "a script", "a script by env"])
def test_a_program_runs_with_the_dependencies_of_its_skill(form: str, tmp_path: Path) -> None:
    """The real uv, and three packages of a name: the pinned one, a newer one, one where that Python itself looks."""
    for version in ("1", "2"):
        make_wheel(tmp_path, version)
    shutil.copy(Path(sys.prefix) / "bin/uv", tmp_path / "uv")
    interpreter = tmp_path / "env/bin/python3"
    subprocess.run([str(tmp_path / "uv"), "venv", "-q", "--offline", str(tmp_path / "env")], check=True)
    (site,) = (tmp_path / "env/lib").glob("python*/site-packages")
    (site / "greeting.py").write_text("WORD = 'of the machine'\n")
    for name, line in (("judge-it", str(interpreter)), ("judge-env", "/usr/bin/env python3")):
        (tmp_path / name).write_text(f"#!{line}\n{_GREET}\n")
        (tmp_path / name).chmod(0o755)
    commands = {
        "sh": ["sh", "-c", f"python3 -c '{_GREET}'"],
        "python3": ["python3", "-c", _GREET],
        "a path": [str(interpreter), "-c", _GREET],
        "a script": [str(tmp_path / "judge-it")],
        "a script by env": [str(tmp_path / "judge-env")],
    }
    skill = tmp_path / "judge"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("x")
    (skill / "assets/runner.json").write_text(json.dumps({"dependencies": ["greeting==1"]}))
    environ = {"PATH": f"{interpreter.parent}:{tmp_path}:/usr/bin:/bin", "UV_CACHE_DIR": str(tmp_path / "cache"),
               "UV_OFFLINE": "1", "UV_FIND_LINKS": str(tmp_path), "UV_NO_CONFIG": "1"}  # fmt: skip
    result = execute(
        tmp_path, PROCESS, "", environ=environ, command=commands[form], skill=str(skill),
        env_from=["UV_*"], request=msgspec.structs.replace(REQUEST, timeout_s=120),
    )  # fmt: skip
    assert result.result_json == {"a": "hello 1"}, (
        result,
        (tmp_path / "verigate-engine-run-x/process/logs/stderr.log").read_text(),
    )


def test_a_strict_schema_requires_every_property() -> None:
    inner = {"type": "array", "items": SCHEMA}
    made = require_all_properties({"type": "object", "properties": {"x": inner}})
    assert made["required"] == ["x"]
    assert made["properties"]["x"]["items"]["required"] == ["a", "b"]
    assert SCHEMA["required"] == ["a"]


def test_a_skill_brings_its_template_inputs_and_instructions(tmp_path: Path) -> None:
    skill = tmp_path / "judge"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("Judge well.")
    runner = {"prompt": "Use {{ input['data.csv'] }}.\n{{ parameter.prompt }}", "input": {"data.csv": "numbers"}}
    (skill / "assets/runner.json").write_text(json.dumps(runner))
    (tmp_path / "numbers").write_text("1,2\n")
    given = {"data.csv": str(tmp_path / "numbers")}
    result = execute(tmp_path, PROCESS, "cat", skill=str(skill), inputs=given)
    place = tmp_path / "verigate-engine-run-x/process"
    assert f"Use {place}/uploads/data.csv.\nthe prompt" in (result.output or "")
    assert (result.output or "").startswith("Judge well.")
    assert (place / "uploads/data.csv").read_text() == "1,2\n"
    missing = execute(tmp_path, PROCESS, "cat", skill=str(skill))
    assert (missing.error_code, missing.exit_code) == ("missing_input", None)


def test_instructions_go_where_the_program_reads_them_if_it_declares_that(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("Be kind.")
    path = str(tmp_path / "mine.md")
    execute(tmp_path, IFLOW, "true", instructionsFilePath=path)
    assert (tmp_path / "verigate-engine-run-x/iflow_cli/IFLOW.md").read_text() == "Be kind."
    refused = execute(tmp_path, PROCESS, "true", instructionsFilePath=path)
    assert refused.error_code == "configuration"


@pytest.mark.parametrize(("library", "program"), [("jinja2", PROCESS), ("tomlkit", CODEX)])
def test_without_a_library_the_message_says_what_to_install(
    library: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    result = execute(tmp_path, program, "true")
    assert result.error_code == "missing_library"
    assert (result.error_hint or "").endswith("/bin/setup --extra engines")
    assert library in (result.error_message or "")


# Flags

FLAGS: dict[str, set[str]] = {
    "claude_cli": {"json_output", "response_schema", "session_resume", "cost_reporting"},
    "codex_cli": {"json_output", "response_schema", "session_resume", "trust_folder"},
    "gemini_cli": {"json_output", "session_resume", "trust_folder"},
    "iflow_cli": set(),
    "process": set(),
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags_are_declared_and_the_derived_one_is_there(name: str, tmp_path: Path) -> None:
    document = describe_capabilities(ProgramEngine(PROGRAMS[name], services(tmp_path)))
    ours = ("json_output", "response_schema", "session_resume", "cost_reporting", "trust_folder")
    assert {flag for flag in ours if document[flag]} == FLAGS[name]
    assert document["instructionsPathKey"] == "instructionsFilePath"
    assert document["supportsLocalAgentJwt"] is False
    assert document["supportsSkills"] is True


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_describes_itself(name: str) -> None:
    description = PROGRAMS[name].description
    assert description.type == name
    assert description.label
    for words in ("Use when:", "Don't use when:", "Core fields:"):
        assert words in description.agent_configuration_doc


def test_who_declares_nothing_gets_nothing(tmp_path: Path) -> None:
    """No session, no schema, and a cost that it tells doesn't count."""
    words = tuple(Words((f"{{{name}}}",), needs=name) for name in ("session", "schema"))
    told = (LogRule("usage", {"/t": "u"}, fields={"cost": ("/c",)}),)
    plain = Program("plain", "Plain", arguments=words, log=told, version=())
    result = execute(tmp_path, plain, f'{lines({"t": "u", "c": 1})} echo "$#"', session="s1")
    assert result.cost_usd is None
    assert (tmp_path / "verigate-engine-run-x/plain/logs/stdout.log").read_text().endswith("\n0\n")


# Trust

FILE = "home/.trusting/folders.json"


def trusting(*, declared: bool) -> Program:
    trust = Trust("~/.trusting/folders.json", "json", ("{run_dir}",), "TRUST_FOLDER")
    flags = EngineCapabilities(trust_folder=declared)
    return Program("trusting", "Trusting", capabilities=flags, trust=trust, version=())


@pytest.mark.parametrize("script", ["cat $HOME/.trusting/folders.json", "exit 3", "kill -9 $$"])
def test_a_run_folder_is_trusted_while_the_program_runs_however_it_ends(script: str, tmp_path: Path) -> None:
    result = execute(tmp_path, trusting(declared=True), script)
    if result.exit_code == 0:
        assert result.result_json == {str(tmp_path / "verigate-engine-run-x/trusting"): "TRUST_FOLDER"}
    assert not (tmp_path / FILE).exists()


def test_who_does_not_declare_it_has_nothing_registered(tmp_path: Path) -> None:
    execute(tmp_path, trusting(declared=False), "true")
    assert not (tmp_path / FILE).exists()


def test_a_cleanup_that_fails_is_a_warning_and_changes_no_result(tmp_path: Path) -> None:
    heard: list[str] = []

    async def on_log(_: str, chunk: str) -> None:
        heard.append(chunk)

    script = "echo broken > $HOME/.trusting/folders.json; echo '{\"a\": 1}'"
    result = execute(tmp_path, trusting(declared=True), script, on_log=on_log)
    assert not result.failed
    assert result.result_json == {"a": 1}
    (warning,) = [line for line in heard if line.startswith("warning: ")]
    assert f"this is not one JSON object, line 1 ({tmp_path / FILE})" in warning


# Sessions

REMEMBERS = f"""
if [ "$1" = --resume ]; then
  [ "$2" = s1 ] || {{ echo "who is that: $2" >&2; exit 1; }}
  echo resumed >> "$HOME/calls"
else
  echo fresh >> "$HOME/calls"
fi
{WELL}
"""


def attended(folder: Path, script: str = REMEMBERS, **options: Any) -> ManagedEngine:
    (folder / "home").mkdir(exist_ok=True)
    given = services(folder)
    options = {"command": ["sh", "-c", script, "sh"], **options}
    engine = ProgramEngine(TALKER, given)
    return ManagedEngine(engine, options, open_session(engine, given))


def ask(engine: ManagedEngine) -> ExecutionResult:
    return asyncio.run(engine.execute(ExecutionContext("r", {}, REQUEST.context())))


def test_a_session_is_kept_and_resumed(tmp_path: Path) -> None:
    assert [ask(attended(tmp_path)).failed for _ in range(2)] == [False, False]
    assert (tmp_path / "home/calls").read_text().split() == ["fresh", "resumed"]
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    assert json.loads(kept.read_text()) == {"sessionId": "s1"}
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_session_that_is_unknown_is_dropped_and_asked_once_without(tmp_path: Path) -> None:
    engine = attended(tmp_path)
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')
    assert not ask(engine).failed
    assert (tmp_path / "home/calls").read_text().split() == ["fresh"]
    assert json.loads(kept.read_text()) == {"sessionId": "s1"}


def test_who_always_says_unknown_is_asked_twice_and_no_more(tmp_path: Path) -> None:
    engine = attended(tmp_path, 'echo x >> "$HOME/calls"; echo who is that >&2; exit 1')
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')
    result = ask(engine)
    assert (result.error_code, result.clear_session) == ("unknown_session", True)
    assert (tmp_path / "home/calls").read_text().split() == ["x", "x"]
    assert not kept.exists()


FAILED_RESUMES = {
    "an error that nobody knows": 'echo "model provider one not found" >&2; exit 1',
    "an error on its output": lines({"t": "e", "text": "rollout is damaged"}) + "exit 1",
    "a kill": "kill -9 $$",
    "a success without an answer, and an error": lines({"t": "e", "text": "no"}),
}


@pytest.mark.parametrize("case", FAILED_RESUMES)
def test_any_resume_that_fails_drops_the_session_and_starts_once_anew(case: str, tmp_path: Path) -> None:
    script = f"""
if [ "$1" = --resume ]; then echo resumed >> "$HOME/calls"; {FAILED_RESUMES[case]}
exit; fi
echo fresh >> "$HOME/calls"
{WELL}
"""
    engine = attended(tmp_path, script)
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')
    result = ask(engine)
    assert not result.failed, result
    assert result.sent is not None
    assert result.sent.resumed is None
    assert (tmp_path / "home/calls").read_text().split() == ["resumed", "fresh"]
    assert json.loads(kept.read_text()) == {"sessionId": "s1"}


def test_a_resume_that_took_all_the_time_is_not_tried_again_but_dropped(tmp_path: Path) -> None:
    engine = attended(tmp_path, 'echo x >> "$HOME/calls"; sleep 30', grace_s=0.1)
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')
    request = msgspec.structs.replace(REQUEST, timeout_s=1.5)
    assert asyncio.run(engine.execute(ExecutionContext("r", {}, request.context()))).timed_out
    assert (tmp_path / "home/calls").read_text().split() == ["x"]
    assert not kept.exists()


def test_a_resume_that_is_cancelled_is_dropped(tmp_path: Path) -> None:
    engine = attended(tmp_path, "sleep 30", grace_s=0.1)
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')

    async def cancelled() -> None:
        async with asyncio.timeout(0.5):
            await engine.execute(ExecutionContext("r", {}, REQUEST.context()))

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())
    assert not kept.exists()


def test_a_resume_that_raises_is_dropped_too(tmp_path: Path) -> None:
    class Raises(ProgramEngine):
        async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
            if ctx.runtime.session_id is not None:
                raise RuntimeError("boom")
            return await super().execute(ctx)

    (tmp_path / "home").mkdir()
    given = services(tmp_path)
    engine = Raises(TALKER, given)
    kept = tmp_path / "verigate-engine-run-x/talker.session.json"
    kept.write_text('{"sessionId": "old"}')
    config = {"command": ["sh", "-c", WELL]}
    assert not ask(ManagedEngine(engine, config, open_session(engine, given))).failed
    assert json.loads(kept.read_text()) == {"sessionId": "s1"}


def test_a_failure_keeps_no_session(tmp_path: Path) -> None:
    assert ask(attended(tmp_path, f"{WELL} exit 1")).failed
    assert not (tmp_path / "verigate-engine-run-x/talker.session.json").exists()


SESSIONS = [(False, None, "fresh"), (True, None, "resumed"), (True, False, "fresh"), (False, True, "fresh")]


@pytest.mark.parametrize(("profile", "user", "second"), SESSIONS)
def test_a_session_is_kept_only_where_the_profile_asks_and_the_user_does_not_refuse(
    profile: bool, user: bool | None, second: str, tmp_path: Path
) -> None:
    script = 'case "$*" in *--resume*) echo resumed;; *) echo fresh;; esac >> "$HOME/calls"; '
    said = (json.dumps(line) for line in ({"type": "system", "subtype": "init", "session_id": "s1"},
                                          {"type": "result", "structured_output": {"a": "b"}}))  # fmt: skip
    script += "".join(f"echo '{line}'; " for line in said)
    (tmp_path / "home").mkdir()
    told = {"command": ["sh", "-c", script, "sh"], **({} if user is None else {"session": user})}
    file = tmp_path / "engines.json"
    file.write_text(json.dumps({"claude-cli": told}))
    given = services(tmp_path, GATE_ENGINES=str(file))
    for _ in range(2):
        assert not ask(open_engine("claude-cli", given, session=profile)).failed
    assert (tmp_path / "home/calls").read_text().split() == ["fresh", second]


STORED: dict[str, tuple[bytes, bool]] = {
    "good": (b'{"sessionId": "0a-b_c.1"}', True),
    "a flag": (b'{"sessionId": "--dangerously"}', False),
    "more": (b'{"sessionId": "a", "cwd": "/"}', False),
    "no text": (b'{"sessionId": 1}', False),
    "a line feed": (b'{"sessionId": "a\\nb"}', False),
    "empty": (b"", False),
    "no object": (b"[]", False),
    "totals": (b'{"sessionId": "a", "inputTokens": 1, "outputTokens": 2}', True),
    "half of the totals": (b'{"sessionId": "a", "inputTokens": 1}', False),
    "a total that is none": (b'{"sessionId": "a", "inputTokens": -1, "outputTokens": true}', False),
    "no JSON": (b"\xff", False),
    "too long": (b'{"sessionId": "' + b"a" * 300 + b'"}', False),
}


@pytest.mark.parametrize("case", STORED)
def test_what_is_stored_of_a_session_is_validated(case: str, tmp_path: Path) -> None:
    content, good = STORED[case]
    engine = attended(tmp_path, 'echo "$@" > "$HOME/calls"; ' + WELL)
    (tmp_path / "verigate-engine-run-x/talker.session.json").write_bytes(content)
    ask(engine)
    assert (tmp_path / "home/calls").read_text().startswith("--resume") is good


def test_a_session_has_a_name_for_people() -> None:
    assert PlainCodec().display_id({"sessionId": "0123456789"}) == "01234567"


TOTALS = [
    # total so far, session, what is kept from before, what this call used
    ((30, 5), "s1", {"sessionId": "s1", "inputTokens": 10, "outputTokens": 2}, (20, 3)),
    ((30, 5), "s1", {"sessionId": "s1"}, (30, 5)),
    ((30, 5), "s1", {"sessionId": "s0", "inputTokens": 10, "outputTokens": 2}, (30, 5)),
    ((30, 5), "s1", {"sessionId": "s1", "inputTokens": 31, "outputTokens": 2}, (30, 5)),
    ((30, 5), "s1", None, (30, 5)),
]


@pytest.mark.parametrize(("total", "session", "before", "used"), TOTALS)
def test_the_usage_of_a_call_is_what_its_session_s_total_grew_by(
    total: tuple[int, int], session: str, before: Any, used: tuple[int, int]
) -> None:
    assert compute_usage(Usage(*total), session, Runtime(session, before)) == Usage(*used)
    assert compute_usage(None, session, Runtime(session, before)) is None


# What was sent


def test_a_program_reports_what_it_was_given_and_that_it_takes_no_sampling_parameters(tmp_path: Path) -> None:
    skill = tmp_path / "judge"
    skill.mkdir()
    (skill / "SKILL.md").write_text("Look for wombats.")
    (tmp_path / "mine.md").write_text("Be kind.")
    sent = execute(tmp_path, IFLOW, "true", skill=str(skill), instructionsFilePath=str(tmp_path / "mine.md")).sent
    assert sent is not None
    assert (sent.temperature, sent.seed) == ("not settable", "not settable")
    assert (sent.prompt or "").startswith("Look for wombats.")
    assert (sent.prompt or "").endswith("the instruction\nthe prompt")
    assert sent.files == {"IFLOW.md": "Be kind."}
    assert sent.skill is not None
    digest = sent.skill.sha256
    (skill / "more.md").write_text("x")
    again = execute(tmp_path, CLAUDE, "true", skill=str(skill)).sent
    assert again is not None
    # Claude gets the instruction as its system prompt, and the skill as a file.
    assert (again.system_prompt, again.prompt) == ("the instruction", "the prompt")
    assert again.files["SKILL.md"].startswith("Look for wombats.")
    assert again.skill is not None
    assert again.skill.sha256 != digest


# Environment test

SECRET = "the-secret-0123456789"


def checks(folder: Path, program: Program, config: Mapping[str, Any], **environ: str) -> dict[str, EnvironmentCheck]:
    engine = ProgramEngine(program, services(folder, **environ))
    return {check.code: check for check in asyncio.run(engine.test_environment(config))}


def test_an_environment_test_tells_program_version_and_where_credentials_come_from(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\necho 9.9.9 of claude\n")
    program.chmod(0o755)
    found = checks(tmp_path, CLAUDE, {"command": [str(program)], "model": "m"}, ANTHROPIC_API_KEY=SECRET)
    assert {code: check.level.value for code, check in found.items()} == {
        "program": "info", "credentials": "info", "model": "info", "version": "info", "login": "info"}  # fmt: skip
    assert found["version"].message == "9.9.9 of claude"
    assert found["credentials"].message == "credentials come from ANTHROPIC_API_KEY"
    document = EnvironmentTest("claude_cli", tuple(found.values()), NOW).document()
    assert (document["status"], document["testedAt"], document["adapterType"]) == ("pass", NOW, "claude_cli")
    assert SECRET not in json.dumps(document)
    assert set(document["checks"][0]) == {"code", "level", "message", "detail", "hint"}


TESTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no program": ({"command": ["/no/such"]}, "missing_program", "fail"),
    "no command": ({}, "no_command", "fail"),
    "a bad option": ({"x": 1}, "options", "fail"),
    "a program": ({"command": ["sh"]}, "program", "pass"),
}


@pytest.mark.parametrize("case", TESTS)
def test_an_error_of_the_environment_is_a_failure_and_has_a_hint(case: str, tmp_path: Path) -> None:
    config, code, status = TESTS[case]
    found = checks(tmp_path, PROCESS, config)
    assert EnvironmentTest("process", tuple(found.values()), NOW).status == status
    assert code in found
    if status == "fail":
        assert found[code].hint
        result = asyncio.run(
            ProgramEngine(PROCESS, services(tmp_path)).execute(ExecutionContext("r", config, REQUEST.context()))
        )
        assert result.failed
        assert not (tmp_path / "verigate-engine-run-x/process").exists()


def test_credentials_in_a_file_are_found_and_none_are_a_warning(tmp_path: Path) -> None:
    found = checks(tmp_path, CODEX, {"command": ["true"]})
    assert found["credentials"].level.value == "warn"
    (tmp_path / "home/.codex").mkdir(parents=True)
    (tmp_path / "home/.codex/auth.json").write_text(json.dumps({"OPENAI_API_KEY": SECRET}))
    assert checks(tmp_path, CODEX, {"command": ["true"]})["credentials"].message.endswith("~/.codex/auth.json")


EMPTY = {
    ".codex/config.toml": ("", '[projects."/x"]\ntrust_level = "trusted"\n', "[broken", "model = 'x'\n"),
    ".codex/auth.json": ("", "{}", '{"OPENAI_API_KEY": null, "tokens": {"id_token": " "}}', "no JSON", "[" * 100_000),
    ".gemini/oauth_creds.json": ("", "{}", "[]"),
}


@pytest.mark.parametrize(("path", "content"), [(path, text) for path, texts in EMPTY.items() for text in texts])
def test_a_file_that_holds_no_credential_is_none(path: str, content: str, tmp_path: Path) -> None:
    program = CODEX if "codex" in path else GEMINI
    file = tmp_path / "home" / path
    file.parent.mkdir(parents=True)
    file.write_text(content)
    assert checks(tmp_path, program, {"command": ["true"]})["credentials"].level.value == "warn"


def test_a_provider_of_codex_s_configuration_is_a_credential(tmp_path: Path) -> None:
    file = tmp_path / "home/.codex/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[model_providers.mine]\nbase_url = "http://localhost"\n')
    assert checks(tmp_path, CODEX, {"command": ["true"]})["credentials"].message.endswith("~/.codex/config.toml")


@pytest.mark.parametrize("given", [{}, {"rules.md": "/no/such/rules.md"}])
def test_an_input_that_is_missing_is_an_error_before_anybody_is_asked(given: dict[str, str], tmp_path: Path) -> None:
    skill = tmp_path / "judge"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("Judge well.")
    (skill / "assets/runner.json").write_text(json.dumps({"input": {"rules.md": "what"}}))
    found = checks(tmp_path, PROCESS, {"command": ["true"], "skill": str(skill), "inputs": given})
    assert found["missing_input"].level.value == "error"
    assert "rules.md" in (found["missing_input"].message or "")


@pytest.mark.parametrize("there", [False, True])
def test_dependencies_of_a_skill_need_uv(tmp_path: Path, *, there: bool) -> None:
    skill = tmp_path / "judge"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("Judge well.")
    (skill / "assets/runner.json").write_text(json.dumps({"dependencies": ["pandas>=2"]}))
    (tmp_path / "bin").mkdir()
    for name in ("true", *(("uv",) if there else ())):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    found = checks(tmp_path, PROCESS, {"command": ["true"], "skill": str(skill)}, PATH=str(tmp_path / "bin"))
    assert ("missing_uv" in found) is not there
    if not there:
        assert (found["missing_uv"].level.value, "astral" in (found["missing_uv"].hint or "")) == ("error", True)


@pytest.mark.parametrize(
    ("program", "path", "content", "level"),
    [
        (CODEX, ".codex/config.toml", "[broken", "error"),
        (CODEX, ".codex/config.toml", "a = 1\n", "info"),
        (GEMINI, ".gemini/trustedFolders.json", "[]", "error"),
        (GEMINI, ".gemini/trustedFolders.json", None, "info"),
    ],
)
def test_a_file_of_trusted_folders_that_can_t_be_written_is_an_error_and_is_left_alone(
    program: Program, path: str, content: str | None, level: str, tmp_path: Path
) -> None:
    file = tmp_path / "home" / path
    file.parent.mkdir(parents=True)
    if content is not None:
        file.write_text(content)
    found = checks(tmp_path, program, {"command": ["true"]})
    assert (found["trust"].level.value, found["trust"].detail) == (level, str(file))
    assert (file.read_text() if file.exists() else None) == content
    assert len(list(file.parent.iterdir())) == (content is not None)


@pytest.mark.parametrize(("code", "level"), [(0, "info"), (1, "warn")])
def test_the_program_says_whether_it_is_logged_in(code: int, level: str, tmp_path: Path) -> None:
    script = f'case "$*" in "login status") exit {code};; --version) echo 1;; *) exit 9;; esac'
    config: dict[str, Any] = {"command": ["sh", "-c", script, "sh"]}
    assert checks(tmp_path, CODEX, config)["login"].level.value == level
    # Of another provider's key codex doesn't know.
    assert "login" not in checks(tmp_path, CODEX, {**config, "settings": {"model_provider": "mine"}})


# The user's options


def test_options_are_the_user_s_own_and_by_type(tmp_path: Path) -> None:
    assert read_options({"HOME": str(tmp_path)}) == {}
    assert read_options({}) == {}
    file = tmp_path / ".config/verigate/engines.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"codex-cli": {"model": "m"}, "$schema": "x"}')
    found = read_options({"HOME": str(tmp_path)})
    assert parse_options(CODEX, found["codex_cli"]).model == "m"
    assert parse_options(CODEX, found["codex_cli"]).source == f"{file} /codex-cli"


def test_options_in_the_repository_are_refused(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    assert read_options(environ, str(tmp_path)) == {}
    file = tmp_path / ".config/verigate/engines.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"codex-cli": {"model": "m"}}')
    with pytest.raises(UsageError) as caught:
        read_options(environ, str(tmp_path))
    assert caught.value.where == str(file)
    assert read_options(environ, str(tmp_path / "repository")) == {"codex_cli": ANY}
    assert read_options({**environ, "GATE_ENGINES": str(file)}, str(tmp_path)) == {"codex_cli": ANY}


@pytest.mark.parametrize("content", ["[]", "{", '{"codex-cli": 1}'])
def test_options_that_can_t_be_read_are_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text(content)
    with pytest.raises(UsageError) as caught:
        read_options({"GATE_ENGINES": str(tmp_path / "o.json")})
    assert str(tmp_path / "o.json") in (caught.value.where or "")


def test_a_file_of_options_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_options({"GATE_ENGINES": str(tmp_path / "none.json")})
