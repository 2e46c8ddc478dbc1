"""gate history mine on transcripts that the real claude, codex and gemini write, and on a home without any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_programs import PROGRAMS, SHELLS, Program, run_program
from agent_repository import WORKS, make
from defusedxml import ElementTree
from gated_repository import GatedRepository
from scripted_models import Says, Step, serving

READ = tuple(program for program in PROGRAMS if program.name in {"claude", "codex", "gemini"})
SAID = "I added add(). All tests pass."
TESTS = "grep -q 'a + b' shop.py\n"
"""bin/test of the project: passes if shop.py adds."""


def _drive(program: Program, repository: GatedRepository, *steps: Step) -> None:
    with serving(program.protocol, steps) as (address, script):
        done = run_program(program, repository, address)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert script.steps == [], f"{done.stdout}\n{done.stderr}"


def _project(folder: Path) -> GatedRepository:
    repository = make(folder)
    repository.put("bin/test", TESTS)
    repository.sample.commit("tests")
    return repository


@pytest.mark.slow
@pytest.mark.parametrize("program", READ, ids=lambda program: program.name)
def test_real_transcripts_say_what_ran_and_how_it_ended(program: Program, tmp_path: Path) -> None:
    repository = _project(tmp_path)
    shop = repository.root / "shop.py"
    check = SHELLS[program.name]("sh bin/test")
    broken = "def add(a, b):\n    return 0\n"
    _drive(program, repository, check, program.write(shop, "", broken), check, Says(SAID))
    done = repository.gate("history", "mine", "--json")
    assert done.code == 0, done.output
    (said,) = done.json["said"]
    assert (said["host"], said["standing"], said["topics"]) == (program.name, "failed", ["tests"])
    assert said["statements"] == ["I added add().", "All tests pass."]
    assert said["folder"] == str(repository.root)
    assert "sh bin/test" in said["run"]["command"]
    assert said["run"]["exit_code"] == 1
    assert (said["files_edited"], said["files_present"], said["verdict"]) == (1, 1, None)
    assert done.json["all"]["share"] == 1.0
    assert done.json["unread"] == {"files": 0, "lines": 0}
    assert [host for host, found in done.json["hosts"].items() if found["sessions"]] == [program.name]


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize("program", READ, ids=lambda program: program.name)
@pytest.mark.parametrize("after", [True, False], ids=["after", "before"])
def test_a_run_counts_after_the_last_edit_only(program: Program, tmp_path: Path, *, after: bool) -> None:
    repository = _project(tmp_path)
    check = SHELLS[program.name]("sh bin/test")
    first = program.write(repository.root / "shop.py", "", WORKS)
    second = program.write(repository.root / "other.py", "", "x = 1\n")
    _drive(program, repository, first, *((second, check) if after else (check, second)), Says(SAID))
    done = repository.gate("history", "mine", "--host", program.name, "--here")
    assert done.code == 0, done.output
    word = "0 of 1 times done (0%)" if after else "1 of 1 times done (100%)"
    assert f"1 session: {word} had no run after the last edit that is known to have passed" in done.out
    assert ("checks ran before the last edit only: sh bin/test (exit code 0)" in done.out) is not after


@pytest.mark.release
@pytest.mark.slow
def test_a_command_that_was_refused_never_ran(tmp_path: Path) -> None:
    program = PROGRAMS[0]
    repository = _project(tmp_path)
    repository.put("bin/check", TESTS)
    refused = SHELLS[program.name]("sh bin/check")
    _drive(program, repository, program.write(repository.root / "shop.py", "", WORKS), refused, Says("I added add()."))
    (said,) = repository.gate("history", "mine", "--json").json["said"]
    assert (said["standing"], said["run"]) == ("none", None)


@pytest.mark.release
@pytest.mark.slow
def test_the_verdict_on_that_message_is_found_today(tmp_path: Path) -> None:
    program = PROGRAMS[0]
    repository = _project(tmp_path)
    assert repository.gate("install", "--agent", program.name).code == 0
    repository.sample.commit("hooks")
    _drive(program, repository, program.write(repository.root / "shop.py", "", WORKS), Says("I added add()."))
    done = repository.gate("history", "mine", "--json")
    (said,) = done.json["said"]
    assert (said["standing"], said["verdict"]) == ("none", "pass")
    (folder,) = done.json["folders"]
    assert (folder["root"], folder["verdicts"]) == (str(repository.root), {"pass": 1})


def _write_session(home: Path, folder: str, said: str = SAID) -> None:
    path = home / ".claude/projects/p/s1.jsonl"
    path.parent.mkdir(parents=True)
    entry = {"timestamp": "2026-11-26T16:24:29.721Z", "cwd": folder, "sessionId": "s1"}
    edit = {"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": f"{folder}/a.py"}}
    parts = [("user", "Do it"), ("assistant", [edit]), ("assistant", [{"type": "text", "text": said}])]
    lines = [json.dumps({**entry, "type": kind, "message": {"role": kind, "content": text}}) for kind, text in parts]
    path.write_text("\n".join(lines) + "\n")


def test_no_session_is_nothing_to_count(tmp_path: Path) -> None:
    repository = make(tmp_path)
    done = repository.gate("history", "mine")
    assert done.code == 0, done.output
    assert done.out.endswith("no session was found: nothing to count\n")
    assert repository.gate("history", "mine", "--json").json["all"]["share"] is None


def test_a_folder_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    repository = make(tmp_path)
    _write_session(repository.home, "/nowhere/at/all")
    done = repository.gate("history", "mine")
    assert "/nowhere/at/all  1          0               gone" in done.out
    assert "no check ran" in done.out
    here = repository.gate("history", "mine", "--here")
    assert "no session was found" in here.out


def test_shares_are_drawn_by_week_and_nothing_else_is_written(tmp_path: Path) -> None:
    repository = make(tmp_path)
    _write_session(repository.home, str(repository.root))
    before = sorted(repository.root.rglob("*"))
    drawn = tmp_path / "shares.svg"
    done = repository.gate("history", "mine", "--plot", str(drawn))
    assert done.code == 0, done.output
    texts = {element.text for element in ElementTree.fromstring(drawn.read_bytes()).iter() if element.text}
    assert {"passed", "none", "failed", "2026-11-23"} <= texts
    assert sorted(repository.root.rglob("*")) == before


def test_an_unknown_host_and_a_home_that_is_none_are_refused(tmp_path: Path) -> None:
    repository = make(tmp_path)
    refused = repository.gate("history", "mine", "--host", "cluade")
    assert (refused.code, refused.out) == (2, ""), refused.output
    assert "did you mean 'claude'?" in refused.err
    lost = repository.gate("history", "mine", HOME="")
    assert lost.code == 2, lost.output
    assert "HOME" in lost.err
