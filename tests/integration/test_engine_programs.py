"""The real claude, codex and gemini each settle an open statement of a task, against local servers of their protocols.

Each call of a program takes one to eight seconds.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import npm_tools
import pytest
from release_tests import some_always
from scripted_models import (
    REFUSALS,
    Calls,
    Events,
    Protocol,
    Says,
    Script,
    Step,
    anthropic,
    google,
    refusing,
    responses,
    serving,
)

pytestmark = pytest.mark.slow

PATCH = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+answer = 42\n"
ARTIFACTS = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json")}
TRUE = {"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}
KEY = "a-key-of-the-test-0123"


def answer(word: str) -> str:
    said = [{"question": "q1", "answer": word, "citations": [TRUE] if word != "abstain" else [], "why": "because"}]
    return json.dumps({"mark": "@@MARK@@", "answers": said})


@dataclass(frozen=True)
class Program:
    """A program, its provider's protocol, what the user sets for it, and the step by which its model answers."""

    name: str
    protocol: Protocol
    options: Mapping[str, Any]
    environ: Mapping[str, str]
    says: Callable[[str], Step]
    models: tuple[str, str | None]
    """What was asked for, and what answered, as the verdict names them."""

    @property
    def engine(self) -> str:
        return f"{self.name}-cli"


def _structured(text: str) -> Step:
    try:
        return Calls("StructuredOutput", json.loads(text))
    except ValueError:
        return Says(text)


PROVIDER = {"name": "scripted", "base_url": "@@ADDRESS@@/v1", "env_key": "SCRIPTED", "wire_api": "responses"}
PROGRAMS = (
    Program(
        "claude",
        anthropic,
        {"model": "claude-x"},
        {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "@@ADDRESS@@"},
        _structured,
        ("claude-x", "claude-x"),
    ),
    Program(
        "codex",
        responses,
        {
            "model": "gpt-5.5",
            "env_from": ["SCRIPTED"],
            "settings": {"model_provider": "scripted", "model_providers": {"scripted": PROVIDER}},
        },
        {"SCRIPTED": KEY},
        Says,
        ("gpt-5.5", None),
    ),
    Program(
        "gemini",
        google,
        {"settings": {"security": {"auth": {"selectedType": "gemini-api-key"}}}},
        {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "@@ADDRESS@@"},
        lambda text: Says(f"This is what I found.\n```json\n{text}\n```\n"),
        ("auto", "gemini-3.8-flash"),
    ),
)


def marked(protocol: Protocol) -> Protocol:
    """The protocol, with the mark of the prompt that it is asked where an answer says @@MARK@@."""

    def answered(path: str, body: Any, script: Script) -> Events | Any:
        found = re.findall(r"The mark of the fences is ([0-9a-f]{32})", json.dumps(body))
        told = protocol(path, body, script)
        text = json.dumps(told).replace("@@MARK@@", found[-1] if found else "none")
        events = json.loads(text)
        return [tuple(event) for event in events] if isinstance(told, list) else events

    return answered


def verify(repository: gr.GatedRepository, program: Program, address: str, *arguments: str, **options: Any) -> Any:
    told = {"command": list(npm_tools.agent_program(program.name)), **program.options, **options}
    file = repository.home / "engines.json"
    file.write_text(json.dumps({program.engine: told}).replace("@@ADDRESS@@", address))
    environ = {name: value.replace("@@ADDRESS@@", address) for name, value in program.environ.items()}
    return repository.verify("T1", *arguments, GATE_ENGINES=str(file), **environ)


def open_task(folder: Path, program: Program, patch: str = PATCH, **more: Any) -> gr.GatedRepository:
    verifier = {"engine": program.engine, "timeout_s": 120, "max_tokens": 900_000, **more}
    rules = {"tests_pass": True, "verifier": verifier}
    found = gr.make(folder, {**ARTIFACTS, "diffs.patch": patch}, rules)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py", statements=["The error message is friendlier"])
    return found


