"""Engines of others: found, loaded, replaced, removed; and run logs, which are read by data alone."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import engine_schemas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.config.validation import validate
from verigate.domain.engine import EngineServices, ExecutionContext, ExecutionResult
from verigate.domain.engine_request import EngineRequest
from verigate.errors import UsageError
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.streams import Redactor
from verigate.verifier.engines import (
    BUILTIN,
    create_from_offer,
    describe_engines,
    find_engine,
    find_engines,
    open_engine,
)
from verigate.verifier.http.engine import HttpEngine
from verigate.verifier.program import LogRule
from verigate.verifier.programs.claude import PROGRAM as CLAUDE
from verigate.verifier.programs.codex import PROGRAM as CODEX
from verigate.verifier.programs.engine import ProgramEngine
from verigate.verifier.programs.gemini import PROGRAM as GEMINI
from verigate.verifier.run_log import LogEntry, parse_log, parse_log_line

REQUEST = EngineRequest("T1", "the instruction", "the prompt", timeout_s=20)
MANIFEST = {
    "kind": "engine",
    "name": "parrot",
    "version": "1.0.0",
    "engine": {
        "type": "my_parrot",
        "label": "Parrot",
        "command": ["bin/parrot", "--json"],
        "capabilities": {"json_output": True, "supportsInstructionsBundle": True},
        "log": [{"kind": "tool_call", "prefix": "[tool] "}, {"kind": "error", "prefix": "[error] "}],
        "version": [],
    },
}


def services(folder: Path, **environ: str) -> EngineServices:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home"), **environ}
    processes = EngineProcesses(sys.executable, Redactor(), str)
    return EngineServices(environ, processes, str(folder), str, time.monotonic)


def plug(folder: Path, manifest: Any = None, script: str = 'echo "[tool] look"; echo "$@"') -> Path:
    place = folder / "home/.config/verigate/engines/parrot"
    (place / "bin").mkdir(parents=True)
    (place / "bin/parrot").write_text(f"#!/bin/sh\n{script}\n")
    (place / "bin/parrot").chmod(0o755)
    content = MANIFEST if manifest is None else manifest
    (place / "manifest.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return place


def changed(**engine: Any) -> dict[str, Any]:
    return {**MANIFEST, "engine": {**MANIFEST["engine"], **engine}}  # type: ignore[dict-item]


def listed(folder: Path) -> dict[str, Any]:
    found, _ = describe_engines(services(folder))
    return {entry["type"]: entry for entry in found}


def test_a_folder_is_an_engine_and_removing_it_removes_it(tmp_path: Path) -> None:
    before = listed(tmp_path)
    place = plug(tmp_path)
    there = listed(tmp_path)
    assert {name: entry for name, entry in there.items() if name != "my_parrot"} == before
    entry = there["my_parrot"]
    assert (entry["label"], entry["origin"], entry["where"], entry["overrides"]) == ("Parrot", "folder", str(place), [])
    assert entry["capabilities"]["json_output"] is True
    assert entry["capabilities"]["session_resume"] is False
    heard: list[tuple[str, str]] = []
    engine = open_engine("my-parrot", services(tmp_path), lambda name, entry: heard.append((name, entry.summary())))
    result = asyncio.run(engine.execute(ExecutionContext("r", {}, REQUEST.context())))
    assert not result.failed, result
    assert heard == [
        ("my-parrot", f"session: starts {place}/bin/parrot --json"),
        ("my-parrot", "tool_call: look"),
    ]
    for path in (place / "bin/parrot", place / "manifest.json"):
        path.unlink()
    assert listed(tmp_path) == before
    with pytest.raises(UsageError):
        find_engine("my-parrot", services(tmp_path))


def test_what_is_enforced_is_data_of_the_engine_s_own_folder(tmp_path: Path) -> None:
    """It stands above the manifest's own, and above a user's; a file that can't be read takes the engine out."""
    manifest = changed(enforced={"a": 1, "b": 1}, defaults={"d": 1})
    place = plug(tmp_path, manifest)
    (place / "my_parrot_enforced.json").write_text('{"b": 2, "c": null}')
    engine = create_from_offer(
        find_engines(services(tmp_path).environ, None).by_type["my_parrot"][0], services(tmp_path)
    )
    assert isinstance(engine, ProgramEngine)
    merged = engine.explain_config({"settings": {"b": 3, "c": 3, "e": 3}})
    assert merged.values == {"a": 1, "b": 2, "d": 1, "e": 3}
    for content in ("[1]", "{", "[" * 100_000):
        (place / "my_parrot_enforced.json").write_text(content)
        assert "my_parrot" not in listed(tmp_path)
        (warning,) = find_engines(services(tmp_path).environ, None).warnings
        assert warning.startswith(f"engine {place}: it is")


