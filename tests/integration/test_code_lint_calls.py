"""code:lint with calls of ruff and flake8 from the configuration, with the real linters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from code_repo import CodeRepo, make_repo
from project_programs import add_environment

WRONG = "import os\nx=1\n"
FUNCY = [["funcy"], ["--select=F,E5,W", "tests"]]
FILES = {
    ".gitignore": ".venv/\n",
    "tox.ini": "[flake8]\nignore = E302\nexclude = funcy/made.py\n",
    "funcy/a.py": WRONG,
    "funcy/made.py": WRONG,
    "tests/test_a.py": WRONG,
    "setup.py": WRONG,
}


def make_project(folder: Path, files: dict[str, str] | None = None) -> CodeRepo:
    repo = make_repo(folder, files or FILES)
    add_environment(repo, "flake8")
    return repo


def run(repo: CodeRepo, **calls: list[list[str]]) -> dict[str, Any]:
    lint: dict[str, Any] = repo.run("code:lint", gated=True, config={"linter_calls": calls}).json("lint.json")
    return lint


def show(lint: dict[str, Any], tool: str) -> list[tuple[str, str]]:
    return [(each["path"], each["rule"]) for each in lint["issues"] if each["tool"] == tool]


def test_flake8_finds_what_its_calls_find(tmp_path: Path) -> None:
    repo = make_project(tmp_path)
    found = [("funcy/a.py", "F401"), ("funcy/a.py", "E225"), ("tests/test_a.py", "F401")]
    lint = run(repo, flake8=FUNCY)
    assert show(lint, "flake8") == found
    assert [tool["files_checked"] for tool in lint["tools"] if tool["name"] == "flake8"] == [1, 1]
    # The same call twice, and one that has the findings of another, report each once.
    assert show(run(repo, flake8=[*FUNCY, ["--select=F", "."], ["funcy"]]), "flake8") == [
        *found[:2],
        ("setup.py", "F401"),
        found[2],
    ]


@pytest.mark.parametrize("linter", ["flake8", "ruff"])
def test_a_call_names_files_by_a_pattern(tmp_path: Path, linter: str) -> None:
    repo = make_project(tmp_path)
    repo.write({"-b.py": WRONG, "c.py": WRONG, "funcy/d/e.py": WRONG})
    found = {path for path, _ in show(run(repo, **{linter: [["*.py"]]}), linter)}
    assert found == {"-b.py", "c.py", "setup.py"}
    assert {path for path, _ in show(run(repo, **{linter: [["funcy/a*.py"]]}), linter)} == {"funcy/a.py"}


def test_what_no_call_of_flake8_looks_at_is_not_examined(tmp_path: Path) -> None:
    repo = make_project(tmp_path)
    repo.write({path: f"{WRONG}y = 2\n" for path in FILES if path.endswith(".py")})
    left = run(repo, flake8=FUNCY, ruff=[["funcy/a.py"]])["unexamined_files"]
    reasons = {each["path"]: each["why"] for each in left if each["what"] == "flake8+ruff"}
    assert list(reasons) == ["funcy/made.py", "setup.py"]
    assert reasons["setup.py"] == ("no configured call of ruff looks at it; no configured call of flake8 looks at it")
    # Excluded in one call and named by none of the others.
    excluded = run(repo, flake8=[["--extend-exclude=./setup.py", "."]], ruff=[["funcy/a.py"]])["unexamined_files"]
    assert [each["path"] for each in excluded] == ["funcy/made.py", "setup.py"]


def test_ruff_finds_what_its_calls_find(tmp_path: Path) -> None:
    files = {
        "conftest.py": WRONG,
        "tests/conftest.py": WRONG,
        "tests/a.py": WRONG,
        "src/b.py": WRONG,
        "made/c.py": WRONG,
    }
    repo = make_repo(
        tmp_path, {"pyproject.toml": '[tool.ruff]\nlint.exclude = ["made/*"]\nlint.select = ["F"]\n', **files}
    )
    repo.write(dict.fromkeys(files, f"{WRONG}y = 2\n"))
    lint = run(repo, ruff=[["--extend-exclude=./conftest.py,tests/a.py", "."]])
    assert show(lint, "ruff") == [("src/b.py", "F401"), ("tests/conftest.py", "F401")]
    assert [each["path"] for each in lint["unexamined_files"]] == ["conftest.py", "made/c.py", "tests/a.py"]
    lint = run(repo, ruff=[["--select=E", "src"], ["--ignore=E", "--force-exclude", "tests", "conftest.py"]])
    assert [path for path, _ in show(lint, "ruff")] == ["conftest.py", "tests/a.py", "tests/conftest.py"]
    assert [each["path"] for each in lint["unexamined_files"]] == ["made/c.py"]


def test_a_call_that_checks_nothing_is_an_error(tmp_path: Path) -> None:
    repo = make_project(tmp_path, {**FILES, "docs/a.txt": ""})
    for tool in ("ruff", "flake8"):
        answer = repo.run("code:lint", gated=True, config={"linter_calls": {tool: [["docs"]]}})
        assert answer.exit_code != 0
        assert f"{tool} checked no file" in answer.stderr


@pytest.mark.parametrize(
    ("calls", "where", "says"),
    [
        ([], "", "is not an object"),
        ({"pylint": [["."]]}, "/pylint", "is no linter"),
        ({"ruff": []}, "/ruff", "is not a list of calls"),
        ({"ruff": [[]]}, "/ruff/0", "is not a list of arguments"),
        ({"ruff": [["."], "."]}, "/ruff/1", "is not a list of arguments"),
        ({"flake8": [[1]]}, "/flake8/0", "is not a list of arguments"),
        ({"flake8": [["a\0"]]}, "/flake8/0", "has a NUL character"),
        ({"flake8": [["/etc"]]}, "/flake8/0", "which is no path in the repository"),
        ({"flake8": [["funcy/../.."]]}, "/flake8/0", "which is no path in the repository"),
        ({"ruff": [["@words"]]}, "/ruff/0", "which is no path in the repository"),
        ({"flake8": [["--select", "F", "funcy"]]}, "/flake8/0", "is written with ="),
        ({"flake8": [["funcy", "funcy/a.py"]]}, "/flake8/0", "names a place twice"),
        ({"flake8": [["funcy", "."]]}, "/flake8/0", "names a place twice"),
        *(
            ({"ruff": [[word, "funcy"]]}, "/ruff/0", "choose rules and files")
            for word in (
                *("--fix", "--fix-only", "--diff", "--watch", "-w", "-e", "--exit-zero", "--output-format=text", "-q"),
                *("--add-noqa", "--show-files", "--statistics", "--stdin-filename=a.py", "--config=a.toml", "--select"),
                *("--respect-gitignore", "--output-file=a", "--cache-dir=a", "--"),
            )
        ),
        *(
            ({"flake8": [[word, "funcy"]]}, "/flake8/0", "change the report")
            for word in (
                *(
                    "--exit-zero",
                    "--exit-z",
                    "--format=a",
                    "--form=a",
                    "--output-file=a",
                    "--tee",
                    "-q",
                    "--quiet",
                    "-",
                ),
                *(
                    "--config=a",
                    "--append-config=a",
                    "--filename=a.py",
                    "--fi=a.py",
                    "--stdin-display-name=a",
                    "--diff",
                ),
                *("--show-source", "--count", "--"),
            )
        ),
    ],
)
def test_calls_that_can_not_be_used_are_refused(tmp_path: Path, calls: Any, where: str, says: str) -> None:
    repo = make_repo(tmp_path, FILES)
    answer = repo.run("code:lint", gated=True, config={"linter_calls": calls})
    assert answer.exit_code == 2
    assert f"configuration of code, /linter_calls{where}" in answer.stderr
    assert says in answer.stderr


def test_local_plug_ins_stay_unread(tmp_path: Path) -> None:
    plugins = "[flake8:local-plugins]\nextension =\n    H1 = hides:Hides\n"
    lint = run(make_project(tmp_path, {**FILES, "tox.ini": plugins}), flake8=FUNCY)
    assert [each["path"] for each in lint["unexamined"] if each["what"] == "flake8"] == ["tox.ini"]
    assert show(lint, "flake8") == []


def test_flake8_that_is_called_without_settings_is_due(tmp_path: Path) -> None:
    bare = {path: text for path, text in FILES.items() if path != "tox.ini"}
    repo = make_repo(tmp_path, bare)
    lint = run(repo, flake8=FUNCY)
    assert [each["path"] for each in lint["unexamined"] if each["what"] == "flake8"] == ["config/adapters.json"]
    add_environment(repo, "flake8")
    assert len(show(run(repo, flake8=FUNCY), "flake8")) == 5
