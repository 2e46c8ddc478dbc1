"""Every command and flag on a real repository, as text and as JSON."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from sample_repository import SampleRepository

from verigate import __version__
from verigate.cli.app import COMMANDS, run
from verigate.execution.prefetch import Prefetched
from verigate.reporting.report import ADVISORY

RULES = {"tests_pass": True}
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
LYING = {**CODE, "tests.json": lf.BAD["tests.json"]}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A task of which everything can be verified."""
    return task(tmp_path)


def task(folder: Path, artifacts: Any = None, **more: Any) -> gr.GatedRepository:
    found = gr.make(folder, CODE if artifacts is None else artifacts, RULES, **more)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    return found


# The task: start, claim, verify, show, explain, list


def test_a_task_from_its_beginning_to_its_verdict(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, RULES, files={"other_config": ""})
    plan = json.loads((repository.root / "config/adapter-plan.json").read_text())
    head = repository.sample.git("rev-parse", "HEAD")
    started = repository.gate(
        "start", "T1", "--type", "facts", "--profile", "facts", "-m", "answer the question", "--file", "a.py",
        "--function", "foo", "--endpoint", "GET /x", "--directory", "src", "--url", "http://localhost",
        "--expected-total", "1", "--quality", "tests_min=5", "--quality", 'headings_required=["h1"]',
        "--base", "HEAD", "--json",
    )  # fmt: skip
    assert started.code == 0, started.output
    assert started.json["schema"] == "verigate:start.v1"
    commitment = repository.published("commitment.json")
    assert commitment == {
        "task_id": "T1",
        "type": "facts",
        "profile": "facts",
        "base": head,
        "user_instruction": "answer the question",
        "commitments": {
            "expected_total": 1,
            "scope": {
                "files": ["a.py"],
                "functions": ["foo"],
                "endpoints": ["GET /x"],
                "target_directory": "src",
                "target_url": "http://localhost",
            },
            "quality": {"tests_min": 5, "headings_required": ["h1"]},
        },
    }
    assert (repository.root / ".artifacts/current").read_text() == "T1\n"
    assert plan["facts"]["order"] == ["code:diff", "code:tests"]
    repository.put("a.py", "answer = 42\n")
    claimed = repository.gate("claim", "file:a.py", "--actor", "me", "--json")
    assert (claimed.code, claimed.json["schema"]) == (0, "verigate:claim-written.v1"), claimed.output
    claim = repository.published("claim.json")
    assert claim["actor"] == "me"
    assert claim["claim"] == {"type": "facts", "units_list": ["file:a.py"], "units_total": 1}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", claim["timestamp"])
    again = repository.gate("start", "T1")
    assert (again.code, "has a commitment already" in again.err) == (2, True)
    assert "to start it again, remove it first with `gate end --remove T1`" in " ".join(again.err.split())
    unverified = repository.gate("explain")
    assert (unverified.code, "not verified: T1 has no verdict" in unverified.err) == (3, True), unverified.output
    assert "try: run `gate verify T1`" in unverified.err


def test_start_makes_an_id_and_names_the_next_command(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, RULES)
    done = repository.gate("start", "--type", "facts")
    assert done.code == 0
    assert re.match(r"T_[0-9a-f]{8} started: \.artifacts/T_", done.out)
    assert "gate claim T_" in done.out


@pytest.mark.parametrize(
    ("arguments", "stdin", "body"),
    [
        (("--text", "- it is fast\n* it is safe\n\n"), "", {"statements": ["it is fast", "it is safe"]}),
        (("--text", "it is fast", "--text", "it is safe"), "", {"statements": ["it is fast", "it is safe"]}),
        (("--text", "-"), "from a pipe\n", {"statements": ["from a pipe"]}),
        (("--total", "3"), "", {"units_total": 3}),
        (("func:foo", "endpoint:GET /x"), "", {"units_list": ["func:foo", "endpoint:GET /x"], "units_total": 2}),
    ],
)
def test_claims_of_every_form(
    repository: gr.GatedRepository, arguments: tuple[str, ...], stdin: str, body: dict[str, Any]
) -> None:
    done = repository.gate("claim", "T1", *arguments, stdin=stdin)
    assert done.code == 0, done.output
    assert repository.published("claim.json")["claim"] == {"type": "facts", **body}


def test_a_rule_that_does_not_exist_is_refused_at_the_start(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, RULES)
    done = repository.gate("start", "T1", "--type", "facts", "--quality", "test_min=1", "--quality", "nosuch=1")
    assert done.code == 2, done.output
    assert "unknown key 'test_min'\n    try: did you mean 'tests_min'?" in done.err
    assert "unknown key 'nosuch'" in done.err
    assert not (repository.root / ".artifacts/T1").exists()