def steps(program: Program, *words: str) -> Sequence[Step]:
    return [program.says(answer(word) if word in {"supported", "refuted", "abstain"} else word) for word in words]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_settles_a_statement_and_goes_on_with_its_session_if_the_profile_asks(
    program: Program, tmp_path: Path
) -> None:
    repository = open_task(tmp_path, program, session=True)
    own = {
        ".codex/config.toml": '# mine\nmodel_verbosity = "low"\n',
        ".gemini/trustedFolders.json": '{\n  // mine\n  "/x": "TRUST_FOLDER"\n}\n',
    }
    for path, content in own.items():
        (repository.home / path).parent.mkdir(exist_ok=True)
        (repository.home / path).write_text(content)
    with serving(marked(program.protocol), steps(program, "supported", "refuted")) as (address, script):
        done = verify(repository, program, address, "--watch")
        assert done.code == 0, done.output
        verdict = repository.verdict()
        assert (verdict["status"], verdict["decided_by"]) == ("pass", "verifier"), done.output
        told = verdict["verifier"]
        assert (told["engine"], told["calls"], told["problem"]) == (program.engine, 1, None)
        assert told["usage"]["inputTokens"] >= 1
        assert (told["model"], told["model_version"]) == program.models
        assert re.fullmatch(rf"{program.engine} \d+\.\d+\.\d+", told["engine_version"]), told
        assert ("doesn't report which model answered" in done.out) is (told["model_version"] is None)
        assert (told["cost_usd"] is not None) == (program.name == "claude")
        assert (told["temperature"], told["seed"]) == ("not settable", "not settable")
        (call,) = repository.published("verifier/record.json")["calls"]
        assert (call["temperature"], call["prompt"]["source"]) == ("not settable", "sent")
        assert call["prompt"]["system_prompt"] is (program.name == "claude")
        first = call["session"]["id"]
        assert first
        used = told["usage"]
        assert f"{program.engine} usage" in done.err, done.output

        again = verify(repository, program, address)
        assert again.code == 1, again.output
        (call,) = repository.published("verifier/record.json")["calls"]
        assert call["session"] == {"id": first, "shown_as": first[:8], "resumed": first}
        # Each call costs the same here: codex would report the total of the session.
        assert call["usage"] == used
        # What was said in the first run comes before the new question.
        assert len(script.requests) == 2
        assert json.dumps(script.requests[1]).count("The mark of the fences is") == 2
    for path, content in own.items():
        assert (repository.home / path).read_text() == content
    assert not list(repository.home.rglob("*verigate-lock"))
    for file in (repository.root / ".artifacts").rglob("*"):
        assert file.is_dir() or KEY not in file.read_text(errors="replace"), file
    assert not list(repository.root.glob(".claude*")) + list(repository.root.glob(".gemini*"))


@pytest.mark.release
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_path_that_is_written_into_a_change_attaches_no_file(program: Program, tmp_path: Path) -> None:
    """Claude attaches any file of the user behind an at sign, Gemini those in the run folder: outside of all fences."""
    (tmp_path / "key.txt").write_text("WOMBAT-1234")
    paths = (str(tmp_path / "key.txt"), f'"{tmp_path}/key.txt"', "~/key.txt", "logs/prompt.txt", "logs", ".")
    told = [f"{before}@{path}" for path in paths for before in ("", "\\", "\\\\", "(", "see ")]
    added = "".join(f"+{line}\n" for line in ("answer = 42", *told))
    head = PATCH.partition("@@")[0]
    repository = open_task(tmp_path / "task", program, f"{head}@@ -0,0 +1,{len(told) + 1} @@\n{added}")
    (repository.home / "key.txt").write_text("WOMBAT-5678")
    with serving(marked(program.protocol), steps(program, "supported")) as (address, script):
        done = verify(repository, program, address)
    assert done.code == 0, done.output
    sent = json.dumps(script.requests)
    assert "WOMBAT" not in sent
    assert sent.count("The mark of the fences is") == 1


@pytest.mark.release
def test_codex_s_own_default_is_recorded_as_what_was_asked_for(tmp_path: Path) -> None:
    """Neither the profile nor the user names a model, and its output doesn't either: its file of the session does."""
    program = PROGRAMS[1]
    repository = open_task(tmp_path, program)
    with serving(marked(program.protocol), steps(program, "supported")) as (address, script):
        done = verify(repository, program, address, model=None)
    assert done.code == 0, done.output
    told = repository.verdict()["verifier"]
    assert (told["model"], told["model_version"]) == (script.requests[0]["model"], None)


@pytest.mark.release
@pytest.mark.parametrize("program", PROGRAMS[:2], ids=lambda program: program.name)
def test_an_answer_that_is_none_is_asked_for_once_more_and_then_left(program: Program, tmp_path: Path) -> None:
    repository = open_task(tmp_path, program)
    plain = Says("All is well, believe me.")
    with serving(marked(program.protocol), [plain] * 8) as (address, _):
        done = verify(repository, program, address)
    assert done.code == 4, done.output
    verdict = repository.verdict()
    assert verdict["status"] == "inconclusive"
    assert verdict["verifier"]["problem"]["code"] in {"unreadable_answer", "engine_failed"}, verdict["verifier"]