def test_a_folder_describes_a_server(tmp_path: Path) -> None:
    described = {"kind": "http", "type": "my_parrot", "label": "Local", "base_url": "http://127.0.0.1:9/v1"}
    place = plug(tmp_path, {**MANIFEST, "engine": described})
    entry = listed(tmp_path)["my_parrot"]
    assert (entry["label"], entry["origin"], entry["capabilities"]["response_schema"]) == ("Local", "folder", True)
    (place / "my_parrot_enforced.json").write_text('{"top_k": 1, "tools": ["x"]}')
    engine = create_from_offer(
        find_engines(services(tmp_path).environ, None).by_type["my_parrot"][0], services(tmp_path)
    )
    assert isinstance(engine, HttpEngine)
    assert engine.explain_config({"settings": {"top_k": 9, "tools": ["y"], "min_p": 0.1}}).values == {
        "top_k": 1, "min_p": 0.1,
    }  # fmt: skip
    for bad in ({"command": ["x"]}, {"kind": "https"}, {"base_url": 3}):
        (place / "manifest.json").write_text(json.dumps({**MANIFEST, "engine": {**described, **bad}}))
        assert "my_parrot" not in listed(tmp_path), bad


def test_one_may_override_what_ships_and_that_is_shown(tmp_path: Path) -> None:
    place = plug(tmp_path, changed(type="codex_cli"))
    entry = listed(tmp_path)["codex_cli"]
    assert (entry["label"], entry["origin"], entry["where"]) == ("Parrot", "folder", str(place))
    assert entry["overrides"] == [{"origin": "built-in", "where": "verigate"}]
    assert find_engine("codex-cli", services(tmp_path)).description.label == "Parrot"


def test_folders_on_the_path_come_before_the_user_s_own(tmp_path: Path) -> None:
    plug(tmp_path)
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "manifest.json").write_text(json.dumps(changed(label="Another")))
    found = find_engines({"HOME": str(tmp_path / "home"), "GATE_ENGINE_PATH": str(other)})
    assert [offer.where for offer in found.by_type["my_parrot"]] == [
        str(other),
        str(tmp_path / "home/.config/verigate/engines/parrot"),
    ]


def test_engines_in_the_repository_are_not_found(tmp_path: Path) -> None:
    plug(tmp_path)
    environ = {"HOME": str(tmp_path / "home")}
    assert "my_parrot" in find_engines(environ, str(tmp_path / "repository")).by_type
    assert "my_parrot" not in find_engines(environ, str(tmp_path / "home")).by_type