@pytest.mark.parametrize(
    ("document", "problems"),
    [
        (
            {"claim": {"unit_list": ["func:foo"]}},
            ("the key 'task_id' is missing", "unknown key 'unit_list'\n    try: did you mean 'units_list'?"),
        ),
        ({"task_id": "T1", "clam": {}}, ("the key 'claim' is missing", "did you mean 'claim'?")),
        (
            {"task_id": "T1", "claim": {"unitz": ["func:foo"]}},
            (
                "the claim is empty",
                "name what was done: units_list,",
                "unknown key 'unitz'\n    try: known: declared, sc",
            ),
        ),
        ({"task_id": "T1", "claim": {"summary": "Done"}}, ("the claim is empty",)),
    ],
)
def test_all_faults_of_a_file_with_a_claim_are_named_at_once(
    repository: gr.GatedRepository, document: dict[str, Any], problems: tuple[str, ...]
) -> None:
    before = repository.published("claim.json")
    file = repository.tmp / "claim.json"
    file.write_text(json.dumps(document))
    done = repository.gate("claim", "T1", "--file", str(file))
    assert done.code == 2, done.output
    assert all(problem in done.err for problem in problems), done.err
    assert repository.published("claim.json") == before


def test_an_unknown_key_of_a_claim_that_says_something_is_a_warning(repository: gr.GatedRepository) -> None:
    file = repository.tmp / "claim.json"
    file.write_text(json.dumps({"task_id": "T1", "claim": {"units_total": 0, "summry": "Nothing"}}))
    done = repository.gate("claim", "T1", "--file", str(file))
    assert done.code == 0, done.output
    assert "unknown key 'summry' (did you mean 'summary'?)" in done.err


@pytest.mark.parametrize(
    ("unit", "warning"),
    [
        ("srx/lib.rs", "srx/lib.rs: no such path in work or base; did you mean src/lib.rs?"),
        ("file:src/lip.rs", "file:src/lip.rs: no such path in work or base; did you mean src/lib.rs?"),
        ("file:gon.rs", "file:gon.rs: no such path in work or base; did you mean gone.rs?"),
        ("file:nowhere/x.toml", "file:nowhere/x.toml: no such path in work or base"),
        (
            "fix:test/test_lib.rs::parses",
            "fix:test/test_lib.rs::parses: no such path in work or base; did you mean tests/",
        ),
        ("file:src/lib.rs", ""),
        ("file:new.rs", ""),
        ("file:gone.rs", ""),
        ("gone", ""),
        ("example.org/geo.Midpoint", ""),
        ("fix:example.org/geo.TestMidpoint", ""),
        ("GET /srx/lib.rs", ""),
        ("func:srx/lib.rs", ""),
    ],
)
def test_a_claimed_path_that_is_nowhere_is_warned_about(tmp_path: Path, unit: str, warning: str) -> None:
    files = {"src/lib.rs": "", "gone.rs": "", "tests/test_lib.rs": ""}
    repository = gr.make(tmp_path, CODE, RULES, files=files)
    repository.begin()
    repository.sample.git("rm", "-q", "gone.rs")
    repository.put("new.rs", "")
    done = repository.gate("claim", "T1", unit)
    assert done.code == 0, done.output
    assert ("no such path" in done.err) is bool(warning), done.output
    assert f"warning: {warning}" in " ".join(done.err.split()) or not warning


def test_a_claim_from_a_file_and_what_is_refused(repository: gr.GatedRepository) -> None:
    file = repository.home / "claim.json"
    file.write_text(json.dumps({"task_id": "T1", "claimed": {"type": "facts", "units_list": ["file:a.py"]}}))
    assert repository.gate("claim", "T1", "--file", str(file)).code == 0
    assert "claimed" in repository.published("claim.json")
    before = (repository.root / ".artifacts/T1/claim.json").read_bytes()
    for refused, told in (
        (("T1",), "the claim is empty"),
        (("T1", "--text", " "), "the claim is empty"),
        (("T1", "file:a.py", "file:./a.py"), "already"),
        (("T1", "--file", str(file), "file:a.py"), "--file is the whole claim"),
        (("T1", "--file", "/nowhere"), "does not exist"),
        (("T7", "file:a.py"), "no commitment"),
    ):
        done = repository.gate("claim", *refused)
        assert (done.code, told in done.err) == (2, True), done.output
    file.write_text(json.dumps({"task_id": "T1", "claim": {"type": "facts", "results": {"tests_passed": 47}}}))
    done = repository.gate("claim", "T1", "--file", str(file))
    assert (done.code, "tests_passed" in done.err) == (2, True), done.output
    assert (repository.root / ".artifacts/T1/claim.json").read_bytes() == before


