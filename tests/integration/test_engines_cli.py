"""Engines by the command line: a program of one's own settles a statement, and what can be looked at before that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from chat_server import KEY, MARK, Says, chat_server

PATCH = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+answer = 42\n"
ARTIFACTS = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json")}
MODEL = """\
import json, os, re, sys
prompt = sys.stdin.read()
mark = re.search("The mark of the fences is ([0-9a-f]{32})", prompt).group(1)
cited = [{"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}]
said = [{"question": "q1", "answer": os.environ.get("WORD", "supported"), "citations": cited, "why": "so"}]
print("I looked, and this is it:\\n```json\\n" + json.dumps({"mark": mark, "answers": said}) + "\\n```")
"""


def open_task(
    folder: Path, engine: str = "process", statements: tuple[str, ...] = ("It is friendlier",)
) -> gr.GatedRepository:
    rules = {"tests_pass": True, "verifier": {"engine": engine}}
    found = gr.make(folder, {**ARTIFACTS, "diffs.patch": PATCH}, rules)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py", statements=list(statements))
    return found


def options(repository: gr.GatedRepository, document: Any) -> dict[str, str]:
    file = repository.home / "engines.json"
    file.write_text(json.dumps(document))
    return {"GATE_ENGINES": str(file)}


def own_model(repository: gr.GatedRepository, script: str = MODEL, **more: Any) -> dict[str, str]:
    program = repository.home / "model.py"
    program.write_text(script)
    return options(repository, {"process": {"command": [sys.executable, str(program)], "env_from": ["WORD"], **more}})


@pytest.mark.parametrize(
    ("word", "code", "status"), [("supported", 0, "pass"), ("refuted", 1, "fail"), ("abstain", 4, "inconclusive")]
)
def test_any_command_settles_a_statement(word: str, code: int, status: str, tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    done = repository.verify(WORD=word, **own_model(repository))
    assert done.code == code, done.output
    verdict = repository.verdict()
    assert (verdict["status"], verdict["verifier"]["engine"]) == (status, "process")
    assert repository.gate("replay", "T1").code == code


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_on_this_machine_settles_a_statement(stream: bool, tmp_path: Path) -> None:
    """The engine http, against a local server of the chat API that wants a key: no vendor is asked."""
    cited = [{"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}]
    said = [{"question": "q1", "answer": "supported", "citations": cited, "why": "so"}]
    repository = open_task(tmp_path, "http")
    with chat_server(Says(json.dumps({"mark": MARK, "answers": said})), key=KEY) as server:
        told = {"base_url": server.url, "key_from": "LOCAL_MODEL", "stream": stream}
        done = repository.verify("T1", "--watch", LOCAL_MODEL=KEY, **options(repository, {"http": told}))
    assert done.code == 0, done.output
    verifier = repository.verdict()["verifier"]
    assert (verifier["engine"], verifier["model"], verifier["model_version"]) == ("http", "tiny-1", "tiny-1-instruct")
    assert (verifier["usage"], verifier["temperature"]) == ({"inputTokens": 100, "outputTokens": 20}, 0.0)
    assert repository.gate("replay", "T1").code == 0
    everything = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in content for content in everything)
    assert KEY not in done.output


def test_options_are_set_for_one_run_and_the_verdict_says_so(tmp_path: Path) -> None:
    repository = open_task(tmp_path, "http")
    with chat_server(Says("no document")) as server:
        told = options(
            repository, {"http": {"base_url": server.url, "model": "mine", "settings": {"top_k": 1, "a": 2}}}
        )
        words = ("model=another", "settings.top_k=7", "settings.a=null", "timeout_s=30")
        done = repository.verify("T1", *(part for word in words for part in ("--engine-set", word)), **told)
        assert done.code == 4, done.output
        body = server.asked[0].body
        assert (body["model"], body["top_k"], "a" in body) == ("another", 7, False)
        verifier = repository.verdict()["verifier"]
        assert verifier["engine_set"] == {"model": "another", "settings.top_k": 7, "settings.a": None, "timeout_s": 30}
        assert verifier["model"] == "another"
        assert "http another (tiny-1-instruct) with model, settings.a" in " ".join(done.out.split())
        assert repository.gate("replay", "T1").code == 4
        repository.verify(**told)
        assert server.asked[-1].body["model"] == "mine"
        assert "engine_set" not in repository.verdict()["verifier"]
        asked = len(server.asked)
        for word in (
            "command=true",
            "base_url=http://127.0.0.1:9/v1",
            "key_from=HOME",
            "settings=1",
            "model",
            "env_from=[]",
        ):
            refused = repository.verify("T1", "--engine-set", word, **told)
            assert (refused.code, "--engine-set" in refused.err) == (2, True), refused.output
        assert len(server.asked) == asked


ENDS = {
    "a crash": ("import sys; sys.exit('boom')", "engine_failed", "boom"),
    "a kill": (f"{MODEL}\nimport os, sys; sys.stdout.flush(); os.kill(os.getpid(), 9)", "killed", "SIGKILL"),
    "prose": ("print('It is fine.')", "unreadable_answer", "JSON"),
    "50 MB": (f"{MODEL}\nprint(' ' * 50_000_000 + 'garbage')", "engine_failed", "more than 16 MiB"),
    "a bare answer, 5 MB long": (
        MODEL.replace("I looked, and this is it:\\n```json\\n", "").replace(
            '"\\n```")', '" " * 5_000_000 + "garbage")'
        ),
        "unreadable_answer",
        "JSON",
    ),
    "opening fences": ("print('```json\\n' * 200_000)", "unreadable_answer", "JSON"),
    "silence": ("import time; time.sleep(60)", "timeout", "in time"),
}


@pytest.mark.release
@pytest.mark.parametrize("case", ENDS)
def test_what_a_command_does_wrong_leaves_the_verdict_open(case: str, tmp_path: Path) -> None:
    script, name, told = ENDS[case]
    repository = open_task(tmp_path)
    done = repository.verify(**own_model(repository, script, silence_s=1 if case == "silence" else 50))
    assert done.code == 4, done.output
    problem = repository.verdict()["verifier"]["problem"]
    assert (problem["code"], told in problem["message"]) == (name, True), problem


def test_what_is_missing_is_on_screen_with_a_hint(tmp_path: Path) -> None:
    repository = open_task(tmp_path, "codex-cli")
    done = repository.verify(**options(repository, {"codex-cli": {"command": ["/no/codex"]}}))
    assert done.code == 4, done.output
    assert "missing_program" in done.output
    assert "npm install -g @openai/codex" in " ".join(done.output.split())


def test_a_repository_brings_neither_an_engine_nor_its_options(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    theirs = {"type": "process", "label": "Theirs", "command": ["true"]}
    for place in (".config/verigate", ".verigate", "."):
        repository.put(f"{place}/engines.json", {"process": {"command": ["true"]}})
        manifest = {"kind": "engine", "name": "x", "version": "1", "engine": theirs}
        repository.put(f"{place}/engines/x/manifest.json", manifest)
    repository.verify()
    assert repository.verdict()["verifier"]["problem"]["code"] == "no_command"


def test_watching_shows_what_the_engine_says(tmp_path: Path) -> None:
    repository = open_task(tmp_path, "parrot")
    place = repository.home / ".config/verigate/engines/parrot"
    place.mkdir(parents=True)
    log = [{"kind": "tool_call", "prefix": "[tool] "}]
    program = {"type": "parrot", "label": "P", "command": ["sh", "-c", "echo '[tool] look \x1b[2J'"], "log": log}
    (place / "manifest.json").write_text(json.dumps({"kind": "engine", "name": "p", "version": "1", "engine": program}))
    assert "parrot tool_call: look \\x1b[2J" in repository.verify("T1", "--watch").err
    assert "tool_call" not in repository.verify().err


def test_watching_shows_the_lines_of_an_engine_that_answers_in_text(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    done = repository.verify("T1", "--watch", **own_model(repository))
    assert "process message: I looked, and this is it:" in done.err


def test_what_was_started_is_shown_and_recorded(tmp_path: Path) -> None:
    """Command and source of the key, the session and its name for people; never the key."""
    repository = open_task(tmp_path, "talker")
    place = repository.home / ".config/verigate/engines/talker"
    place.mkdir(parents=True)
    program = {
        "type": "talker", "label": "T", "command": ["sh", "-c", "echo '{\"t\": \"s\", \"id\": \"0123456789\"}'", "sh"],
        "capabilities": {"session_resume": True}, "credentials": ["TALKER_KEY"], "environment": ["TALKER_KEY"],
        "version": [], "log": [{"kind": "session", "when": {"/t": "s"}, "fields": {"session": ["/id"]}}],
    }  # fmt: skip
    (place / "manifest.json").write_text(json.dumps({"kind": "engine", "name": "t", "version": "1", "engine": program}))
    done = repository.verify("T1", "--watch", TALKER_KEY=KEY)
    assert "talker session: starts sh -c" in done.err
    assert "credentials from TALKER_KEY" in done.err
    call = repository.published("verifier/record.json")["calls"][0]
    assert call["invocation"]["command"] == "sh"
    assert call["invocation"]["notes"] == ["credentials from TALKER_KEY"]
    assert call["session"] == {"id": "0123456789", "shown_as": "01234567", "resumed": None}
    assert KEY not in done.output + json.dumps(call)


@pytest.mark.release
def test_an_engine_in_the_place_of_one_that_ships_is_told_of_wherever_it_counts(tmp_path: Path) -> None:
    repository = open_task(tmp_path, "codex-cli")
    place = repository.home / ".config/verigate/engines/mine"
    place.mkdir(parents=True)
    (place / "model.py").write_text(MODEL)
    program = {"type": "codex_cli", "label": "Mine", "command": [sys.executable, str(place / "model.py")]}
    (place / "manifest.json").write_text(
        json.dumps({"kind": "engine", "name": "mine", "version": "1", "engine": program})
    )
    done = repository.verify()
    assert done.code == 0, done.output
    told = "codex-cli (a folder's, in place of the one that ships)"
    assert told in " ".join(done.out.split())
    verifier = repository.verdict()["verifier"]
    assert (verifier["engine_origin"], verifier["engine_overrides"]) == ("folder", ["built-in"])
    assert repository.published("verifier/record.json")["engine_origin"]["where"] == str(place)
    assert told in " ".join(repository.gate("show", "T1").out.split())
    doctor = repository.gate("doctor", "codex-cli", "--json")
    (origin,) = [check for check in doctor.json["checks"] if check["code"] == "origin"]
    assert (origin["level"], origin["detail"]) == ("warn", str(place))
    assert any("in place of the one" in text for _, _, text in engine_checks(repository.gate("doctor", "--json")))


def test_the_listing_shows_engines_with_flags_and_what_is_derived(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    listed = {entry["type"]: entry for entry in json.loads(repository.gate("adapters", "--json").out)["engines"]}
    assert set(listed) == {"claude_cli", "codex_cli", "gemini_api", "gemini_cli", "http", "iflow_cli", "process"}
    assert listed["gemini_cli"]["capabilities"] == {
        "json_output": True, "response_schema": False, "session_resume": True, "cost_reporting": False,
        "trust_folder": True, "supportsLocalAgentJwt": False, "supportsInstructionsBundle": True,
        "instructionsPathKey": "instructionsFilePath", "requiresMaterializedRuntimeSkills": False,
        "supportsSkills": True,
    }  # fmt: skip
    place = repository.home / ".config/verigate/engines/x"
    place.mkdir(parents=True)
    program = {"type": "process", "label": "Mine", "command": ["true"]}
    (place / "manifest.json").write_text(json.dumps({"kind": "engine", "name": "x", "version": "1", "engine": program}))
    (place.parent / "bad").mkdir()
    (place.parent / "bad/manifest.json").write_text('{"kind": "engine"}')
    shown = repository.gate("adapters", COLUMNS="200").out
    rows = {line.split()[0]: " ".join(line.split()) for line in shown.splitlines() if line.strip()}
    assert rows["claude-cli"].startswith("claude-cli Claude Code (local) built-in json_output, response_schema")
    assert rows["process"] == "process Mine folder, in place of another supportsSkills"
    assert f"warning: engine {place.parent}/bad" in " ".join(shown.split())


def test_the_doctor_looks_at_one_engine_or_one_adapter(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    environ = own_model(repository)
    done = repository.gate("doctor", "process", "--json", **environ)
    assert done.code == 0, done.output
    document = json.loads(done.out)
    assert (document["adapterType"], document["status"]) == ("process", "pass")
    assert document["testedAt"].endswith("Z")
    done = repository.gate("doctor", "process")
    assert done.code == 3, done.output
    assert "try: set command in its options" in done.out
    adapter = repository.gate("doctor", "code", "--json")
    assert json.loads(adapter.out)["status"] in {"pass", "warn"}, adapter.output
    unknown = repository.gate("doctor", "proces")
    assert (unknown.code, "did you mean 'process'" in unknown.err) == (2, True), unknown.output


def test_what_a_killed_run_left_is_removed_by_a_command(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    root = repository.home / ".local/state/verigate/engines/verigate-engine-run-0123456789abcdef01234567"
    (root / "codex_cli").mkdir(parents=True)
    (root / ".held").touch()
    (repository.home / ".codex").mkdir()
    (repository.home / ".codex/config.toml").write_text(f'a = 1\n\n[projects."{root}/codex_cli"]\ntrust_level = "x"\n')
    shown = repository.gate("gc", "--dry-run", "--json")
    assert shown.code == 0, shown.output
    assert {item["kind"] for item in shown.json["leftovers"]} == {"run", "trust"}
    assert root.exists()
    done = repository.gate("gc")
    assert f"removed run: {root}" in done.out
    assert not root.exists()
    assert (repository.home / ".codex/config.toml").read_text() == "a = 1\n"
    assert repository.gate("gc").out == "nothing to remove\n"


def engine_checks(done: gr.Done) -> list[tuple[str, str, str]]:
    found = [check for check in done.json["checks"] if check["code"].startswith("engine")]
    return [(check["code"], check["level"], check["message"]) for check in found]


@pytest.mark.release
def test_the_doctor_looks_at_the_engines_that_profiles_name_and_asks_none(tmp_path: Path) -> None:
    """A program that isn't there and an engine that nobody knows are warnings: facts decide without them."""
    repository = gr.make(tmp_path, ARTIFACTS, {"tests_pass": True})
    assert engine_checks(repository.gate("doctor", "--json", "--all")) == [
        ("engines", "info", "no profile names an engine: no model is asked")
    ]
    program = repository.home / "model"
    program.write_text('#!/bin/sh\necho "$@" >> "$HOME/calls"\n')
    program.chmod(0o755)
    told = {"claude-cli": {"command": [str(program)]}, "codex-cli": {"command": ["/no/codex"]}}
    profiles = json.loads((repository.root / "config/verification.profiles.json").read_text())
    for number, engine in enumerate(("claude-cli", "codex-cli", "gemini-apj", "claude-cli")):
        profiles[f"own_{number}"] = {"extends": "code", "verifier": {"engine": engine, "model": "m"}}
    profiles["never"] = {"extends": "code", "verifier": {"engine": "iflow-cli", "when": "never"}}
    repository.put("config/verification.profiles.json", profiles)
    done = repository.gate("doctor", "--json", **options(repository, told))
    assert done.code == 0, done.output
    found = engine_checks(done)
    assert ("engine.claude-cli", "info", "the model is m") in found
    assert ("engine.codex-cli", "warn", "/no/codex is not on PATH; statements that no fact decides stay open") in found
    assert any(item[:2] == ("engine.gemini-apj", "warn") and "no engine is called" in item[2] for item in found)
    assert {code for code, _, _ in found} == {"engine.claude-cli", "engine.codex-cli", "engine.gemini-apj"}
    assert (repository.home / "calls").read_text() == "--version\nauth status\n"
    assert "try: npm install -g @openai/codex" in repository.gate("doctor", **options(repository, told)).out


def test_the_doctor_loads_no_llm_library_and_starts_nothing_of_the_repository(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, ARTIFACTS, {"tests_pass": True, "verifier": {"engine": "gemini-api"}})
    profiles = json.loads((repository.root / "config/verification.profiles.json").read_text())
    profiles["own"] = {"extends": "code", "verifier": {"engine": "claude-cli"}}
    repository.put("config/verification.profiles.json", profiles)
    place = repository.root / ".venv/bin"
    place.mkdir(parents=True)
    (place / "claude").write_text('#!/bin/sh\necho "$@" >> "$HOME/calls"\n')
    (place / "claude").chmod(0o755)
    program = (
        "import json, os, sys\nfrom pathlib import Path\nfrom verigate.composition import doctor\n"
        "for found in doctor.examine(Path.cwd(), os.environ, ['gate']):\n"
        "    print(found.level.value, found.code, found.message) if found.code.startswith('engine') else None\n"
        "print('LOADED', [name for name in sys.modules if name.startswith(('google', 'httpx2', 'httpx'))])\n"
    )
    env = repository.environ(PATH=f"{place}:{repository.environ()['PATH']}")
    argv = [sys.executable, "-I", "-c", program]
    done = subprocess.run(argv, cwd=repository.root, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("LOADED []\n"), done.stdout
    assert (
        "warn engine.gemini-api no key for the Gemini API is set; statements that no fact decides stay open"
        in done.stdout
    )
    assert "info engine.gemini-api google-genai 3." in done.stdout
    assert not (repository.home / "calls").exists()


def test_the_configuration_is_explained_layer_by_layer(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    environ = options(
        repository, {"codex-cli": {"settings": {"sandbox_mode": "danger-full-access", "x": 1, "api_key": "hunter2"}}}
    )
    done = repository.gate("config", "codex-cli", "--explain", **environ)
    assert done.code == 0, done.output
    assert '/sandbox_mode = "read-only"\n      system enforced (codex_cli), over user options' in done.out
    assert f"/x = 1\n      user options ({environ['GATE_ENGINES']} /codex-cli)" in done.out
    assert "hunter2" not in done.out
    (described,) = json.loads(repository.gate("config", "codex-cli", "--json", **environ).out)["engines"]
    assert described["file"] == ".codex/config.toml"
    assert repository.gate("config", "gemini-api").code == 2
    assert repository.gate("config").code == 0


def test_a_conclusive_task_imports_nothing_of_engines(tmp_path: Path) -> None:
    repository = open_task(tmp_path, statements=())
    program = (
        "import sys\nfrom verigate.cli import app\napp.run(sys.argv[1:])\n"
        "print('LOADED', [name for name in sys.modules if name.startswith(('verigate.verifier.', "
        "'verigate.usecases.engines', 'verigate.processes.engine', 'jinja2', 'tomlkit', 'asyncio'))])\n"
    )
    argv = [sys.executable, "-I", "-c", program, "verify", "T1", "--quiet"]
    done = subprocess.run(
        argv, cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("LOADED []\n"), done.stdout


# iFlow, whose package is not to be had: a program in its place that takes what is published of its command line.

IFLOW = """\
#!@@PYTHON@@ -I
import argparse, json, os, pathlib, re, sys
options = argparse.ArgumentParser(prog="iflow", exit_on_error=False)
options.add_argument("-p", "--prompt")
options.add_argument("-m", "--model")
options.add_argument("-v", "--version", action="version", version="0.5.19")
try:
    said = options.parse_args()
except argparse.ArgumentError as problem:
    sys.exit(f"Unknown arguments: {problem}")
if said.prompt is None or sys.stdin.isatty():
    sys.exit("nobody is at a terminal")
settings = {}
for folder in (os.environ["HOME"], "."):
    file = pathlib.Path(folder, ".iflow/settings.json")
    settings |= json.loads(file.read_text()) if file.is_file() else {}
if settings.get("selectedAuthType") != "openai-compatible" or not os.environ.get("IFLOW_API_KEY"):
    sys.exit("Please configure an auth method")
allowed = {"run_shell_command", "write_file"} - set(settings.get("excludeTools", ()))
if settings.get("coreTools") != [] or allowed or settings.get("mcpServers"):
    pathlib.Path(os.environ["HOME"], "tools-were-on").write_text("")
text = sys.stdin.read() + said.prompt
mark = re.search("The mark of the fences is ([0-9a-f]{32})", text).group(1)
cited = [{"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}]
answer = [{"question": "q1", "answer": os.environ["IFLOW_WORD"], "citations": cited, "why": str(said.model)}]
print(json.dumps({"mark": mark, "answers": answer}))
used = {"session-id": "session-1", "assistantRounds": 1, "tokenUsage": {"input": 70, "output": 30, "total": 100}}
account = ("<Execution Info>", json.dumps(used, indent=2), "</Execution Info>")
print("", *account, sep="\\n", file=sys.stderr if os.environ["IFLOW_ACCOUNT"] == "stderr" else sys.stdout)
"""


@pytest.mark.parametrize(("word", "account", "code"), [("supported", "stderr", 0), ("refuted", "stdout", 1)])
def test_iflow_s_published_command_line_settles_a_statement(word: str, account: str, code: int, tmp_path: Path) -> None:
    repository = open_task(tmp_path, "iflow-cli")
    folder = repository.home / "bin"
    folder.mkdir()
    (folder / "iflow").write_text(IFLOW.replace("@@PYTHON@@", sys.executable))
    (folder / "iflow").chmod(0o755)
    own = {"selectedAuthType": "openai-compatible", "coreTools": ["ShellTool"]}
    (repository.home / ".iflow").mkdir()
    (repository.home / ".iflow/settings.json").write_text(json.dumps(own))
    environ = options(
        repository, {"iflow-cli": {"model": "glm-5", "settings": {"mcpServers": {"a": {"command": "b"}}}}}
    )
    environ |= {"PATH": f"{folder}:{repository.environ()['PATH']}", "IFLOW_API_KEY": "key-of-the-test-0123456789"}
    done = repository.verify(IFLOW_WORD=word, IFLOW_ACCOUNT=account, **environ)
    assert done.code == code, done.output
    told = repository.verdict()["verifier"]
    assert (told["engine"], told["provider"], told["calls"], told["problem"]) == ("iflow-cli", "iflow", 1, None)
    assert (told["model"], told["model_version"]) == ("glm-5", None)
    assert told["usage"] == {"inputTokens": 70, "outputTokens": 30}
    assert "doesn't report which model answered" in done.out
    # Its own trust and settings are left alone.
    assert sorted(path.name for path in (repository.home / ".iflow").iterdir()) == ["settings.json"]
    assert json.loads((repository.home / ".iflow/settings.json").read_text()) == own
    assert repository.gate("replay", "T1").code == code
    environ.pop("IFLOW_API_KEY")
    assert repository.verify(IFLOW_WORD=word, IFLOW_ACCOUNT=account, **environ).code == 4
    assert "Please configure an auth method" in repository.verdict()["verifier"]["problem"]["message"]
    assert not (repository.home / "tools-were-on").exists()
