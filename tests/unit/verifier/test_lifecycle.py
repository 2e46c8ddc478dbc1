"""The rules of the fourth source document, phase by phase."""

from __future__ import annotations

import inspect
import json
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.engine import Usage
from verigate.errors import ExecutionError, UsageError
from verigate.verifier.lifecycle.config_file import flatten_keys, render_toml, resolve_config, write_config
from verigate.verifier.lifecycle.context import MissingInputError, render_prompt, resolve_inputs
from verigate.verifier.lifecycle.layers import Layer, LayerName, merge
from verigate.verifier.lifecycle.parse import ParsedOutput, parse_output, read_output
from verigate.verifier.lifecycle.run import EngineRun
from verigate.verifier.lifecycle.session_log import complete_from_session
from verigate.verifier.lifecycle.setup import deliver_skill, install_skill, prepare_run_folder, sweep_links
from verigate.verifier.lifecycle.skill import OWN_TEMPLATE, SkillManifest, read_skill, redirect_artifacts
from verigate.verifier.lifecycle.skill_keys import InputKey
from verigate.verifier.program import ConfigFile, Program, SkillDelivery
from verigate.verifier.programs.claude import PROGRAM as CLAUDE
from verigate.verifier.programs.codex import PROGRAM as CODEX
from verigate.verifier.programs.gemini import PROGRAM as GEMINI
from verigate.verifier.programs.iflow import PROGRAM as IFLOW
from verigate.verifier.programs.package_version import read_packaged_version
from verigate.verifier.programs.process import PROGRAM as PROCESS

PROGRAMS = {program.type: program for program in (CLAUDE, CODEX, GEMINI, IFLOW, PROCESS)}

SIGNATURES = {
    "_construct_config": (("skill", "run_dir", "options"), "Path", False),
    "_setup_environment": (("skill", "run_dir", "config_path"), "Path", False),
    "_build_prompt": (("skill", "run_dir", "input_data"), "str", False),
    "_execute_process": (("cmd", "run_dir", "env"), "tuple[int, str, str]", True),
    "_parse_output": (("raw_stdout",), "dict[str, Any] | None", False),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_phases_have_the_names_and_signatures_of_the_document(name: str) -> None:
    method = getattr(EngineRun, name)
    signature = inspect.signature(method)
    parameters, returns, waits = SIGNATURES[name]
    assert tuple(signature.parameters)[1:] == parameters
    assert signature.return_annotation == returns
    assert inspect.iscoroutinefunction(method) is waits


# Phase 1: configure

MERGES: dict[str, tuple[list[Mapping[str, Any]], dict[str, Any]]] = {
    "the last wins": ([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}], {"a": 4}),
    "what one layer leaves out stays": ([{"a": 1, "b": 1}, {}, {"b": 2}, {}], {"a": 1, "b": 2}),
    "tables merge key by key": ([{"t": {"a": 1, "b": {"c": 1}}}, {"t": {"b": {"d": 2}}}, {}, {}],
                                {"t": {"a": 1, "b": {"c": 1, "d": 2}}}),
    "arrays are replaced": ([{"l": [1, 2]}, {"l": [3]}, {}, {}], {"l": [3]}),
    "an empty array is a value": ([{}, {}, {"l": ["Bash"]}, {"l": []}], {"l": []}),
    "an empty table takes nothing out": ([{"t": {"a": 1}}, {}, {}, {"t": {}}], {"t": {"a": 1}}),
    "null takes a key out": ([{"t": {"a": 1}, "b": 1}, {}, {"b": None}, {"t": None}], {}),
    "and a later layer may put it back": ([{"b": 1}, {"b": None}, {"b": 2}, {}], {"b": 2}),
    "a value replaces a table": ([{"t": {"a": 1}}, {"t": 2}, {}, {}], {"t": 2}),
    "a table replaces a value": ([{"t": 2}, {"t": {"a": 1}}, {}, {}], {"t": {"a": 1}}),
    "false is not nothing": ([{"a": True}, {}, {"a": False}, {}], {"a": False}),
}  # fmt: skip


def layers(values: list[Mapping[str, Any]]) -> list[Layer]:
    return [Layer(name, name.name.lower(), value) for name, value in zip(LayerName, values, strict=True)]