BROKEN: dict[str, Any] = {
    "no JSON": "{",
    "an unknown key": {**MANIFEST, "entry": "x"},
    "an unknown key of the engine": changed(parser="module:function"),
    "no command": changed(command=[]),
    "no label": {**MANIFEST, "engine": {"type": "x", "command": ["y"]}},
    "a kind of entry that there isn't": changed(log=[{"kind": "verdict"}]),
    "a flag that is no boolean": changed(capabilities={"json_output": "yes"}),
    "a type in another case": changed(type="My Parrot"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_manifest_that_can_t_be_used_is_told_of_and_takes_nothing_with_it(case: str, tmp_path: Path) -> None:
    plug(tmp_path, BROKEN[case])
    found = find_engines(services(tmp_path).environ)
    assert set(found.by_type) == set(BUILTIN)
    assert len(found.warnings) == 1


@pytest.mark.parametrize("name", engine_schemas.ALL)
def test_schemas_are_what_the_program_reads(name: str) -> None:
    path = engine_schemas.FOLDER / f"{name}.v1.schema.json"
    assert path.read_text() == engine_schemas.text(name)


@pytest.mark.parametrize(
    "case", [case for case in BROKEN if case not in {"no JSON", "no command", "a type in another case"}]
)
def test_the_schema_refuses_what_the_program_refuses(case: str) -> None:
    assert validate("engine", MANIFEST) == ()
    assert validate("engine", BROKEN[case])


def test_a_manifest_of_another_kind_is_nobody_s_business(tmp_path: Path) -> None:
    plug(tmp_path, {"name": "x", "kind": "adapter"})
    found = find_engines(services(tmp_path).environ)
    assert (set(found.by_type), found.warnings) == (set(BUILTIN), ())


# Packages

MODULE = """
from verigate.domain.engine import (
    CheckLevel, EngineCapabilities, EngineDescription, EngineModel, EnvironmentCheck, ExecutionResult)

class Engine:
    description = EngineDescription("their_engine", "Theirs", (EngineModel("m", "M"),), "Use when: never.")
    {capabilities}
    def __init__(self, services):
        self.services = services
    async def execute(self, ctx):
        assert ctx.agent.adapter_config == ctx.config
        return ExecutionResult(exit_code=0, output=str(sorted(ctx.config.items())))
    async def test_environment(self, config):
        level = CheckLevel.ERROR if config.get("broken") else CheckLevel.INFO
        return (EnvironmentCheck("their_check", level, "a message", hint="a hint"),)
{more}
"""


def package(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str = "their-engine",
    factory: str = "Engine",
    capabilities: str = "",
    more: str = "",
) -> None:
    place = folder / "site"
    info = place / "their_engine_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-engine-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[verigate.engines]\n{name} = their_engine_plugin:{factory}\n")
    (place / "their_engine_plugin.py").write_text(MODULE.format(capabilities=capabilities, more=more))
    monkeypatch.syspath_prepend(str(place))
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "their_engine_plugin", raising=False)


def test_a_package_offers_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(
        tmp_path,
        monkeypatch,
        capabilities="capabilities = EngineCapabilities(json_output=True)",
        more="    def list_skills(self):\n        return ()\n",
    )
    find_engines({})
    assert "their_engine_plugin" not in sys.modules
    entry = listed(tmp_path)["their_engine"]
    assert (entry["origin"], entry["where"]) == ("package", "their-engine-plugin (their_engine_plugin:Engine)")
    assert entry["capabilities"]["json_output"] is True
    assert entry["capabilities"]["supportsSkills"] is True
    assert entry["models"] == [{"id": "m", "label": "M"}]
    result = asyncio.run(
        open_engine("their-engine", services(tmp_path)).execute(
            ExecutionContext("r", {"model": "m"}, REQUEST.context())
        )
    )
    assert result == ExecutionResult(exit_code=0, output="[('model', 'm')]")


def test_a_package_that_declares_nothing_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, monkeypatch)
    flags = listed(tmp_path)["their_engine"]["capabilities"]
    assert flags.pop("instructionsPathKey") == "instructionsFilePath"
    assert set(flags.values()) == {False}


def test_an_error_of_its_environment_test_keeps_an_engine_from_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, monkeypatch)
    engine = open_engine("their-engine", services(tmp_path))
    result = asyncio.run(engine.execute(ExecutionContext("r", {"broken": True}, REQUEST.context())))
    assert (result.error_code, result.error_message, result.error_hint) == ("their_check", "a message", "a hint")


