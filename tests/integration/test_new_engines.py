"""What ``gate engine new`` makes of each kind: it conforms, its own tests hold, and it is asked by a verification.

Real programs, a real server of the chat API, and the example's package installed by uv where that is said.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import forked_programs
import gated_repository as gr
import literal_facts as lf
import pytest
from chat_server import KEY, MARK, Says, chat_server

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/engines/agreement"
ANSWER = {"mark": MARK, "answers": [{"question": "q1", "answer": "abstain", "citations": [], "why": "x"}]}
MODEL = """\
import json, os, re, sys
prompt = sys.stdin.read()
mark = re.search("The mark of the fences is ([0-9a-f]{32})", prompt).group(1)
cited = [{"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}]
word = open(os.environ["WORDS"]).read().split()[0]
open(os.environ["WORDS"], "w").write(os.environ.get("NEXT", word))
answers = [{"question": "q1", "answer": word, "citations": cited, "why": "so"}]
print("```json\\n" + json.dumps({"mark": mark, "answers": answers}) + "\\n```")
"""


def gate(home: Path, *arguments: str, cwd: Path | None = None, **environ: str) -> gr.Done:
    cwd = cwd or home / "work"
    cwd.mkdir(parents=True, exist_ok=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), **environ}
    done = forked_programs.gate(arguments, cwd=cwd, env=env, stdin=b"")
    found = gr.Done(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in found.err, found.output
    return found


def test_a_new_program_conforms_and_is_found(tmp_path: Path) -> None:
    made = gate(tmp_path, "engine", "new", "my-model", "--kind", "program")
    folder = tmp_path / ".config/verigate/engines/my-model"
    assert made.code == 0, made.output
    assert f"next: gate engine check {folder}" in made.out
    done = gate(tmp_path, "engine", "check", "my-model")
    assert done.code == 0, done.output
    assert done.out.startswith("CONFORMING  my-model")
    assert gate(tmp_path, "engine", "check", str(folder), "--check", "execute").code == 0
    again = gate(tmp_path, "engine", "new", "my-model", "--kind", "program")
    assert (again.code, "nothing is overwritten" in again.err) == (2, True), again.output


def test_a_new_package_conforms_and_holds_its_own_tests(tmp_path: Path) -> None:
    assert gate(tmp_path, "engine", "new", "my-model", "--kind", "python").code == 0
    folder = tmp_path / "work/my-model"
    done = gate(tmp_path, "engine", "check", "./my-model", "--json")
    assert done.code == 0, done.output
    answers = {item["check"]: item["answer"] for item in done.json["checks"]}
    assert answers["cancel"] == answers["secrets"] == "holds"
    assert answers["malformed"] == answers["resume"] == "not_asked"
    environ = {**os.environ, "PYTHONPATH": f"{folder}/src:{ROOT}/src"}
    tests = [sys.executable, "-m", "unittest", "discover", "-s", "tests"]
    ran = subprocess.run(tests, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert (ran.returncode, "Ran 2 tests" in ran.stderr) == (0, True), ran.stderr


def test_a_new_server_conforms_once_it_runs(tmp_path: Path) -> None:
    assert gate(tmp_path, "engine", "new", "my-model", "--kind", "http").code == 0
    folder = tmp_path / ".config/verigate/engines/my-model"
    with chat_server(Says(json.dumps(ANSWER)), key=KEY) as server:
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["engine"] |= {"base_url": server.url, "key_from": "LOCAL_KEY"}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        done = gate(tmp_path, "engine", "check", "my-model", LOCAL_KEY=KEY)
        assert done.code == 0, done.output
        assert all("logit_bias" not in asked.body for asked in server.asked)
    done = gate(tmp_path, "engine", "check", "my-model", LOCAL_KEY=KEY)
    assert done.code == 1, done.output
    assert "start the server at" in done.out
    assert KEY not in done.output


@pytest.mark.parametrize("report_format", ["text", "json", "junit"])
def test_a_report_is_written_to_a_file(report_format: str, tmp_path: Path) -> None:
    gate(tmp_path, "engine", "new", "m", "--kind", "program")
    target = tmp_path / "report"
    words = ("--check", "description", "--format", report_format, "--output", str(target))
    assert gate(tmp_path, "engine", "check", "m", *words).code == 0
    expected = {"text": "CONFORMING", "json": '"adapter": "m"', "junit": "<testsuite"}
    assert expected[report_format] in target.read_text()


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no such kind": (("engine", "new", "m", "--kind", "progam"), "did you mean 'program'"),
    "no name": (("engine", "new", "My_Model", "--kind", "program"), "not a valid name"),
    "no such engine": (("engine", "check", "proces"), "did you mean 'process'"),
    "no such folder": (("engine", "check", "./nowhere"), "there is no engine"),
    "no such check": (("engine", "check", "process", "--check", "exekute"), "did you mean 'execute'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_isn_t_there_is_named(case: str, tmp_path: Path) -> None:
    arguments, told = WRONG[case]
    done = gate(tmp_path, *arguments)
    assert (done.code, told in " ".join(done.err.split())) == (2, True), done.output


def test_an_engine_of_the_repository_is_run_only_if_that_is_agreed_to(tmp_path: Path) -> None:
    repository = gr.make(tmp_path / "r", {}, {"tests_pass": True})
    assert gate(tmp_path, "engine", "new", "m", "--kind", "program", "--into", "tools", cwd=repository.root).code == 0
    refused = gate(tmp_path, "engine", "check", "./tools/m", cwd=repository.root)
    assert (refused.code, "lies in this repository" in refused.err) == (2, True), refused.output
    assert (
        gate(tmp_path, "engine", "check", "./tools/m", "--outside", "--check", "execute", cwd=repository.root).code == 0
    )


# The example


def agreeing(folder: Path, word: str) -> dict[str, str]:
    """The options of the example, and what its program reads."""
    (folder / "model.py").write_text(MODEL)
    (folder / "words").write_text(word)
    options = {"agreement": {"command": [sys.executable, str(folder / "model.py")], "env_from": ["WORDS", "NEXT"]}}
    (folder / "engines.json").write_text(json.dumps(options))
    return {"GATE_ENGINES": str(folder / "engines.json"), "WORDS": str(folder / "words")}


def test_the_example_conforms_and_holds_its_own_tests(tmp_path: Path) -> None:
    environ = agreeing(tmp_path, "abstain")
    done = gate(tmp_path, "engine", "check", str(EXAMPLE), **environ)
    assert done.code == 0, done.output
    env = {**os.environ, "PYTHONPATH": f"{EXAMPLE}/src"}
    tests = [sys.executable, "-m", "unittest", "discover", "-s", "tests"]
    ran = subprocess.run(tests, cwd=EXAMPLE, env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, "Ran 3 tests" in ran.stderr) == (0, True), ran.stderr


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "code"), [("supported", "supported", 0), ("supported", "refuted", 4), ("refuted", "refuted", 1)]
)
def test_the_example_as_an_installed_package_settles_what_both_answers_say(
    first: str, second: str, code: int, tmp_path: Path
) -> None:
    """Installed as pip would, next to the gate, by an entry point."""
    site = tmp_path / "site"
    head = site / "verigate_engine_agreement-1.0.0.dist-info"
    head.mkdir(parents=True)
    (head / "METADATA").write_text("Metadata-Version: 2.1\nName: verigate-engine-agreement\nVersion: 1.0.0\n")
    (head / "entry_points.txt").write_text("[verigate.engines]\nagreement = agreement_engine.engine:create_engine\n")
    (site / "agreement_engine").symlink_to(EXAMPLE / "src/agreement_engine")
    patch = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+answer = 42\n"
    artifacts = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json")}
    rules = {"tests_pass": True, "verifier": {"engine": "agreement"}}
    repository = gr.make(tmp_path / "r", {**artifacts, "diffs.patch": patch}, rules)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py", statements=["It is friendlier"])
    environ = agreeing(tmp_path, first)
    env = repository.environ(**environ, NEXT=second, PYTHONPATH=f"{site}:{ROOT}/src")
    argv = [sys.executable, "-c", "from verigate.cli import main; main()", "verify", "T1"]
    done = subprocess.run(argv, cwd=repository.root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    verifier = repository.verdict()["verifier"]
    assert (verifier["engine"], verifier["engine_origin"], verifier["calls"]) == ("agreement", "package", 1)
