"""Skills by the command line: a real program runs one by itself, and its answer and its artifacts come back."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import forked_programs
import gated_repository as gr
import pytest

MODEL = """\
import json, os, sys
prompt = sys.stdin.read()
open("artifacts/report.md", "w").write("# " + prompt)
os.makedirs("artifacts/more", exist_ok=True)
open("artifacts/more/x.txt", "w").write("x")
if os.environ.get("BAD"):
    sys.exit("it broke")
print("Done.\\n```json\\n" + json.dumps({"said": prompt, "raw": "\\x1b[2J"}) + "\\n```")
"""
RUNNER = {
    "prompt": "{{ parameter.level }}: {{ parameter.prompt }} {{ input.count }}",
    "input": {"data.csv": "rows", "count": {"type": "integer"}},
    "parameter": {"level": {"type": "string", "default": "low"}},
    "artifact": {"report.md": {}},
    "output": {"type": "object", "required": ["said"]},
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a skill, a program that is a model, and a file to give it."""
    home = tmp_path / "home"
    skill = home / ".config/verigate/skills/look"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\ndescription: Looks at rows\n---\n# Look\n")
    (skill / "assets/runner.json").write_text(json.dumps(RUNNER))
    (home / "model.py").write_text(MODEL)
    (home / "rows.csv").write_text("a,b\n")
    options = {"process": {"command": [sys.executable, str(home / "model.py")], "env_from": ["BAD"]}}
    (home / "engines.json").write_text(json.dumps(options))
    (tmp_path / "empty").mkdir()
    return home


def gate(home: Path, *arguments: str, cwd: Path | None = None, **environ: str) -> gr.Done:
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "GATE_ENGINES": str(home / "engines.json"), **environ}
    done = forked_programs.gate(arguments, cwd=cwd or home.parent / "empty", env=env, stdin=b"")
    found = gr.Done(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in found.err, found.output
    return found


def given(home: Path, *more: str) -> tuple[str, ...]:
    return ("--engine", "process", "-i", f"data.csv={home}/rows.csv", "-i", "count=3", "-p", "go", *more)


def test_a_skill_runs_by_itself_outside_of_any_repository(home: Path, tmp_path: Path) -> None:
    done = gate(
        home, "skill", "run", "look", *given(home, "--into", str(tmp_path / "out"), "--parameter", "level=high")
    )
    assert done.code == 0, done.output
    said = json.loads(done.out)["said"]
    assert said.endswith("high: go 3")
    assert said.startswith("---\ndescription: Looks at rows")
    assert "\x1b" not in done.out
    assert (tmp_path / "out/more/x.txt").read_text() == "x"
    assert "artifact: report.md" in done.err


def test_a_run_is_a_document(home: Path) -> None:
    done = gate(home, "skill", "run", "look", *given(home, "--json"))
    document: Any = done.json
    assert (document["schema"], document["engine"], document["skill"]) == ("verigate:skill-run.v1", "process", "look")
    assert [item["path"] for item in document["result"]["artifacts"]] == ["report.md", "more/x.txt"]
    assert (Path(document["logs"]) / "prompt.txt").read_text().endswith("low: go 3")
    assert document["result"]["sent"]["skill"]["id"] == "look"


def test_a_failed_run_says_why_and_where_its_logs_are(home: Path, tmp_path: Path) -> None:
    done = gate(home, "skill", "run", "look", *given(home, "--into", str(tmp_path / "out")), BAD="1")
    assert done.code == 3, done.output
    assert "look failed with process: engine_failed" in done.err
    assert "it broke" in done.err
    assert "logs: " in done.err
    assert not (tmp_path / "out").exists()


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no such skill": (("skill", "run", "lok", "--engine", "process"), 2, "did you mean 'look'"),
    "no such input": (("skill", "run", "look", "-e", "process", "-i", "x=1"), 2, "declares no input 'x'"),
    "no value": (("skill", "run", "look", "-e", "process", "-i", "count"), 2, "NAME=VALUE"),
    "no such engine": (("skill", "run", "look", "-e", "proces"), 2, "did you mean 'process'"),
    "an engine that runs none": (("skill", "run", "look", "-e", "http"), 2, "runs no skills"),
    "a missing input": (("skill", "run", "look", "-e", "process", "-i", "count=1"), 3, "missing_input"),
    "another type": (
        ("skill", "run", "look", "-e", "process", "-i", "count=x", "-i", "data.csv=@"),
        3,
        "invalid_input",
    ),
    "a command for the run": (
        ("skill", "run", "look", "-e", "process", "--engine-set", "command=x"),
        2,
        "engines.json",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_can_t_be_run_is_named(case: str, home: Path) -> None:
    arguments, code, told = WRONG[case]
    done = gate(home, *(word.replace("@", f"{home}/rows.csv") for word in arguments))
    assert (done.code, told in " ".join(done.output.split())) == (code, True), done.output


def test_a_folder_that_holds_something_is_not_written_to(home: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine").touch()
    done = gate(home, "skill", "run", "look", *given(home, "--into", str(tmp_path / "out")))
    assert (done.code, "isn't empty" in done.err) == (2, True), done.output


def test_a_skill_of_the_repository_is_not_run(home: Path, tmp_path: Path) -> None:
    repository = gr.make(tmp_path / "r", {}, {"tests_pass": True})
    (repository.root / "skills").mkdir()
    (home / ".config/verigate/skills/look").rename(repository.root / "skills/look")
    (tmp_path / "link").symlink_to(repository.root / "skills/look")
    for name in ("skills/look", f"{tmp_path}/link"):
        done = gate(home, "skill", "run", name, *given(home), cwd=repository.root)
        assert (done.code, "lies in the repository" in done.err) == (2, True), done.output


def test_skills_are_listed_with_how_each_reaches_the_model(home: Path) -> None:
    assert gate(home, "skill", "list", "-e", "process").out == "look  by prompt  Looks at rows\n"
    (listed,) = gate(home, "skill", "list", "-e", "claude-cli", "--json").json["skills"]
    assert (listed["id"], listed["delivery"]) == ("look", "flag")
    assert "no skills" in gate(home, "skill", "list", "-e", "http").err