REFUSED = {
    ("claude", 401, "authentication_error", "invalid x-api-key"): "not_permitted",
    ("codex", 401, "invalid_api_key", "Incorrect API key provided"): "not_permitted",
    ("gemini", 401, "UNAUTHENTICATED", "API key not valid"): "not_permitted",
    ("claude", 429, "rate_limit_error", "You have exceeded your quota"): "rate_limited",
    ("codex", 429, "insufficient_quota", "You exceeded your current quota"): "rate_limited",
    ("gemini", 429, "RESOURCE_EXHAUSTED", "Quota exceeded"): "rate_limited",
    ("claude", 404, "not_found_error", "model: claude-x"): "model_not_found",
    ("codex", 404, "model_not_found", "The model gpt-5.5 does not exist"): "model_not_found",
    ("gemini", 404, "NOT_FOUND", "models/x is not found"): "model_not_found",
}


@pytest.mark.parametrize("case", some_always(REFUSED, lambda case: f"{case[0]}-{case[1]}"))
def test_what_the_provider_refuses_has_its_name_long_before_the_time_is_over(
    case: tuple[str, int, str, str], tmp_path: Path
) -> None:
    name, status, kind, text = case
    program = next(program for program in PROGRAMS if program.name == name)
    repository = open_task(tmp_path, program, timeout_s=600)
    began = time.monotonic()
    with refusing(status, REFUSALS[name](status, kind, text)) as address:
        done = verify(repository, program, address)
    assert done.code == 4, done.output
    problem = repository.verdict()["verifier"]["problem"]
    assert (problem["code"], bool(problem["hint"])) == (REFUSED[case], True), problem
    # Claude tries a refused key for three minutes, Gemini a limit for ten.
    assert time.monotonic() - began < 120


@pytest.mark.release
def test_a_run_folder_that_is_not_trusted_has_its_name(tmp_path: Path) -> None:
    """The real gemini, whose entry somebody takes out again before it reads it."""
    program = PROGRAMS[2]
    repository = open_task(tmp_path, program)
    (repository.home / ".gemini").mkdir()
    (repository.home / ".gemini/settings.json").write_text(json.dumps(program.options["settings"]))
    command = " ".join(npm_tools.agent_program("gemini"))
    script = f'echo "{{}}" > "$HOME/.gemini/trustedFolders.json"; exec {command} "$@"'
    with serving(marked(program.protocol), steps(program, "supported")) as (address, _):
        done = verify(repository, program, address, command=["sh", "-c", script, "sh"])
    assert done.code == 4, done.output
    problem = repository.verdict()["verifier"]["problem"]
    assert problem["code"] == "untrusted_folder", problem


@pytest.mark.release
def test_a_provider_that_is_slow_is_a_timeout_and_the_program_is_ended(tmp_path: Path) -> None:
    program = PROGRAMS[1]
    repository = open_task(tmp_path, program)
    ended = threading.Event()

    def stuck(path: str, body: Any, script: Script) -> Events | Any:
        told = responses(path, body, script)
        ended.wait(20)
        return told

    with serving(stuck, steps(program, "supported")) as (address, script):
        done = verify(repository, program, address, timeout_s=3)
        asked = len(script.requests)
        ended.set()
    assert done.code == 4, done.output
    assert asked == 1
    assert repository.verdict()["verifier"]["problem"]["code"] == "timeout"
    assert sorted(path.name for path in (repository.home / ".codex").glob("*config.toml*")) == []


@pytest.mark.release
@pytest.mark.parametrize("program", some_always(PROGRAMS, lambda program: program.name, one_in=3))
def test_without_the_profile_s_word_each_verify_stands_alone(program: Program, tmp_path: Path) -> None:
    repository = open_task(tmp_path, program)
    with serving(marked(program.protocol), steps(program, "supported", "refuted")) as (address, script):
        assert [verify(repository, program, address).code for _ in range(2)] == [0, 1]
    assert [json.dumps(body).count("The mark of the fences is") for body in script.requests] == [1, 1]
    (call,) = repository.published("verifier/record.json")["calls"]
    assert call["session"]["resumed"] is None


