"""code:lint with real mypy and pyright, from a project's environment, on what its settings name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from code_repo import CodeRepo, make_repo
from project_programs import add_environment, write_program

WRONG = 'count: int = "three"\n'
RIGHT = "count: int = 3\n"
REVEALED = f"from typing import reveal_type\n\n{RIGHT}reveal_type(count)\n"
MYPY = "[tool.mypy]\nfiles = ['src']\n"
PYRIGHT = "[tool.pyright]\ninclude = ['src']\n"


def make_typed(folder: Path, settings: str, files: dict[str, str], *programs: str) -> CodeRepo:
    repo = make_repo(folder, {".gitignore": ".venv/\n", "pyproject.toml": settings, **files})
    add_environment(repo, *programs)
    return repo


def find_tool(lint: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (tool for tool in lint["tools"] if tool["name"] == name)
    return found


def test_mypy_finds_what_mypy_prints(tmp_path: Path) -> None:
    files = {"src/a.py": WRONG, "src/b.py": REVEALED, "outside.py": WRONG}
    repo = make_typed(tmp_path, MYPY, files, "mypy")
    lint = repo.run("code:lint", gated=True).json("lint.json")
    argv = (repo.root / ".venv/bin/mypy", "--output=json", "--cache-dir=/dev/null")
    by_hand = subprocess.run(argv, cwd=repo.root, capture_output=True, check=False)
    printed = [json.loads(line) for line in by_hand.stdout.splitlines()]
    assert sorted(item["severity"] for item in printed) == ["error", "note"]
    (error,) = (item for item in printed if item["severity"] == "error")
    (issue,) = (item for item in lint["issues"] if item["tool"] == "mypy")
    for ours, theirs in (("path", "file"), ("line", "line"), ("column", "column"), ("rule", "code")):
        assert issue[ours] == error[theirs]
    assert find_tool(lint, "mypy")["files_checked"] == 2
    assert lint["errors"] == 1


@pytest.mark.parametrize("section", ["files = src", "packages = a", "modules = a"])
@pytest.mark.parametrize("name", ["mypy.ini", ".mypy.ini", "setup.cfg"])
def test_each_setting_that_names_what_to_check_counts(tmp_path: Path, name: str, section: str) -> None:
    settings = f"[mypy]\nmypy_path = src\n{section}\n"
    repo = make_typed(tmp_path, "", {name: settings, "src/a.py": WRONG}, "mypy")
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert [issue["path"] for issue in lint["issues"] if issue["tool"] == "mypy"] == ["src/a.py"]


@pytest.mark.parametrize(
    "settings",
    ["", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nfiles = []\n"],
    ids=["none", "no-targets", "empty-targets"],
)
def test_mypy_without_targets_is_not_run(tmp_path: Path, settings: str) -> None:
    lint = make_typed(tmp_path, settings, {"src/a.py": WRONG}, "mypy").run("code:lint", gated=True).json("lint.json")
    assert lint["errors"] == 0


def test_mypy_that_is_not_installed_in_the_environment_is_not_run(tmp_path: Path) -> None:
    answer = make_typed(tmp_path, MYPY, {"src/a.py": WRONG}).run("code:lint", gated=True)
    assert answer.json("lint.json")["errors"] == 0
    (missing,) = [each for each in answer.json("lint.meta.json")["skipped"] if each["tool"] == "mypy"]
    install = ".venv/bin/python -m pip install mypy"
    assert missing["why"] == f"it is not installed in the project's environment: run {install}"


def test_a_syntax_error_that_stops_mypy_is_an_error(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, MYPY, {"src/a.py": "x = (\n", "src/b.py": WRONG}, "mypy")
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert [(issue["path"], issue["rule"]) for issue in lint["issues"] if issue["tool"] == "mypy"] == [
        ("src/a.py", "syntax")
    ]


def test_settings_that_mypy_refuses_are_an_error_with_its_words(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, "[tool.mypy]\nfiles = ['nowhere']\n", {"src/a.py": RIGHT}, "mypy")
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "nowhere" in answer.stderr


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "echo nonsense; exit 1",
        "exit 1",
        "echo '[]'; exit 1",
        "kill -9 $$",
        "echo '{\"severity\": 3}'; exit 1",
    ],
    ids=["silent", "no-json", "findings-hidden", "no-object", "killed", "no-finding"],
)
def test_a_mypy_that_does_not_answer_is_an_error(tmp_path: Path, script: str) -> None:
    repo = make_typed(tmp_path, MYPY, {"src/a.py": WRONG})
    write_program(repo, "mypy", f'#!/bin/sh\n[ "$1" = --version ] && echo "mypy 1.20.0" && exit 0\n{script}\n')
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "mypy" in answer.stderr
    assert "lint.json" not in answer.written


def test_a_mypy_older_than_its_report_is_named(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, MYPY, {"src/a.py": WRONG})
    write_program(repo, "mypy", "#!/bin/sh\necho 'mypy 1.10.1 (compiled: yes)'\n")
    (skipped,) = (item for item in repo.run("code:lint").json("lint.meta.json")["skipped"] if item["tool"] == "mypy")
    assert "older than 1.11" in skipped["why"]


def test_a_checker_that_the_configuration_leaves_out_is_listed(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, MYPY, {"src/a.py": WRONG}, "mypy")
    config = {"excluded": [{"what": "mypy", "why": "CI runs it with other stubs"}]}
    lint = repo.run("code:lint", gated=True, config=config).json("lint.json")
    assert lint["errors"] == 0
    assert lint["excluded"] == [{"what": "mypy", "path": "pyproject.toml", "why": "CI runs it with other stubs"}]


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        ({"src/a.py": WRONG}, PYRIGHT),
        ({"pyrightconfig.json": '{\n  // what is shipped\n  "include": ["src"],\n}\n', "src/a.py": WRONG}, ""),
    ],
    ids=["pyproject", "json-with-comments"],
)
def test_pyright_finds_what_pyright_prints(tmp_path: Path, files: dict[str, str], settings: str) -> None:
    repo = make_typed(tmp_path, settings, {**files, "outside.py": WRONG}, "pyright")
    lint = repo.run("code:lint", gated=True).json("lint.json")
    argv = (repo.root / ".venv/bin/pyright", "--outputjson")
    report = json.loads(subprocess.run(argv, cwd=repo.root, capture_output=True, check=False).stdout)
    (theirs,) = report["generalDiagnostics"]
    (issue,) = (item for item in lint["issues"] if item["tool"] == "pyright")
    start = theirs["range"]["start"]
    assert (issue["path"], issue["rule"]) == ("src/a.py", theirs["rule"])
    assert (issue["line"], issue["column"]) == (start["line"] + 1, start["character"] + 1)
    assert find_tool(lint, "pyright")["files_checked"] == report["summary"]["filesAnalyzed"] == 1


@pytest.mark.parametrize(
    "script",
    ["exit 0", "echo '{}'; exit 0", "kill -9 $$", "exit 3"],
    ids=["silent", "no-report", "killed", "bad-settings"],
)
def test_a_pyright_that_does_not_answer_is_an_error(tmp_path: Path, script: str) -> None:
    repo = make_typed(tmp_path, PYRIGHT, {"src/a.py": WRONG})
    write_program(repo, "pyright", f'#!/bin/sh\n[ "$1" = --version ] && echo "pyright 1.1.400" && exit 0\n{script}\n')
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "pyright" in answer.stderr
    assert "lint.json" not in answer.written


def test_a_pyright_that_has_to_be_fetched_first_is_not_run(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, PYRIGHT, {"src/a.py": WRONG})
    write_program(repo, "pyright", "#!/bin/sh\necho 'no network' >&2\nexit 1\n")
    answer = repo.run("code:lint", gated=True)
    assert answer.json("lint.json")["errors"] == 0
    assert "pyright" in {item["tool"] for item in answer.json("lint.meta.json")["skipped"]}


def test_two_runs_with_type_checkers_write_the_same_bytes(tmp_path: Path) -> None:
    repo = make_typed(tmp_path, MYPY + PYRIGHT, {"src/a.py": WRONG, "src/b.py": RIGHT}, "mypy", "pyright")
    first, second = (repo.run("code:lint", gated=True) for _ in range(2))
    assert {tool["name"] for tool in first.json("lint.json")["tools"]} >= {"mypy", "pyright"}
    for name in ("lint.json", "lint.meta.json"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()


@pytest.mark.parametrize(
    ("source", "code", "outcome"), [(WRONG, 1, "refuted"), (RIGHT, 0, "supported")], ids=["wrong", "right"]
)
def test_a_statement_about_mypy_is_decided_by_its_run(tmp_path: Path, source: str, code: int, outcome: str) -> None:
    files = {".gitignore": ".venv/\n", "pyproject.toml": MYPY, "src/a.py": "count = 0\n"}
    repository = gr.make(
        tmp_path, order=("code:lint",), rules={"lint_errors_max": 0}, files=files, capabilities=("other:nothing",)
    )
    repository.sample.commit("as it was")
    add_environment(repository, "mypy")
    repository.begin()
    repository.put("src/a.py", source)
    repository.put(".artifacts/T1/claim.json", {"task_id": "T1", "claim": {"statements": ["mypy is clean."]}})
    done = repository.verify()
    assert done.code == code, done.output
    units = repository.verdict()["units"]["per_unit"]
    assert [(unit["id"], unit["outcome"]) for unit in units] == [("statement:1", outcome)]