@pytest.mark.parametrize("case", MERGES)
def test_layers_merge_by_the_documented_rule(case: str) -> None:
    values, wanted = MERGES[case]
    assert merge(layers(values)).values == wanted


def test_layers_are_those_of_the_document_in_its_order() -> None:
    assert [name.value for name in LayerName] == ["base defaults", "skill defaults", "user options", "system enforced"]
    with pytest.raises(ValueError, match="comes after a later one"):
        merge(reversed(layers([{}, {}, {}, {}])))


def test_it_is_known_which_layer_set_a_key() -> None:
    merged = merge(layers([{"a": 1, "t": {"x": 1}}, {"t": {"x": 2}}, {"t": {"x": 3, "y": 1}}, {"a": None}]))
    told = {
        origin.pointer: (origin.layer.name, [layer.name for layer in origin.overrides]) for origin in merged.origins
    }
    assert told == {"/a": ("ENFORCED", ["BASE"]), "/t/x": ("USER", ["BASE", "SKILL"]), "/t/y": ("USER", [])}
    assert next(origin for origin in merged.origins if origin.pointer == "/a").removed


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc/~"), inner, max_size=3),
    max_leaves=6,
)
TABLES = st.dictionaries(st.sampled_from("abc/~"), VALUES, max_size=3)


@given(st.lists(TABLES, min_size=4, max_size=4))
def test_every_key_has_one_origin_and_enforced_keys_stand(values: list[dict[str, Any]]) -> None:
    from verigate.formats.pointer import resolve

    merged = merge(layers(values))
    for origin in merged.origins:
        if not origin.removed:
            assert resolve(merged.values, origin.pointer) == origin.value
    for key, value in values[3].items():
        if value is None:
            assert key not in merged.values
        elif not isinstance(value, dict):
            assert merged.values[key] == value


HARM: dict[str, Mapping[str, Any]] = {
    "claude_cli": {"disableAllHooks": False, "hooks": {"Stop": []}, "permissions": {"allow": ["Bash"]}},
    "codex_cli": {
        "sandbox_mode": "danger-full-access",
        "mcp_servers": {"a": {"command": "b"}},
        "features": {"shell_tool": True},
    },
    "gemini_cli": {"tools": {"core": ["run_shell_command"]}, "mcpServers": {"a": {"command": "b"}}},
    "iflow_cli": {
        "coreTools": ["ShellTool"],
        "excludeTools": [],
        "approvalMode": "yolo",
        "autoAccept": True,
        "mcpServers": {"a": {"command": "b"}},
    },
}
HELD: dict[str, Mapping[str, Any]] = {
    "claude_cli": {"disableAllHooks": True, "permissions": {"allow": [], "defaultMode": "default"}},
    "codex_cli": {"sandbox_mode": "read-only", "approval_policy": "never", "web_search": "disabled"},
    "gemini_cli": {"tools": {"core": []}, "mcp": {"allowed": []}},
    "iflow_cli": {"coreTools": [], "approvalMode": "default", "autoAccept": False},
}


@pytest.mark.parametrize("name", HARM)
def test_no_option_gives_a_program_its_tools_back(name: str) -> None:
    values = resolve_config(PROGRAMS[name], SkillManifest(), HARM[name], "options").values
    assert {key: values[key] for key in HELD[name]} == HELD[name]
    assert not {"hooks", "mcp_servers", "mcpServers"} & values.keys()
    assert values.get("features", {}).get("shell_tool") is not True
    assert name != "iflow_cli" or {"run_shell_command", "write_file", "ShellTool"} <= set(values["excludeTools"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_configuration_lies_in_the_run_folder(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    path = write_config(program.config_file, {"a": {"b": [1, "x"]}, "none": None}, tmp_path)
    assert path.parent.parent == tmp_path
    assert path.parent.name == program.folder
    assert path.stat().st_mode & 0o777 == 0o600
    content = path.read_text()
    assert (tomllib.loads(content) if path.suffix == ".toml" else json.loads(content))["a"] == {"b": [1, "x"]}


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5),
        VALUES,
        max_size=4,
    )
)
def test_flat_keys_are_toml_that_says_the_same(values: dict[str, Any]) -> None:
    lines = "".join(f"{key} = {value}\n" for key, value in flatten_keys(values))
    whole = tomllib.loads(render_toml(values))

    def dropped(value: Any) -> Any:
        if isinstance(value, dict):
            inner = {key: dropped(item) for key, item in value.items()}
            return {key: item for key, item in inner.items() if item != {}}
        return value

    assert dropped(tomllib.loads(lines)) == dropped(whole)


