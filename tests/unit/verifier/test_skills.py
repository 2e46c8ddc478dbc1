"""What a skill declares: inputs and parameters with types and schemas, artifacts, the shape of its answer."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from engine_calls import REQUEST, TALKER, execute, services

from verigate.domain.engine import EngineSkill, ExecutionContext, ExecutionResult, RunArtifact
from verigate.errors import ExecutionError, UsageError
from verigate.verifier.lifecycle.artifacts import MissingArtifactError, collect_artifacts
from verigate.verifier.lifecycle.skill import find_own_skills, read_skill
from verigate.verifier.lifecycle.skill_keys import ArtifactKey, InvalidValueError
from verigate.verifier.managed_engine import ManagedEngine
from verigate.verifier.program import Program, SkillDelivery
from verigate.verifier.programs.engine import ProgramEngine

RUNNER: dict[str, Any] = {
    "prompt": "{{ input.count }} {{ input['data.json'] }} {{ parameter.level }} {{ parameter.note }} "
    "{{ parameter.prompt }}",
    "input": {
        "data.json": {"type": "file", "schema": {"type": "object", "required": ["rows"]}},
        "count": {"type": "integer", "schema": {"minimum": 1}, "description": "how many"},
    },
    "parameter": {
        "level": {"type": "string", "schema": {"enum": ["low", "high"]}, "default": "low"},
        "note": {"type": "string", "required": False},
    },
    "artifact": {"report.json": {"schema": {"type": "object", "required": ["a"]}}, "notes.md": {"required": False}},
    "output": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
}
WRITES = 'echo \'{"a": 1}\' > artifacts/report.json; cat >/dev/null; echo \'{"t": "m", "text": "{\\"a\\": \\"b\\"}"}\''


def make_skill(folder: Path, runner: Mapping[str, Any] = RUNNER, text: str = "# Look\n") -> Path:
    skill = folder / "look"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text(text)
    (skill / "assets/runner.json").write_text(json.dumps(runner))
    return skill


def run(folder: Path, script: str = WRITES, runner: Mapping[str, Any] = RUNNER, **more: Any) -> ExecutionResult:
    data = folder / "given.json"
    if not data.exists():
        data.write_text('{"rows": []}')
    wanted = {"inputs": {"data.json": str(data), "count": 2}, **more}
    return execute(folder, TALKER, script, skill=str(make_skill(folder, runner)), **wanted)


def test_a_skill_gets_its_inputs_and_parameters_and_gives_its_artifacts(tmp_path: Path) -> None:
    result = run(tmp_path, parameters={"level": "high"})
    assert not result.failed, result
    content = b'{"a": 1}\n'
    assert result.artifacts == (RunArtifact("report.json", len(content), hashlib.sha256(content).hexdigest()),)
    run_dir = tmp_path / "verigate-engine-run-x/talker"
    assert (run_dir / "logs/prompt.txt").read_text().endswith(
        f"2 {run_dir}/uploads/data.json high None the prompt"
    )  # fmt: skip
    assert result.document()["artifacts"][0]["path"] == "report.json"


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "no value": ({"inputs": {}}, "missing_input", "is missing"),
    "a value missing": ({"inputs": {"data.json": "@"}}, "missing_input", "'count' is missing"),
    "a value of another type": ({"inputs": {"data.json": "@", "count": "2"}}, "invalid_input", "'count'"),
    "a value out of bounds": ({"inputs": {"data.json": "@", "count": 0}}, "invalid_input", "'count'"),
    "a text in place of a file": ({"inputs": {"data.json": "rows", "count": 2}}, "missing_input", "data.json"),
    "a file that isn't as its schema says": ({"inputs": {"data.json": "bad", "count": 2}}, "invalid_input", "rows"),
    "a file that isn't JSON": ({"inputs": {"data.json": "text", "count": 2}}, "invalid_input", "not JSON"),
    "a parameter of another value": ({"parameters": {"level": "middle"}}, "invalid_input", "'level'"),
    "a parameter that isn't declared": ({"parameters": {"levle": "low"}}, "invalid_input", "'levle'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_isn_t_as_declared_is_refused_before_anybody_is_asked(case: str, tmp_path: Path) -> None:
    more, code, told = REFUSED[case]
    files = {"@": '{"rows": []}', "bad": '{"lines": []}', "text": "rows"}
    for name, text in files.items():
        (tmp_path / f"{name}.file").write_text(text)
    given = {name: str(tmp_path / f"{value}.file") if value in files else value for name, value in
             more.get("inputs", {}).items()}  # fmt: skip
    wanted = {**more, "inputs": given} if "inputs" in more else more
    result = run(tmp_path, "touch started; " + WRITES, **wanted)
    assert (result.error_code, told in (result.error_message or "")) == (code, True), result
    assert not (tmp_path / "verigate-engine-run-x/talker/started").exists()


ENDS: dict[str, tuple[str, str | None]] = {
    "as declared": (WRITES, None),
    "no artifact": (WRITES.replace("artifacts/report.json", "/dev/null"), "missing_artifact"),
    "an artifact that isn't as its schema says": (WRITES.replace('{"a": 1}', "{}"), "invalid_artifact"),
    "an artifact that isn't JSON": (WRITES.replace('{"a": 1}', "{"), "invalid_artifact"),
    "a link": (WRITES.replace("echo '{\"a\": 1}' >", "ln -s /etc/passwd"), "missing_artifact"),
    "an answer of another shape": (WRITES.replace('\\\"b\\\"', "3"), "invalid_output"),
    "no answer": (WRITES.replace("\"m\"", "\"x\""), "invalid_output"),
}  # fmt: skip


@pytest.mark.parametrize("case", ENDS)
def test_a_run_that_isn_t_as_declared_has_failed(case: str, tmp_path: Path) -> None:
    script, code = ENDS[case]
    result = run(tmp_path, script)
    assert (result.error_code, result.failed) == (code, code is not None), result


def test_artifacts_are_regular_files_by_path(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z", "b/a"):
        (tmp_path / name).write_text(name)
    (tmp_path / "c").symlink_to("z")
    (tmp_path / "d").symlink_to("b")
    os.mkfifo(tmp_path / "e")
    assert [artifact.path for artifact in collect_artifacts(tmp_path, {})] == ["z", "b/a"]
    with pytest.raises(MissingArtifactError):
        collect_artifacts(tmp_path, {"c": ArtifactKey()})
    assert len(collect_artifacts(tmp_path, {"x": ArtifactKey(required=False)})) == 2
    with pytest.raises(InvalidValueError):
        collect_artifacts(tmp_path, {"z": ArtifactKey(schema={"type": "object"})})


def test_a_flood_of_artifacts_is_an_error(tmp_path: Path) -> None:
    for number in range(1001):
        (tmp_path / str(number)).touch()
    with pytest.raises(ExecutionError, match="more than 1000"):
        collect_artifacts(tmp_path, {})


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a schema that is none": ({"input": {"x": {"type": "integer", "schema": {"type": 3}}}}, "/input/x/schema"),
    "a schema elsewhere": ({"output": {"$ref": "https://example.com/x"}}, "/output"),
    "an unknown type": ({"input": {"x": {"type": "date"}}}, "runner.json"),
    "an unknown member": ({"input": {"x": {"typ": "file"}}}, "runner.json"),
    "a parameter of the gate's": ({"parameter": {"model": {}}}, "runner.json"),
    "a parameter that is no word": ({"parameter": {"a-b": {}}}, "runner.json"),
    "an artifact elsewhere": ({"artifact": {"../x": {}}}, "runner.json"),
    "an artifact above": ({"artifact": {"a/../../x": {}}}, "runner.json"),
    "an absolute artifact": ({"artifact": {"/etc/x": {}}}, "runner.json"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_declaration_that_can_t_be_used_is_refused_where_it_stands(case: str, tmp_path: Path) -> None:
    runner, told = BAD[case]
    with pytest.raises(UsageError) as caught:
        read_skill(make_skill(tmp_path, runner))
    assert told in (caught.value.where or ""), caught.value.where


def test_an_input_that_is_a_text_is_a_file_as_before(tmp_path: Path) -> None:
    skill = read_skill(make_skill(tmp_path, {"input": {"rules.md": "what to look at"}}))
    assert (skill.files, skill.input["rules.md"].description) == ({"rules.md"}, "what to look at")


HEADS = {
    "---\nname: look\ndescription: Looks at\n  things\n---\n# Look\n": "Looks at things",
    "# Look\n---\ndescription: x\n---\n": "",
    "---\ndescription: [1]\n---\n": "",
    "---\n{{{\n---\n": "",
    "---\n": "",
}


@pytest.mark.parametrize("text", HEADS)
def test_a_skill_describes_itself_in_its_front_matter(text: str, tmp_path: Path) -> None:
    assert read_skill(make_skill(tmp_path, {}, text)).description == HEADS[text]


def test_skills_of_the_user_are_found_and_those_of_the_repository_are_not(tmp_path: Path) -> None:
    make_skill(tmp_path / ".config/verigate/skills")
    (tmp_path / ".config/verigate/skills/none").mkdir()
    home = {"HOME": str(tmp_path)}
    assert [folder.name for folder in find_own_skills(home, "/elsewhere")] == ["look"]
    assert find_own_skills(home, str(tmp_path)) == ()
    assert find_own_skills({}, None) == ()


@pytest.mark.parametrize(
    ("how", "delivery"),
    [
        (SkillDelivery(flag=("--skills", "{skills}"), variable="X"), "flag"),
        (SkillDelivery(global_folder="~/.x/skills", variable="X"), "global folder"),
        (SkillDelivery(variable="X"), "variable"),
        (SkillDelivery(), "prompt"),
    ],
)
def test_an_engine_lists_the_user_s_skills_and_how_each_reaches_it(
    how: SkillDelivery, delivery: str, tmp_path: Path
) -> None:
    folder = make_skill(tmp_path / "home/.config/verigate/skills", {}, "---\ndescription: Looks\n---\n")
    engine = ProgramEngine(Program("x", "X", command=("true",), skills=how), services(tmp_path))
    assert asyncio.run(engine.list_skills({})) == (EngineSkill("look", delivery, str(folder), "Looks"),)


def test_skills_are_synced_once_before_the_first_execution(tmp_path: Path) -> None:
    done: list[str] = []

    class Syncing(ProgramEngine):
        async def sync_skills(self, config: Mapping[str, Any]) -> None:
            done.append(f"sync {config['skill']}")

        async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
            done.append("execute")
            return await super().execute(ctx)

    skill = str(make_skill(tmp_path, {}))
    engine = ManagedEngine(Syncing(TALKER, services(tmp_path)), {"skill": skill, "command": ["true"]})
    for number in range(2):
        asyncio.run(engine.execute(ExecutionContext(f"r{number}", {}, REQUEST.context())))
    assert done == [f"sync {skill}", "execute", "execute"]