def test_a_session_of_a_provider_that_is_gone_starts_anew(tmp_path: Path) -> None:
    """The real codex refuses to resume it with words that no list of unknown sessions holds."""
    program = PROGRAMS[1]
    repository = open_task(tmp_path, program, session=True)
    with serving(marked(program.protocol), steps(program, "supported", "refuted", "supported")) as (address, script):
        for name, code in (("one", 0), ("two", 1)):
            settings = {"model_provider": name, "model_providers": {name: {**PROVIDER, "name": name}}}
            assert verify(repository, program, address, settings=settings).code == code
        (rollout, *_) = sorted((repository.home / ".codex/sessions").rglob("*.jsonl"), reverse=True)
        rollout.write_text("{broken\n")
        assert verify(repository, program, address, settings=settings).code == 0
    assert len(script.requests) == 3


@pytest.mark.release
def test_a_session_that_the_program_does_not_know_is_dropped_and_asked_anew(tmp_path: Path) -> None:
    program = PROGRAMS[1]
    repository = open_task(tmp_path, program, session=True)
    with serving(marked(program.protocol), steps(program, "supported", "refuted")) as (address, script):
        assert verify(repository, program, address).code == 0
        (session,) = (repository.home / ".local/state/verigate/engines").rglob("codex_cli.session.json")
        session.write_text('{"sessionId": "01a20426-bc9f-7c62-9447-5d69a79bc9bd"}')
        again = verify(repository, program, address)
        assert again.code == 1, again.output
        assert json.dumps(script.requests[1]).count("The mark of the fences is") == 1
    assert "01a20426" not in session.read_text()


@pytest.mark.release
@pytest.mark.parametrize("program", some_always(PROGRAMS, lambda program: program.name, one_in=3))
def test_a_skill_reaches_the_model(program: Program, tmp_path: Path) -> None:
    repository = open_task(tmp_path, program)
    skill = tmp_path / "judge"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: judge\ndescription: Looks for wombats.\n---\n\nLook closely.\n")
    with serving(marked(program.protocol), steps(program, "supported")) as (address, script):
        done = verify(repository, program, address, skill=str(skill))
        assert done.code == 0, done.output
        assert "Looks for wombats." in json.dumps(script.requests[0])
    (call,) = repository.published("verifier/record.json")["calls"]
    kept = [call["prompt"], *call["files"]]
    texts = "".join((repository.root / ".artifacts/T1" / entry["path"]).read_text() for entry in kept)
    assert "Look closely." in texts
    assert call["skill"]["id"] == "judge"
    assert len(call["skill"]["sha256"]) == 64
    assert (skill / "SKILL.md").read_text().endswith("Look closely.\n")


def test_settings_of_the_run_folder_count_only_where_it_is_trusted(tmp_path: Path) -> None:
    """Without its entry gemini ignores them, and says that it doesn't know how to log in."""
    program = PROGRAMS[2]
    repository = open_task(tmp_path, program)
    (repository.home / ".gemini").mkdir()
    (repository.home / ".gemini/trustedFolders.json").write_text("[]")
    with serving(marked(program.protocol), steps(program, "supported")) as (address, script):
        done = verify(repository, program, address)
        assert done.code == 4, done.output
        assert script.requests == []
    problem = repository.verdict()["verifier"]["problem"]
    assert (problem["code"], "trustedFolders.json" in problem["message"]) == ("not_started", True)
    assert (repository.home / ".gemini/trustedFolders.json").read_text() == "[]"


@pytest.mark.release
@pytest.mark.parametrize("program", PROGRAMS[:2], ids=lambda program: program.name)
def test_the_real_programs_tell_the_doctor_whether_they_are_logged_in(program: Program, tmp_path: Path) -> None:
    repository = gr.make(tmp_path, ARTIFACTS, {"tests_pass": True})
    file = repository.home / "engines.json"
    file.write_text(json.dumps({program.engine: {"command": list(npm_tools.agent_program(program.name))}}))
    (repository.home / ".codex").mkdir()
    levels = []
    for key in ("", KEY):
        if key:
            (repository.home / ".codex/auth.json").write_text(json.dumps({"OPENAI_API_KEY": key}))
        done = repository.gate("doctor", program.engine, "--json", GATE_ENGINES=str(file), ANTHROPIC_API_KEY=key)
        levels += [check["level"] for check in done.json["checks"] if check["code"] == "login"]
        assert KEY not in done.output
    assert levels == ["warn", "info"]