# Phase 2: set up

SKILL = "---\nname: judge\ndescription: Judges.\n---\n\nWrite `report.md`.\n"


def skill(folder: Path, runner: Any = None, **files: str) -> Path:
    place = folder / "judge"
    (place / "assets").mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL)
    if runner is not None:
        (place / "assets/runner.json").write_text(json.dumps(runner))
    for name, content in files.items():
        (place / "assets" / name.replace("__", ".")).write_text(content)
    return place


def test_a_skill_is_copied_in_and_patched_and_the_original_stays(tmp_path: Path) -> None:
    original = skill(tmp_path)
    run_dir = tmp_path / "run"
    prepare_run_folder(run_dir, {})
    installed = install_skill(read_skill(original), run_dir, ".codex").folder
    assert installed == run_dir / ".codex/skills/judge"
    text = (installed / "SKILL.md").read_text()
    assert text.startswith(SKILL.rstrip())
    assert f"`{run_dir}/artifacts`" in text
    assert (original / "SKILL.md").read_text() == SKILL
    assert redirect_artifacts(text, f"{run_dir}/artifacts") == text


def test_skill_defaults_are_a_layer(tmp_path: Path) -> None:
    place = skill(tmp_path, codex_settings__json='{"a": 1, "sandbox_mode": "x"}', config__toml="a = 2\n")
    found = read_skill(place)
    assert resolve_config(CODEX, found, {"a": 3}, "o").values["a"] == 3
    merged = resolve_config(CODEX, found, {}, "o")
    assert (merged.values["a"], merged.values["sandbox_mode"]) == (1, "read-only")
    assert resolve_config(GEMINI, found, {}, "o").values["a"] == 2


REFUSED_SKILLS: dict[str, Any] = {
    "an input that leads out": {"input": {"../x": "a file"}},
    "a dependency that is a flag": {"dependencies": ["--index-url=http://x"]},
    "an unknown key": {"inputs": {}},
    "no table": [],
}


@pytest.mark.parametrize("case", REFUSED_SKILLS)
def test_a_skill_that_can_t_be_used_is_refused(case: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_skill(skill(tmp_path, REFUSED_SKILLS[case]))


def test_a_folder_without_a_skill_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"SKILL\.md"):
        read_skill(tmp_path)