def test_verify_show_explain_and_list_tell_the_same(tmp_path: Path) -> None:
    repository = task(tmp_path, LYING)
    verified = repository.gate("verify", "T1")
    assert verified.code == 1
    assert verified.out.startswith("FAIL  T1")
    assert "TEST_FAIL" in verified.out
    assert "took" in verified.out
    assert "code:tests" in verified.err, "a progress line per capability"
    as_json = repository.gate("verify", "T1", "--format", "json")
    assert (as_json.code, as_json.json["schema"]) == (1, "verigate:verdict.v1")
    assert repository.gate("verify", "T1", "--json", "-q").json["status"] == "fail"
    shown = repository.gate("show", "T1", "--json")
    assert shown.code == 0
    document = shown.json
    commands = {check["id"]: check.pop("reproduce") for check in document["checks"] if "reproduce" in check}
    assert commands == {"code.tests_pass": ["gate explain T1 code.tests_pass", "gate verify T1 --only code:tests"]}
    assert document == repository.verdict()
    text = repository.gate("show", "T1")
    assert (text.code, "FAIL  T1" in text.out) == (0, True)
    assert len(repository.gate("show", "T1", "-v").out) > len(text.out)
    current = repository.put(".artifacts/current", "T1\n")
    unnamed = repository.gate("show")
    current.unlink()
    assert unnamed.out == text.out
    finished = repository.verdict()["metadata"]["finished"]
    assert f"no task is named; this is T1, verified {finished}" in unnamed.err
    for name in ("tests_pass", "code.tests_pass"):
        explained = repository.gate("explain", "T1", name)
        assert explained.code == 0, explained.output
        for part in ("code.tests_pass", "expected", "actual", "tests.json", "t::one", "gate verify T1"):
            assert part in explained.out, (part, explained.out)
    document = repository.gate("explain", "T1", "--json").json
    assert document["schema"] == "verigate:explanation.v1"
    assert [check["id"] for check in document["checks"]] == ["code.tests_pass"]
    assert document["checks"][0]["reproduce"]
    slip = repository.gate("explain", "TEST_FIAL")
    assert slip.code == 2
    assert "TEST_FIAL is no task" in slip.err
    assert "did you mean 'TEST_FAIL'?" in slip.err
    unknown = repository.gate("explain", "T1", "test_pass")
    assert (unknown.code, "code.tests_pass" in unknown.err) == (2, True)
    listed = repository.gate("list", "--json").json
    assert listed["schema"].startswith("verigate:")
    assert [(row["task_id"], row["status"]) for row in listed["tasks"]] == [("T1", "fail")]
    assert "T1" in repository.gate("list").out


CRASH = """printf 'Error: Cannot find module x\\n    at loader\\n' >&2
printf '\\033[2Jbye %s\\n' "$(cat "$GATE_REPO_ROOT/token")" >&2
exit 3
"""


def test_what_a_capability_printed_is_one_command_away(tmp_path: Path) -> None:
    repository = task(tmp_path, CODE, acts={"my:crash": CRASH}, files={"token": "hush-hush-secret\n"})
    ended = repository.gate("verify", "T1", API_TOKEN="hush-hush-secret")
    assert ended.code == 3
    assert "gate output T1 my:crash" in ended.out
    lines = ["  stderr:", "    Error: Cannot find module x", "        at loader", "    \\x1b[2Jbye [redacted]"]
    for arguments in (("T1", "my:crash"), ("T1",), ("my:crash",)):
        shown = repository.gate("output", *arguments, GATE_TASK_ID="T1")
        assert shown.code == 0, shown.output
        assert shown.out.startswith("my:crash  ADAPTER_CRASH: \\x1b[2Jbye [redacted] (exit code 3)\n")
        assert shown.out.splitlines()[1:] == lines
    assert repository.gate("output", "T1", "code:tests").out == "code:tests  ended well\n  (it printed nothing)\n"
    unknown = repository.gate("output", "T1", "code:test")
    assert (unknown.code, "did you mean 'code:tests'?" in unknown.err) == (2, True)
    assert repository.gate("output", "T1", "other:x").code == 2


def test_a_run_without_a_failure_or_output_has_no_log(repository: gr.GatedRepository) -> None:
    assert (repository.gate("output", "T2").code, repository.gate("output", "T1").code) == (2, 3)
    assert repository.gate("verify", "T1").code == 0
    assert repository.gate("output", "T1").out == "no capability failed or printed anything\n"


def test_a_task_that_is_not_there_and_one_without_a_verdict(repository: gr.GatedRepository) -> None:
    for command in ("show", "explain", "replay"):
        none = repository.gate(command, "T2")
        assert (none.code, "did you mean 'T1'?" in none.err) == (2, True), none.output
        begun = repository.gate(command, "T1", "--json")
        assert (begun.code, begun.json["schema"], begun.json["code"]) == (3, "verigate:error.v1", "EVIDENCE"), (
            begun.output
        )
        assert begun.json["faults"][0]["message"] == "not verified: T1 has no verdict"
        assert begun.json["faults"][0]["hint"] == "run `gate verify T1`"
    assert "no verdict yet" in repository.gate("list").out


# Which task


