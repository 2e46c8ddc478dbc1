"""What ``gate adapter new`` makes in every language: its own tests hold, it conforms, and sources judge uncompiled.

Real: node, bash with jq, perl, ruby, go, rustc, cc, make.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from adapter_reports import check_adapter
from sample_repository import SampleRepository

from verigate.integrations.new_adapter import plan_new_files, write_new
from verigate.integrations.new_adapter.languages import LANGUAGES

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter for each language, as the command writes it."""
    folder = tmp_path_factory.mktemp("made")
    for name in LANGUAGES:
        write_new(folder / name, plan_new_files(name, name))
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_adapter_runs_by_hand_and_holds_its_own_tests(language: str, made: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "GATE": "true", "GATE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run((made / language / "check.sh",), env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    repository = SampleRepository.create(tmp_path / "repository")
    repository.write("a b.txt", "one\n<<<<<<< ours\n")
    repository.write("é.txt", "<<<<<<< ours")
    repository.path.joinpath("link").symlink_to("a b.txt")
    repository.git("add", "--all")
    task = tmp_path / "T_test"
    task.mkdir()

    def call(*arguments: str | Path) -> int:
        entry = made / language / "bin" / f"adapter-{language}"
        return subprocess.run((entry, *arguments), cwd=repository.path, env=environ, check=False).returncode

    # Nothing is built here: those that need it compile themselves.
    assert call(f"{language}:check", "--task-dir", task) == 0
    assert json.loads((task / f"{language}-check.json").read_bytes()) == {
        "files_checked": 2,
        "files_skipped": 1,
        "findings": [{"file": "a b.txt", "line": 2}, {"file": "é.txt", "line": 1}],
    }
    assert call(f"{language}:other", "--task-dir", task) == 2
    assert call(f"{language}:check", "--task", task) == 2
    assert call() == 2


@pytest.mark.release
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_adapter_conforms(language: str, made: Path) -> None:
    folder = made / language
    if LANGUAGES[language].compile:
        subprocess.run(("make", "--silent"), cwd=folder, check=True)
        program = folder / "build" / f"adapter-{language}"
        assert program.is_file()
    report = check_adapter(folder)
    assert report.findings == (), report.findings
    assert report.exit_code == 0


def test_what_is_built_is_run_while_it_was_built_from_these_sources(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write_new(folder, plan_new_files("mine", "c"))
    subprocess.run(("make", "--silent"), cwd=folder, check=True)
    program = folder / "build" / "adapter-mine"
    program.write_text("#!/bin/sh\necho built\n")

    def says() -> str:
        done = subprocess.run((folder / "bin" / "adapter-mine",), capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert says() == "built\n"
    (folder / "src" / "more.c").write_text("")
    assert says().startswith("usage: mine:check")
    # Without a compiler it says what to do.
    lean = tmp_path / "lean"
    lean.mkdir()
    for name in ("sh", "dirname", "sha256sum", "cat"):
        (lean / name).symlink_to(f"/usr/bin/{name}")
    done = subprocess.run(
        (folder / "bin" / "adapter-mine",), env={"PATH": str(lean)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "run make -C" in done.stderr) == (3, True), done.stderr


def test_the_repositorys_own_run_of_tests_finds_none_of_an_adapter(made: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*argv: str) -> tuple[int, str]:
        done = subprocess.run(argv, cwd=made, env=environ, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    collected = run(sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "python")
    assert collected[0] == pytest.ExitCode.NO_TESTS_COLLECTED, collected
    code, report = run("node", "--test", "--test-reporter=tap")
    assert (code, "# tests 0" in report) == (0, True), report
