"""The examples of the pages about reason codes: what the real command line prints, for each code of a check."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from document_site.reason_runs import RUNS, WITHOUT, Run, read_examples, run_examples
from forked_programs import GATE

from verigate.reporting.reasons import REASONS


def test_there_is_one_for_each_code_that_a_check_fails_with() -> None:
    assert set(read_examples()) == set(REASONS) - WITHOUT == {code for run in RUNS for code in run.codes}


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.scenario.__name__)
def test_an_example_is_what_the_gate_prints(run: Run, tmp_path: Path) -> None:
    kept = {code: example for code, example in read_examples().items() if code in run.codes}
    assert run_examples(run, tmp_path) == kept, "PYTHONPATH=tests/support .venv/bin/python -m document_site.reason_runs"


def explain(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = {name: os.environ[name] for name in ("PATH", "HOME")}
    return subprocess.run((*GATE, "explain", *words), cwd=cwd, env=environ, capture_output=True, text=True, check=False)


def test_a_code_is_explained_without_a_repository(tmp_path: Path) -> None:
    done = explain("TEST_FAIL", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "http" not in done.stdout
    assert explain("TEST_FALL", cwd=tmp_path).returncode == 2


def test_a_task_that_has_a_code_for_its_name_goes_first(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "--quiet", tmp_path), check=True)
    (tmp_path / ".artifacts" / "TEST_FAIL").mkdir(parents=True)
    done = explain("TEST_FAIL", cwd=tmp_path)
    assert done.returncode != 0
    assert "settle" not in done.stdout