def test_the_task_comes_from_argument_environment_current_trailer_and_branch(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, RULES)
    repository.put("a.py", "answer = 42\n")
    for name in ("T1", "T2", "T3", "T4"):
        repository.begin(name)
        repository.claim("file:a.py", task_id=name)

    def planned(*arguments: str, **environ: str) -> str:
        done = repository.gate("plan", "--json", *arguments, **environ)
        assert done.code == 0, done.output
        return str(done.json["task_id"])

    repository.sample.git("checkout", "--quiet", "-b", "feature/T4")
    assert planned() == "T4"
    repository.sample.git("commit", "--quiet", "--allow-empty", "-m", "work\n\nGate-Task: T3")
    assert planned() == "T3"
    assert planned("--ref", "HEAD") == "T3"
    assert planned("--ref", "HEAD~1") == "implicit"  # T4 began there
    repository.put(".artifacts/current", "T2\n")
    assert planned() == "T2"
    assert planned(GATE_TASK_ID="T1") == "T1"
    assert planned("T4", GATE_TASK_ID="T1") == "T4"
    for empty in ({"GATE_TASK_ID": ""}, {"GATE_TASK_ID": "../x"}):
        assert repository.gate("plan", **empty).code == 2
    repository.put(".artifacts/current", "../../etc\n")
    assert repository.gate("plan").code == 2


# verify's own flags


def test_the_three_subjects(tmp_path: Path) -> None:
    look = 'cat -- "$GATE_REPO_ROOT/a.py" >"$TASK_DIR/seen.txt"'
    repository = gr.make(tmp_path, CODE, RULES, acts={"code:tests": look}, files={"a.py": "base\n"})
    repository.begin()
    repository.claim("file:a.py")
    repository.put("a.py", "committed\n")
    repository.sample.git("add", "a.py")
    repository.sample.git("commit", "--quiet", "-m", "work")
    repository.put("a.py", "staged\n")
    repository.sample.git("add", "a.py")
    repository.put("a.py", "working\n")

    def seen(*arguments: str) -> tuple[str, str]:
        done = repository.verify("T1", *arguments)
        assert done.code == 0, done.output
        return (repository.root / ".artifacts/T1/seen.txt").read_text(), repository.verdict()["subject"]["kind"]

    assert seen() == ("working\n", "worktree")
    assert seen("--staged") == ("staged\n", "index")
    assert seen("--ref", "HEAD") == ("committed\n", "commit")
    base = repository.verify("T1", "--ref", "HEAD", "--base", "HEAD", "--json")
    assert base.json["subject"]["base"] == repository.sample.git("rev-parse", "HEAD")


def test_output_is_written_whole_or_not_at_all(repository: gr.GatedRepository) -> None:
    target = repository.home / "deep" / "report.json"
    done = repository.verify("T1", "--format", "json", "--output", str(target))
    assert (done.code, done.out) == (0, "")
    assert json.loads(target.read_bytes())["status"] == "pass"
    assert [path.name for path in target.parent.iterdir()] == ["report.json"]
    text = repository.verify("T1", "--output", str(target), FORCE_COLOR="1")
    assert text.code == 0
    assert target.read_text().startswith("PASS  T1"), "a file gets no colours"
    folder = repository.verify("T1", "--output", str(repository.home))
    assert folder.code == 2, "a folder is told before anything runs"
    assert str(repository.home) in folder.err.replace("\n", "").replace(" ", "")
    below = repository.verify("T1", "--output", str(target / "below-a-file"))
    assert below.code == 3, "a report that can't be written is not a pass"
    assert not list(repository.home.parent.glob(".home*"))
    # Nothing to verify replaces an older report too.
    repository.sample.git("add", "--all")
    repository.sample.git("commit", "--quiet", "-m", "all")
    shutil.rmtree(repository.root / ".artifacts")
    empty = repository.gate("verify", "--json", "--output", str(target), "--quiet")
    assert empty.code == 0, empty.output
    assert json.loads(target.read_bytes())["schema"] == "verigate:no-verdict.v1"


def test_profile_and_flags_that_change_nothing(tmp_path: Path) -> None:
    repository = task(tmp_path)
    rules = {"tests_pass": True}
    profiles = {"facts": rules, "code_default": rules, "harder": {"extends": "facts", "tests_min": 100}}
    repository.put("config/verification.profiles.json", profiles)
    repository.sample.git("add", "config")
    repository.sample.git("commit", "--quiet", "-m", "profiles")
    repository.begin()
    assert repository.verify().code == 0
    assert repository.verify("T1", "--profile", "harder").code == 1
    assert repository.verdict()["policy"]["profile"] == "harder"
    for flags in (("--no-llm",), ("--no-cache",), ("--verbose",), ("-v", "-q")):
        assert repository.verify("T1", *flags).code == 0
    near = repository.verify("T1", "--profile", "hardr")
    assert (near.code, "harder" in near.err) == (2, True)


def test_plan_executes_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    repository = task(tmp_path, acts={"code:tests": f"touch {marker}"})
    text = repository.gate("plan", "T1")
    assert text.code == 0
    assert "rule tests_pass" in text.out
    document = repository.gate("plan", "T1", "--json").json
    assert document["schema"] == "verigate:plan-report.v1"
    assert [item["name"] for item in document["capabilities"]] == ["code:diff", "code:tests"]
    assert document["capabilities"][0]["entry"] == str(repository.root / "adapters/facts/run")
    only = repository.gate("plan", "T1", "--only", "code:tests", "--json").json
    assert [item["name"] for item in only["capabilities"]] == ["code:tests"]
    assert not marker.exists()
    assert not repository.has_verdict()


