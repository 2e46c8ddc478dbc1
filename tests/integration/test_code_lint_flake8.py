"""code:lint with real flake8, from a project's environment."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from code_repo import CodeRepo, make_repo
from project_programs import add_environment, write_program

WRONG = "import os\nx=1\n"
RIGHT = "X = 1\n"
SETTINGS = "[flake8]\nextend-exclude = made\n"
RUFF = '[tool.ruff]\nextend-exclude = ["made"]\n'


def make_project(folder: Path, files: dict[str, str], *, installed: bool = True) -> CodeRepo:
    repo = make_repo(folder, {".gitignore": ".venv/\nleft/\n", **files})
    if installed:
        add_environment(repo, "flake8")
    return repo


def run(repo: CodeRepo) -> dict[str, Any]:
    lint: dict[str, Any] = repo.run("code:lint", gated=True).json("lint.json")
    return lint


def list_issues(lint: dict[str, Any]) -> list[dict[str, Any]]:
    """The issues of flake8: ruff may be on PATH."""
    return [each for each in lint["issues"] if each["tool"] == "flake8"]


def show(issue: dict[str, Any]) -> str:
    return f"./{issue['path']}:{issue['line']}:{issue['column']}: {issue['rule']} {issue['message']}"


@pytest.mark.parametrize("name", [".flake8", "setup.cfg", "tox.ini"])
def test_what_flake8_prints_is_found(tmp_path: Path, name: str) -> None:
    files = {name: SETTINGS, "a.py": WRONG, "sub/b.py": RIGHT, "made/c.py": WRONG, "pyproject.toml": RUFF}
    repo = make_project(tmp_path, files)
    # Neither what git ignores nor the environment is of the project.
    repo.write({"left/d.py": WRONG, "made/c.py": f"{WRONG}y=2\n", "sub/b.py": f"{RIGHT}Y = 2\n"})
    lint = run(repo)
    argv = (repo.root / ".venv/bin/flake8", "./a.py", "./made", "./sub")
    printed = subprocess.run(argv, cwd=repo.root, capture_output=True, text=True, check=False).stdout
    found = [show(each) for each in list_issues(lint)]
    assert (found, len(found)) == (printed.splitlines(), 2)
    (tool,) = [each for each in lint["tools"] if each["name"] == "flake8"]
    assert (tool["errors"], tool["files_checked"]) == (2, 2)
    # What its settings leave out, no linter looked at.
    left = [(each["what"], each["path"]) for each in lint["unexamined_files"]]
    assert left == [("flake8+ruff", "made/c.py")]


def test_settings_change_no_report(tmp_path: Path) -> None:
    switches = "".join(f"{key} = true\n" for key in ("show-source", "statistics", "count", "exit-zero"))
    settings = f"{SETTINGS}{switches}output-file = out\nformat = pylint\n"
    repo = make_project(tmp_path, {".flake8": settings, "a.py": WRONG})
    assert [each["rule"] for each in list_issues(run(repo))] == ["F401", "E225"]
    assert not (repo.root / "out").exists()


def test_a_report_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    repo = make_project(tmp_path, {".flake8": f"{SETTINGS}quiet = 1\n", "a.py": WRONG})
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "flake8 ended with exit code 1 but reports 0 violations" in answer.stderr
    write_program(repo, "flake8", "#!/bin/sh\necho '7.0.0 (made)'\n")
    assert "flake8 checked no file" in repo.run("code:lint", gated=True).stderr


def test_what_is_not_installed_is_not_examined(tmp_path: Path) -> None:
    lint = run(make_project(tmp_path, {".flake8": SETTINGS, "a.py": RIGHT}, installed=False))
    why = "it is not installed in the project's environment, in version 3.9 or later: "
    how = "install it there with pip, as flake8"
    assert {"what": "flake8", "path": ".flake8", "why": f"{why}{how}"} in lint["unexamined"]


HIDES = """import flake8.style_guide
import flake8.main.application

flake8.style_guide.StyleGuideManager.handle_error = lambda *arguments, **options: 0


class Hides:
    name, version = "hides", "1"

    def __init__(self, tree):
        pass

    def run(self):
        return iter(())
"""


@pytest.mark.parametrize("name", [".flake8", "tox.ini"])
def test_plug_ins_of_the_project_could_hide_what_is_found(tmp_path: Path, name: str) -> None:
    plugins = "[flake8:local-plugins]\nextension =\n    H1 = hides:Hides\npaths = .\n"
    settings = {".flake8": SETTINGS} | {name: (SETTINGS if name == ".flake8" else "") + plugins}
    repo = make_project(tmp_path, {**settings, "hides.py": HIDES, "a.py": WRONG})
    lint = run(repo)
    (why,) = [each["why"] for each in lint["unexamined"] if each["what"] == "flake8"]
    assert "[flake8:local-plugins]" in why
    assert list_issues(lint) == []


def test_a_second_file_of_settings_takes_the_place_of_none(tmp_path: Path) -> None:
    repo = make_project(tmp_path, {".flake8": SETTINGS, "a.py": WRONG, "setup.cfg": "[flake8]\nselect = E9\n"})
    (why,) = [each["why"] for each in run(repo)["unexamined"] if each["what"] == "flake8"]
    assert "more than one file configures it" in why
