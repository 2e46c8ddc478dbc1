"""Which workers of pytest-xdist a project's own calls of pytest start, read from its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from code_adapter.own_calls.workers import names_workers, read_workers
from code_adapter.subject_files import SubjectFiles

WORKFLOW = ".github/workflows/a.yml"


def read(folder: Path, files: Mapping[str, str], project: str = "") -> tuple[str, ...]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return read_workers(SubjectFiles(folder, tuple(sorted(files))), project)


def tox(*commands: str, name: str = "testenv") -> dict[str, str]:
    return {"tox.ini": f"[{name}]\ncommands =\n" + "".join(f"    {each}\n" for each in commands)}


BLACK = ("pip install -e .", "pytest tests --run-optional no_jupyter \\\n --numprocesses auto \\\n --cov {posargs}")
NOX = """import nox

@nox.session
def tests(session):
    session.install("pytest", "pytest-xdist")
    session.run("pytest", "-n", "auto", "--dist=worksteal", *session.posargs)
"""
HATCH = '[tool.hatch.envs.default.scripts]\ntest = "pytest -nlogical {args:tests}"\n'
TOX_TOML = '[env_run_base]\ncommands = [["pytest", "-n=2", { replace = "posargs", default = ["tests"] }]]\n'
MAKE = (
    "WORKERS = 4\ntest:\n"
    "\tuv run --with pytest-xdist python -m pytest -x -n $(WORKERS) --dist loadfile --maxprocesses=3 tests\n"
)
PIPELINE = """on: push
jobs:
  test:
    steps:
      - run: |
          pip install pytest pytest-xdist
          pytest -n 8
"""


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (tox(*BLACK), ("-n", "auto")),
        (tox("pytest -n 2", name="testenv:{,ci-}pypy3"), ("-n", "2")),
        (tox("pytest -n 2", name="testenv:{ py311, lint }-x"), ("-n", "2")),
        ({"noxfile.py": NOX}, ("-n", "auto", "--dist", "worksteal")),
        ({"pyproject.toml": HATCH}, ("-n", "logical")),
        ({"tox.toml": TOX_TOML}, ("-n", "2")),
        ({"Makefile": MAKE}, ("-n", "4", "--dist", "loadfile", "--maxprocesses", "3")),
        ({WORKFLOW: PIPELINE}, ("-n", "8")),
    ],
    ids=["black", "generative", "spaces", "nox", "hatch", "tox.toml", "make", "pipeline"],
)
def test_workers(tmp_path: Path, files: dict[str, str], found: tuple[str, ...]) -> None:
    assert read(tmp_path, files) == found


@pytest.mark.parametrize(
    "files",
    [
        {},
        tox("pytest"),
        tox("pytest -n0"),
        tox("pytest -n 0 --dist=loadfile"),
        tox("pytest -n auto --dist=no"),
        tox("pytest -n auto --dist=each"),
        tox("pytest -n {env:WORKERS:auto}"),
        tox("pytest -n $WORKERS"),
        tox("pytest -n 100"),
        tox("pytest -n 'auto; rm'"),
        tox("pytest -k -n auto"),
        tox("pytest --dist=loadfile"),
        tox("pytest -n"),
        tox("# pytest -n auto"),
        tox("pytest -n auto 'unfinished"),
        tox("pip install pytest -n auto"),
        tox("pytest -n auto", name="testenv:docs"),
        tox("pytest -n auto", name="testenv:{docs,lint}-x"),
        tox("pytest -n auto --collect-only"),
        {"noxfile.py": NOX.replace('"auto"', "str(WORKERS)")},
    ],
)
def test_no_workers(tmp_path: Path, files: dict[str, str]) -> None:
    assert read(tmp_path, files) == ()


def test_tests_that_run_alone_keep_all_tests_out_of_workers(tmp_path: Path) -> None:
    assert read(tmp_path, tox("pytest -n auto -m 'not serial'", "pytest -m serial")) == ()
    assert read(tmp_path, tox("pytest -n auto", "pytest --version")) == ("-n", "auto")


def test_the_first_file_that_calls_pytest_decides(tmp_path: Path) -> None:
    assert read(tmp_path / "a", {**tox("pytest"), "noxfile.py": NOX}) == ()
    assert read(tmp_path / "b", {**tox("mypy"), "noxfile.py": NOX, WORKFLOW: "jobs: {a: {steps: [{run: pytest}]}}"})
    assert read(tmp_path / "c", {**tox("pytest -n auto"), WORKFLOW: PIPELINE}) == ("-n", "auto")


def test_each_project_has_its_own_calls(tmp_path: Path) -> None:
    files = {"lib/tox.ini": tox("pytest -n auto")["tox.ini"], WORKFLOW: PIPELINE}
    assert read(tmp_path, files, "lib") == ("-n", "auto")
    assert read(tmp_path, files) == ("-n", "8")


@pytest.mark.parametrize(
    "options", [["-n", "2"], ["-nauto"], ["--numprocesses=2"], ["--dist", "load"], ["--tx=2*popen"]]
)
def test_options_that_are_about_workers(options: list[str]) -> None:
    assert names_workers(["-q", *options])
    assert not names_workers(["-q", "--no-cov", "-p", "no:xdist"])