def test_adapters_tells_who_provides_what_and_who_is_shadowed(tmp_path: Path) -> None:
    shadowed = {"name": "later", "version": "1", "entry": "gone", "capabilities": ["code:tests"], "odd": 1}
    repository = task(tmp_path, files={"adapters/later/manifest.json": shadowed})
    document = repository.gate("adapters", "--json")
    assert document.code == 0, document.output
    assert document.json["schema"].startswith("verigate:")
    assert "later" in json.dumps(document.json)
    text = repository.gate("adapters")
    assert "facts" in text.out
    assert "does not exist" in text.err
    assert "unknown key 'odd'" in text.err


# schema, completion, version, help, -C, doctor


def test_every_schema_is_a_json_schema(repository: gr.GatedRepository) -> None:
    import jsonschema

    listed = repository.gate("schema", "--json")
    assert listed.json["schema"] == "verigate:schemas.v1"
    kinds = listed.json["kinds"]
    assert repository.gate("schema").out.split() == kinds
    assert {"commitment", "claim", "plan", "profiles", "manifest", "run", "artifacts", "verdict", "lint"} <= set(kinds)
    for kind in kinds:
        done = repository.gate("schema", kind)
        assert done.code == 0
        jsonschema.Draft202012Validator.check_schema(done.json)
        assert done.json["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    near = repository.gate("schema", "verdct")
    assert (near.code, "verdict" in near.err) == (2, True)


def test_what_is_published_fits_the_printed_schemas(repository: gr.GatedRepository) -> None:
    import jsonschema

    assert repository.verify().code == 0
    for kind in ("verdict", "run", "artifacts", "tests", "commitment", "claim"):
        schema = repository.gate("schema", kind).json
        jsonschema.Draft202012Validator(schema).validate(repository.published(f"{kind}.json"))


_BASH = """\
eval "$(cat completion)"
COMP_WORDS=(gate ver)
COMP_CWORD=1
_gate_completion gate ver gate
printf "%s\\n" "${COMPREPLY[@]}"
"""
COMPLETE = {
    "bash": _BASH,
    "zsh": "autoload -Uz compinit; compinit -u; source completion; whence -w _gate_completion",
    "fish": "source completion; complete -C 'gate ver'",
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_and_a_real_completion(repository: gr.GatedRepository, shell: str) -> None:
    done = repository.gate("completion", shell)
    assert done.code == 0
    assert "_GATE_COMPLETE" in done.out
    words = {"COMP_WORDS": "gate ver", "COMP_CWORD": "1" if shell != "fish" else "ver"}
    answered = repository.gate(_GATE_COMPLETE=f"{shell}_complete", **words)
    assert answered.code == 0, answered.output
    assert "verify" in answered.out
    flags = repository.gate(
        _GATE_COMPLETE=f"{shell}_complete",
        COMP_WORDS="gate verify --st",
        COMP_CWORD="2" if shell != "fish" else "--st",
    )
    assert "--staged" in flags.out, flags.output
    (repository.home / "completion").write_text(done.out)
    folder = repository.home / "bin"
    folder.mkdir()
    (folder / "gate").write_text('#!/bin/sh\nexec "$GATE_TEST_PYTHON" -I -m verigate "$@"\n')
    (folder / "gate").chmod(0o755)
    syntax = subprocess.run([shell, "-n", "completion"], cwd=repository.home, capture_output=True, check=False)
    assert syntax.returncode == 0, syntax.stderr
    ran = subprocess.run(
        [shell, "-c", COMPLETE[shell]],
        cwd=repository.home,
        env=repository.environ(PATH=f"{folder}:{os.environ['PATH']}", GATE_TEST_PYTHON=gr.GATE[0]),
        capture_output=True,
        check=False,
    )
    assert b"verify" in ran.stdout or b"_gate_completion: function" in ran.stdout, (ran.stdout, ran.stderr)


@pytest.mark.release
def test_version_and_help(repository: gr.GatedRepository) -> None:
    for flag in ("--version", "-V"):
        assert repository.gate(flag).out == f"gate {__version__}\n"
    assert repository.gate("-C", str(repository.root), "--version").out == f"gate {__version__}\n"
    overview = repository.gate("--help")
    assert overview.code == 0
    assert all(name in overview.out for name in COMMANDS)
    assert "Exit codes" in overview.out
    for name in COMMANDS:
        for flag in ("--help", "-h"):
            told = repository.gate(name, flag)
            assert told.code == 0, told.output
            assert told.out.startswith(f"Usage: gate {name}")
    unknown = repository.gate("verfy")
    assert (unknown.code, "verify" in unknown.err) == (2, True)
    option = repository.gate("verify", "--profil", "x")
    assert (option.code, "--profile" in option.err) == (2, True)
    as_json = repository.gate("verfy", "--json")
    assert (as_json.code, as_json.json["schema"], as_json.json["exit_code"]) == (2, "verigate:error.v1", 2)


def test_from_another_folder(repository: gr.GatedRepository, tmp_path: Path) -> None:
    done = repository.gate("-C", str(repository.root), "verify", "T1", "-q", cwd=tmp_path)
    assert done.code == 0, done.output
    below = repository.root / "deep" / "er"
    below.mkdir(parents=True)
    assert repository.gate("show", "T1", cwd=below).code == 0
    missing = repository.gate("-C", str(tmp_path / "nowhere"), "list")
    assert (missing.code, "nowhere" in missing.err) == (2, True)


def test_init_is_shown_before_it_is_done_and_never_overwrites(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, {}, capabilities=("other:nothing",))
    shutil.rmtree(repository.root / "config")
    before = sorted(path for path in repository.root.rglob("*") if ".git/" not in str(path))
    dry = repository.gate("init", "--dry-run", "--json")
    assert (dry.code, dry.json["schema"], dry.json["dry_run"]) == (0, "verigate:init.v1", True), dry.output
    assert sorted(path for path in repository.root.rglob("*") if ".git/" not in str(path)) == before
    # What is there is judged by what was written, which is in no commit yet.
    repository.put("a.py", "def answer() -> int:\n    return 42\n")
    repository.sample.commit("a function")
    head = repository.sample.git("rev-parse", "HEAD")
    state = repository.sample.git("status", "--porcelain")
    done = repository.gate("init", "--advisory")
    assert done.code == 0
    assert "wrote" in done.out
    content = (repository.root / "config/verification.profiles.json").read_text()
    assert content in done.out
    _, _, told = done.out.partition("HEAD with these files, compared with itself; nothing is committed:\n\n")
    assert f"HEAD ({head[:12]}) with the gate's files; in no branch" in " ".join(told.split())
    (listed,) = repository.gate("list", "--json").json["tasks"]
    assert listed["note"].endswith("by `gate init`: HEAD with the gate's files, compared with itself")
    assert told.startswith(("PASS  implicit", "FAIL  implicit", "INCONCLUSIVE  implicit")), done.output
    assert "profile code_default" in told
    assert "judges" in told.split("reasons")[0], done.output
    assert "INTEGRITY_FAIL" not in told
    assert ADVISORY in told
    assert "`gate install --advisory`" in told
    assert repository.sample.git("rev-parse", "HEAD") == head
    assert repository.sample.git("status", "--porcelain", "--", "a.py", "adapters") == ""
    assert state != repository.sample.git("status", "--porcelain")
    written = {path: path.read_bytes() for path in (repository.root / "config").iterdir()}
    again = repository.gate("init", "--no-verdict")
    assert "judged by" not in again.out
    assert "kept" in again.out
    assert {path: path.read_bytes() for path in (repository.root / "config").iterdir()} == written


def test_init_before_the_first_commit_and_outside_of_git(tmp_path: Path) -> None:
    place = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    place.tmp.mkdir(parents=True)
    done = place.gate("init", "--json")
    assert (done.code, done.json["verdict"]) == (0, None), done.output
    assert "no verdict: there is no commit yet" in done.err
    folder = tmp_path / "plain"
    folder.mkdir()
    outside = place.gate("init", cwd=folder)
    assert (outside.code, "git init" in outside.err) == (2, True), outside.output
    assert list(folder.iterdir()) == []


def test_an_error_before_anything_was_judged_leaves_no_folder(tmp_path: Path) -> None:
    place = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    place.tmp.mkdir(parents=True)
    folder = tmp_path / "plain"
    folder.mkdir()
    outside = place.gate("verify", cwd=folder)
    assert (outside.code, "not a git repository" in outside.err) == (2, True), outside.output
    assert list(folder.iterdir()) == []
    before = sorted(place.root.iterdir())
    unknown = place.gate("verify", "--ref", "nothing")
    assert (unknown.code, "nothing is not a commit" in unknown.err) == (2, True), unknown.output
    assert sorted(place.root.iterdir()) == before

    kept = folder / ".artifacts" / "T1"
    kept.mkdir(parents=True)
    assert place.gate("verify", cwd=folder).code == 2
    assert kept.is_dir()


def test_the_columns_of_hooks_and_of_findings_are_as_wide_as_their_words(repository: gr.GatedRepository) -> None:
    hooks = ("--hook", "pre-commit", "--hook", "pre-merge-commit")
    for command in (("install", "--dry-run"), ("install",), ("uninstall",)):
        lines = [line for line in repository.gate(*command, *hooks).out.splitlines() if "/hooks/pre-" in line]
        names = [line.index("pre-") for line in lines]
        paths = [line.index(" /") for line in lines]
        assert (len(lines), len(set(names)), len(set(paths))) == (2, 1, 1), lines
    assert repository.gate("install", *hooks).code == 0
    lines = [line for line in repository.gate("doctor").out.splitlines() if line[:1] in "✓!✗-"]
    columns = {len(line) - len(line[2:].split(None, 1)[1]) for line in lines}
    assert any("blocks.pre-merge-commit" in line for line in lines), lines
    assert len(columns) == 1, lines


def test_install_and_uninstall_as_json(repository: gr.GatedRepository) -> None:
    hook = repository.root / ".git/hooks/pre-commit"
    only = ("--hook", "pre-commit")
    dry = repository.gate("install", "--dry-run", "--json", *only)
    told = repository.gate("install", "--dry-run", *only)
    assert (dry.json["dry_run"], hook.exists()) == (True, False), dry.output
    assert (told.out.splitlines()[0][:18], told.out.splitlines()[2]) == ("would be installed", "  +#!/bin/sh"), (
        told.output
    )
    done = repository.gate("install", "--json", *only)
    assert (done.code, done.json["schema"]) == (0, "verigate:hooks.v1"), done.output
    assert hook.read_text() == dry.json["hooks"][0]["content"]
    told = repository.gate("uninstall", "--dry-run", *only)
    assert (told.out[:16], hook.exists()) == ("would be removed", True), told.output
    assert "unchanged" in repository.gate("install", "--dry-run", *only).out
    done = repository.gate("uninstall", "--json")
    assert (done.code, done.json["schema"]) == (0, "verigate:hooks.v1"), done.output
    assert not hook.exists()
    for unknown, meant in (
        (("install", "--hook", "pre-comit"), "pre-commit"),
        (("install", "--agent", "cluade"), "claude"),
        (("hook", "codx", "stop"), "codex"),
        (("hook", "codex", "stp"), "'stop'?"),
        (("show", "T1", "--format", "sarf"), "sarif"),
        (("instal",), "install"),
        (("verify", "T2"), "T1"),
        (("plan", "t1"), "T1"),
        (("claim", "T2", "file:a"), "T1"),
        (("claim", "T1", "fil:a"), "unknown kind 'fil' in 'fil:a'"),
        (("claim", "T1", "fun:parse"), "did you mean func:parse?"),
    ):
        refused = repository.gate(*unknown)
        assert (refused.code, meant in refused.err) == (2, True), refused.output


@pytest.mark.release
def test_doctor_has_a_schema(repository: gr.GatedRepository) -> None:
    done = repository.gate("doctor", "--json")
    assert done.json["schema"] == "verigate:doctor.v1", done.output


# Colours


def on_terminal(repository: gr.GatedRepository, *arguments: str, **environ: str) -> str:
    """What the gate writes to a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        (*gr.GATE, *arguments),
        cwd=repository.root,
        env=repository.environ(TERM="xterm-256color", **environ),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    ) as process:
        os.close(follower)
        written = b""
        while True:
            ready, _, _ = select.select([leader], [], [], 60)
            try:
                chunk = os.read(leader, 65536) if ready else b""
            except OSError:
                break
            if not chunk:
                break
            written += chunk
        process.wait(60)
    os.close(leader)
    return written.decode()


@pytest.mark.release
def test_colours_on_a_terminal_only_and_never_against_no_color(tmp_path: Path) -> None:
    repository = task(tmp_path, LYING)
    repository.verify()
    escape = "\x1b["
    assert escape in on_terminal(repository, "show", "T1")
    assert escape not in on_terminal(repository, "show", "T1", NO_COLOR="1")
    assert escape in on_terminal(repository, "show", "T1", NO_COLOR="")
    assert escape not in on_terminal(repository, "show", "T1", NO_COLOR="1", FORCE_COLOR="1")
    assert escape not in on_terminal(repository, "show", "T1", "--json")
    assert escape in on_terminal(repository, "verify", "T1")
    piped = repository.gate("show", "T1")
    assert escape not in piped.out
    assert escape in repository.gate("show", "T1", FORCE_COLOR="1").out
    assert escape not in repository.gate("verify", "T1", "--json", FORCE_COLOR="1", NO_COLOR="1").output
    assert escape not in repository.gate("show", "T7").err


def test_an_explanation_of_a_pass_lists_what_holds(repository: gr.GatedRepository) -> None:
    assert repository.verify().code == 0
    listed = repository.gate("explain", "T1")
    assert listed.code == 0, listed.output
    assert listed.out.startswith("T1 passes: no check prevents it, and these hold\n\n✓ capability:code:diff\n")
    assert "\n✓ code.tests_pass" in listed.out
    assert listed.out.endswith("\ngate explain T1 CHECK explains one of them\n")


def test_hostile_names_can_not_act_on_the_terminal(tmp_path: Path) -> None:
    repository = task(tmp_path, LYING)
    repository.claim("file:\x1b[2J\x1b[H\u202egnp.PASS")
    assert repository.verify().code == 1
    for command in ("show", "explain"):
        shown = on_terminal(repository, command, "T1", NO_COLOR="1")
        assert "\x1b" not in shown
        assert "\u202e" not in shown


# Ends


def test_a_reader_that_leaves_is_no_verdict(repository: gr.GatedRepository) -> None:
    assert repository.verify().code == 0
    with subprocess.Popen(
        (*gr.GATE, "show", "T1", "--verbose"), cwd=repository.root, env=repository.environ(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
        assert process.wait(30) == 3
    assert b"Traceback" not in told


@pytest.mark.parametrize(
    ("streams", "code"),
    [
        (">&-", 1),
        ("2>&-", 1),
        ("<&- >&- 2>&-", 1),
        (">/dev/full", 3),
        ("2>/dev/full", 3),
        (">/dev/full 2>&1", 3),
    ],
)
@pytest.mark.parametrize("way", ["verify", "-C . verify"])
def test_streams_that_are_closed_or_full(tmp_path: Path, streams: str, code: int, way: str) -> None:
    repository = task(tmp_path, LYING)
    line = f'"$@" {way} T1 {streams}'
    done = subprocess.run(
        ("sh", "-c", line, "sh", *gr.GATE), cwd=repository.root, env=repository.environ(), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "fault of the gate" not in done.stderr
    # Without a place for progress lines nothing is verified.
    assert repository.has_verdict() is ("2>/dev/full" not in streams and "2>&1" not in streams)


def test_the_version_on_streams_that_take_nothing(tmp_path: Path) -> None:
    for streams, code in ((">&-", 0), (">/dev/full", 3)):
        call = ("sh", "-c", f'"$@" --version {streams}', "sh", *gr.GATE)
        done = subprocess.run(call, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("sandbox", ["prefer", "off"])
def test_an_interrupted_run_leaves_no_process_no_verdict_and_no_folder(
    tmp_path: Path, number: signal.Signals, sandbox: str
) -> None:
    marker = f"verigate-test-{os.getpid()}-{time.monotonic_ns()}"
    act = f'touch "$GATE_REPO_ROOT/begun"; (exec -a x sleep 300) 2>/dev/null & sleep 300 & env {marker}=1 sleep 300'
    repository = gr.make(tmp_path, CODE, {**RULES, "sandbox": sandbox}, acts={"code:tests": act}, timeout=100)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py")
    # Whoever runs the tests under nohup(1) ignores the one of them that this is about, and so would the gate.
    process = subprocess.Popen(
        ("env", f"--default-signal={number.name}", *gr.GATE, "verify", "T1"),
        cwd=repository.root,
        env=repository.environ(GOFLAGS=marker),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while not any(b"sleep" in _command(pid) for pid in gr.processes_with(marker)):
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130, told.decode()
    assert told.count(b"interrupted") == 1
    assert b"gate: interrupted; no verdict was written\n" in told
    assert b"Traceback" not in told
    assert gr.wait_until_gone(marker, within_s=2.0) == []
    assert not repository.has_verdict()
    assert list(repository.tmp.iterdir()) == []
    show = repository.gate("show", "T1", "--json")
    assert (show.code, show.json["code"]) == (3, "EVIDENCE")


@pytest.mark.parametrize("verdict", [(CODE, 0, "PASS"), (LYING, 1, "FAIL")])
def test_an_interruption_after_the_verdict_was_told_changes_nothing(
    verdict: tuple[Any, int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    artifacts, code, word = verdict
    repository = task(tmp_path, artifacts)
    close = Prefetched.close
    told: list[str] = []

    def interrupted(ahead: Prefetched) -> None:
        told.append(capfd.readouterr().out)
        close(ahead)
        raise KeyboardInterrupt

    monkeypatch.setattr(Prefetched, "close", interrupted)
    monkeypatch.chdir(repository.root)
    for name, value in repository.environ().items():
        monkeypatch.setenv(name, value)
    assert run(["verify", "T1", "-q"]) == code
    assert told[0].startswith(f"{word}  T1")
    assert repository.has_verdict()
    assert list(repository.tmp.iterdir()) == []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_second_run_of_a_task_is_refused_while_the_first_one_works(tmp_path: Path) -> None:
    seen = tmp_path / "the second run was refused"
    act = f"until [ -e '{seen}' ]; do sleep 0.05; done"
    repository = gr.make(tmp_path, CODE, {**RULES, "sandbox": "off"}, acts={"code:tests": act}, timeout=100)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py")
    with subprocess.Popen(
        (*gr.GATE, "verify", "T1", "-q"), cwd=repository.root, env=repository.environ(), stdout=subprocess.DEVNULL
    ) as first:
        lock = repository.root / ".artifacts/.locks/T1"
        until = time.monotonic() + 30
        while not (lock.exists() and lock.read_text().strip()):
            assert time.monotonic() < until
            time.sleep(0.02)
        second = repository.gate("verify", "T1", "--json")
        assert (second.code, second.json["code"]) == (3, "LOCKED"), second.output
        assert f"process {first.pid}" in second.json["faults"][0]["message"]
        seen.touch()
        assert first.wait(60) == 0
    assert repository.verify().code == 0