def test_a_run_folder_holds_nothing_of_an_earlier_run(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    (run_dir / "artifacts").mkdir(parents=True)
    (run_dir / "artifacts/old").write_text("x")
    given = tmp_path / "given"
    given.write_text("content")
    prepare_run_folder(run_dir, {"data.csv": str(given), "../out": str(given), "gone": str(tmp_path / "gone")})
    assert sorted(path.relative_to(run_dir).as_posix() for path in run_dir.rglob("*")) == [
        "artifacts", "logs", "uploads", "uploads/data.csv"]  # fmt: skip
    assert not (tmp_path / "out").exists()


WAYS: dict[str, tuple[SkillDelivery, str]] = {
    "all": (SkillDelivery(("--s", "{skills}"), "~/.x/skills", "X_SKILLS"), "flag"),
    "no flag": (SkillDelivery((), "~/.x/skills", "X_SKILLS"), "global"),
    "a variable": (SkillDelivery((), None, "X_SKILLS"), "variable"),
    "nothing": (SkillDelivery(), "prompt"),
}


@pytest.mark.parametrize("case", WAYS)
def test_a_skill_reaches_a_program_in_the_order_of_preference(case: str, tmp_path: Path) -> None:
    how, wanted = WAYS[case]
    run_dir = tmp_path / "verigate-engine-run-a" / "x"
    prepare_run_folder(run_dir, {})
    manifest = read_skill(skill(tmp_path))
    installed = install_skill(manifest, run_dir, ".x").folder
    found = deliver_skill(manifest, installed, how, {"HOME": str(tmp_path / "home")})
    ways = {"flag": found.by_flag, "global": found.link, "variable": found.variable, "prompt": found.in_prompt}
    assert [name for name, value in ways.items() if value] == [wanted]
    if found.link is not None:
        assert found.link.parent == tmp_path / "home/.x/skills"
        assert (found.link / "SKILL.md").is_file()
        # The run is over: nobody holds its root.
        sweep_links(found.link.parent)
        assert not found.link.is_symlink()
    assert deliver_skill(SkillManifest(), installed, how, {}).in_prompt == ""


# Phase 3: context

UPLOADS = {
    "there": ("data.csv", "data.csv", True),
    "missing": ("data.csv", None, False),
    "another name": ("data.csv", "data.txt", False),
    "another case": ("data.csv", "DATA.csv", False),
    "a folder": ("data.csv", "data.csv/x", False),
}


@pytest.mark.parametrize("case", UPLOADS)
def test_a_declared_input_is_a_file_of_exactly_that_name(case: str, tmp_path: Path) -> None:
    declared, present, found = UPLOADS[case]
    if present is not None:
        (tmp_path / present).parent.mkdir(exist_ok=True)
        (tmp_path / present).write_text("x")
    given = {declared: "a string that is no file", "other": 1}
    if found:
        assert resolve_inputs({declared: InputKey()}, tmp_path, given) == {
            declared: str(tmp_path / declared),
            "other": 1,
        }
        return
    with pytest.raises(MissingInputError) as caught:
        resolve_inputs({declared: InputKey()}, tmp_path, given)
    assert declared in caught.value.message
    assert caught.value.code == "MISSING_INPUT"


def test_a_link_is_no_input_file(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to("/etc/hostname")
    with pytest.raises(MissingInputError):
        resolve_inputs({"x": InputKey()}, tmp_path, {})


def test_a_template_sees_inputs_and_parameters() -> None:
    said = render_prompt(
        "{{ input.data }} {{ parameter.model }}\n", inputs={"data": "/u/d"}, parameters={"model": "m"}, shown="s"
    )
    assert said == "/u/d m\n"
    hostile = "{{ input }} {% raw %} ''.__class__"
    parameters = {"instruction": "", "prompt": hostile}
    assert render_prompt(OWN_TEMPLATE, inputs={}, parameters=parameters, shown="s") == hostile


TEMPLATES = {
    "a name that isn't there": "{{ input.nothing }}",
    "another": "{{ nothing }}",
    "a way out": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "another way out": "{{ parameter.__init__.__globals__ }}",
    "a change": "{{ input.update({'a': 1}) }}",
    "no template": "{% if %}",
    "a file": "{% include '/etc/passwd' %}",
}


@pytest.mark.parametrize("case", TEMPLATES)
def test_a_template_can_t_guess_and_can_t_get_out(case: str) -> None:
    with pytest.raises(UsageError, match="template"):
        render_prompt(TEMPLATES[case], inputs={"a": 1}, parameters={"b": "c"}, shown="s")


# Phase 5: parse

DOC = {"mark": "m", "answers": []}
TEXT = json.dumps(DOC)


def claude(**more: Any) -> str:
    return json.dumps({"type": "result", "is_error": False, "session_id": "s", "result": TEXT, **more})


def codex(text: str) -> str:
    return json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": text}})


def gemini(*texts: str) -> str:
    return "\n".join(
        json.dumps({"type": "message", "role": "assistant", "content": text, "delta": True}) for text in texts
    )


NESTED: dict[str, Any] = {}
for _ in range(150):
    NESTED = {"a": NESTED}

ACCOUNT = """<Execution Info>
{
  "session-id": "session-1",
  "assistantRounds": 1,
  "tokenUsage": {"input": 7, "output": 3, "total": 10}
}
</Execution Info>"""

OUTPUTS: dict[str, tuple[Program, str, Any]] = {
    "the whole output": (PROCESS, f"\n{TEXT}\n", DOC),
    "the whole output of one that has envelopes": (CLAUDE, TEXT, DOC),
    "the payload of an envelope": (CLAUDE, claude(), DOC),
    "an object as payload": (CLAUDE, claude(structured_output=DOC, result="prose"), DOC),
    "lines, of which the last message counts": (CODEX, f"{codex('thinking')}\n{codex(TEXT)}\nnoise", DOC),
    "pieces of a message": (GEMINI, gemini(TEXT[:5], TEXT[5:]), DOC),
    "one document of gemini": (GEMINI, json.dumps({"session_id": "s", "response": TEXT}, indent=2), DOC),
    "a fenced block": (PROCESS, f"Here:\n```json\n{TEXT}\n```\nDone.", DOC),
    "a fenced block in a payload": (CLAUDE, claude(result=f"Here:\r\n```json\r\n{TEXT}\r\n```"), DOC),
    "the last of several": (PROCESS, f'```json\n{{"a": 1}}\n```\n```json\n{TEXT}\n```', DOC),
    "a last block that is broken": (PROCESS, f"```json\n{TEXT}\n```\n```json\n{{oops\n```", None),
    "a block of another language": (PROCESS, f"```python\n{TEXT}\n```", None),
    "prose": (PROCESS, "I think that it is fine.", None),
    "nothing": (PROCESS, "", None),
    "an array": (PROCESS, "[1, 2]", None),
    "JSON in the middle of prose": (PROCESS, f"It is {TEXT} I think", None),
    "text above an account of the execution": (IFLOW, f"{TEXT}\n\n{ACCOUNT}\n", DOC),
    "a fenced block above one": (IFLOW, f"So:\n```json\n{TEXT}\n```\n{ACCOUNT}", DOC),
    "text without one": (IFLOW, TEXT, DOC),
    "an account alone": (IFLOW, ACCOUNT, None),
    "an account without an end": (IFLOW, f"{TEXT}\n<Execution Info>\n{{}}", None),
    "an object as payload that is nested too deep": (CLAUDE, claude(structured_output=NESTED), None),
    "an object as payload that is too long": (CLAUDE, claude(structured_output={"a": "x" * 2_000_000}), None),
    "a key twice": (PROCESS, '{"a": 1, "a": 2}', None),
    "an envelope without a payload": (CLAUDE, json.dumps({"type": "result", "is_error": True}), None),
    "an answer outside of the envelope": (CODEX, f"{codex('prose')}\n```json\n{TEXT}\n```", None),
    "an answer that a tool printed": (CODEX, json.dumps({"type": "item.completed", "item": {
        "type": "command_execution", "aggregated_output": TEXT}}), None),
}  # fmt: skip


@pytest.mark.parametrize("case", OUTPUTS)
def test_an_answer_is_found_in_three_steps_or_not_at_all(case: str) -> None:
    program, raw, wanted = OUTPUTS[case]
    assert parse_output(raw, read_output(raw, program.log, program.trailer)) == wanted


def test_a_text_of_opening_fences_is_read_at_once() -> None:
    """By a pattern it took hours, beyond every limit: the program has ended by then."""
    raw = "```json\n" * 200_000
    began = time.process_time()
    assert parse_output(raw, read_output(raw, PROCESS.log)) is None
    assert time.process_time() - began < 5


@pytest.mark.parametrize(("raw", "told"), [(f"{TEXT}\n{ACCOUNT}", ""), (TEXT, f"noise\n{ACCOUNT}\nmore")])
def test_what_a_program_tells_of_itself_below_its_text_or_on_stderr_is_read(raw: str, told: str) -> None:
    printed = read_output(raw, IFLOW.log, IFLOW.trailer, told)
    assert (printed.usage, printed.session) == (Usage(7, 3), "session-1")


def gemini_ends(models: Any) -> str:
    return json.dumps({"type": "result", "status": "success", "stats": {"models": models}})


MODELS: dict[str, tuple[Program, str, tuple[str | None, str | None]]] = {
    "gemini, which chose one by another": (
        GEMINI,
        json.dumps({"type": "init", "session_id": "s", "model": "auto"}) + "\n"
        + gemini_ends({"small": {"output_tokens": 5}, "large": {"output_tokens": 700}}),
        ("auto", "large"),
    ),
    "gemini, and nobody counted": (GEMINI, gemini_ends({"small": {"output_tokens": 0}}), (None, None)),
    "gemini, and a table that is none": (GEMINI, gemini_ends(["x", {"output_tokens": "7"}]), (None, None)),
    "claude, whose provider says another": (
        CLAUDE,
        json.dumps({"type": "system", "subtype": "init", "session_id": "s", "model": "sonnet"}) + "\n"
        + json.dumps({"type": "assistant", "message": {"model": "sonnet-2026", "content": []}}),
        ("sonnet", "sonnet-2026"),
    ),
    "codex, whose output names none": (CODEX, codex(TEXT), (None, None)),
}  # fmt: skip


@pytest.mark.parametrize("case", MODELS)
def test_the_model_that_was_asked_for_and_the_one_that_answered_are_told_apart(case: str) -> None:
    program, raw, wanted = MODELS[case]
    printed = read_output(raw, program.log)
    assert (printed.asked, printed.model) == wanted


ROLLOUT = "\n".join(
    json.dumps({"type": kind, "payload": payload})
    for kind, payload in (
        ("session_meta", {"cli_version": "9.9.9"}),
        ("turn_context", {"model": "gpt-old"}),
        ("response_item", {"type": "turn_context", "model": "gpt-forged"}),
        ("turn_context", {"model": "gpt-now"}),
    )
)


@pytest.mark.parametrize(
    ("session", "moved", "wanted"),
    [
        ("01-ab", False, ("gpt-now", "9.9.9")),
        ("01-ab", True, ("gpt-now", "9.9.9")),
        ("01-a*", False, (None, None)),
        ("../01-ab", False, (None, None)),
        ("other", False, (None, None)),
        (None, False, (None, None)),
    ],
)
def test_what_codex_doesn_t_print_is_read_from_its_file_of_the_session(
    session: str | None, *, moved: bool, wanted: Any, tmp_path: Path
) -> None:
    assert CODEX.session_log is not None
    home = tmp_path / ("elsewhere" if moved else ".codex")
    folder = home / "sessions/2026/11/22"
    folder.mkdir(parents=True)
    (folder / "rollout-2026-11-22T18-57-01-ab.jsonl").write_text(ROLLOUT)
    environ = {"HOME": str(tmp_path), **({"CODEX_HOME": str(home)} if moved else {})}
    found = complete_from_session(ParsedOutput(session=session), CODEX.session_log, environ)
    assert (found.asked, found.version) == wanted
    assert found.model is None


def test_a_version_is_that_of_the_package_that_a_program_comes_in(tmp_path: Path) -> None:
    package = tmp_path / "node_modules/@a/b"
    (package / "dist/bundle").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "@a/b", "version": "1.2.3"}')
    (package / "dist/bundle/b.js").write_text("")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/b").symlink_to(package / "dist/bundle/b.js")
    assert read_packaged_version(str(tmp_path / "bin/b"), "@a/b") == "1.2.3"
    assert read_packaged_version(str(tmp_path / "bin/b"), "@a/c") is None
    assert read_packaged_version(None, "@a/b") is None
    (package / "package.json").write_text("{")
    assert read_packaged_version(str(tmp_path / "bin/b"), "@a/b") is None


@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda raw: raw.decode("utf-8", "replace")))
def test_no_output_breaks_the_parser(raw: str) -> None:
    for program in PROGRAMS.values():
        found = parse_output(raw, read_output(raw, program.log, program.trailer, raw))
        assert found is None or isinstance(found, dict)


def test_numbers_of_an_envelope_are_read_only_as_numbers() -> None:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5}
    printed = read_output(claude(usage=usage, total_cost_usd=0.25), CLAUDE.log)
    assert (printed.usage, printed.cost_usd, printed.session) == (Usage(7, 5), 0.25, "s")
    hostile = {"input_tokens": -9, "output_tokens": True}
    printed = read_output(claude(usage=hostile, total_cost_usd=-1, session_id=7), CLAUDE.log)
    assert (printed.usage, printed.cost_usd, printed.session) == (None, None, None)


def test_a_run_folder_that_can_t_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ExecutionError):
        prepare_run_folder(tmp_path / "file" / "run", {})


def test_a_file_for_a_program_without_one_of_its_own() -> None:
    assert PROCESS.config_file == ConfigFile(".process/settings.json")