FAULTS = {
    "no such name": {"factory": "Nothing"},
    "no factory": {"factory": "PLAIN", "more": "PLAIN = 1\n"},
    "an import that fails": {"more": "raise RuntimeError('no')\n"},
    "a factory that fails": {"factory": "fails", "more": "def fails(services):\n    raise RuntimeError('no')\n"},
    "another type": {"name": "other-engine"},
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_package_with_a_fault_is_named_and_hurts_no_other(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, monkeypatch, **FAULTS[case])
    name = "other_engine" if case == "another type" else "their_engine"
    entries_ = listed(tmp_path)
    assert entries_[name]["problem"]
    assert "problem" not in entries_["process"]
    with pytest.raises(UsageError):
        open_engine(name, services(tmp_path))


# Run logs

KINDS: dict[str, tuple[tuple[LogRule, ...], Any, list[tuple[str, str]]]] = {
    "claude says": (CLAUDE.log, {"type": "assistant", "message": {"content": [{"type": "text", "text": "hello"}]}},
                    [("message", "hello")]),
    "claude calls": (CLAUDE.log, {"type": "assistant", "message": {"content": [
        {"type": "tool_use", "id": "1", "name": "Read", "input": {"p": 1}}]}}, [("tool_call", '{"p": 1}')]),
    "claude hears": (CLAUDE.log, {"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "1", "content": "done"}]}}, [("tool_result", "done")]),
    "claude fails": (CLAUDE.log, {"type": "result", "is_error": True, "result": "no", "usage": {"input_tokens": 1}},
                     [("error", "no"), ("usage", "")]),
    "codex says": (CODEX.log, {"type": "item.completed", "item": {"type": "agent_message", "text": "hello"}},
                   [("message", "hello")]),
    "codex calls": (CODEX.log, {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
                    [("tool_call", "ls")]),
    "codex fails": (CODEX.log, {"type": "turn.failed", "error": {"message": "no"}}, [("error", "no")]),
    "codex counts": (CODEX.log, {"type": "turn.completed", "usage": {"input_tokens": 1}}, [("usage", "")]),
    "gemini says": (GEMINI.log, {"type": "message", "role": "assistant", "content": "hello"}, [("message", "hello")]),
    "gemini repeats the user": (GEMINI.log, {"type": "message", "role": "user", "content": "hello"}, []),
    "gemini calls": (GEMINI.log, {"type": "tool_use", "tool_name": "t", "parameters": {}}, [("tool_call", "{}")]),
    "something new": (CLAUDE.log, {"type": "brand_new"}, []),
    "true is not 1": ((LogRule("message", {"/a": 1}, text=("/t",)),), {"a": True, "t": "x"}, []),
}  # fmt: skip


@pytest.mark.parametrize("case", KINDS)
def test_a_line_is_a_typed_entry(case: str) -> None:
    rules, document, wanted = KINDS[case]
    found = [entry for entry in parse_log_line(json.dumps(document), rules) if entry.kind != "result"]
    assert [(entry.kind, entry.text) for entry in found] == wanted


def test_what_is_shown_of_an_entry_is_one_line_that_moves_no_cursor() -> None:
    shown = LogEntry("message", "a\nb\x1b[2J\u202ec" + "x" * 9000).summary()
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert len(shown) < 2100
    assert (
        LogEntry("usage", fields={"input_tokens": 3, "output_tokens": 4}).summary()
        == "usage: 3 input tokens, 4 output tokens"
    )
    assert LogEntry("tool_call", "{}", "Read").summary() == "tool_call: Read {}"


MEMBERS = st.sampled_from(["type", "message", "content", "item", "error", "usage", "text"])
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=4),
)


@given(DOCUMENTS)
def test_no_document_breaks_a_run_log(document: Any) -> None:
    for program in (CLAUDE, CODEX, GEMINI):
        for entry in parse_log(json.dumps(document), program.log):
            assert entry.summary()
