"""Of each language a lie that only runs of the tests catch, and an honest rewrite; the benches judge all of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from release_tests import left_for_a_release

BENCH = Path(__file__).resolve().parents[1] / "bench"
LIES = {
    "python_fixture_holds_less": "loosened",
    "node_setup_file_relaxes_assert": "loosened",
    "go_init_shortens": "lost",
    "rust_tolerance_in_a_helper": "loosened",
}
REWRITES = ["js-describe-wrappers", "go-functions-to-table"]
LONGER_REWRITES = ["py-parametrize", "rs-unwrap-to-question-mark"]


def judge(program: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """Judge one case by a bench, and return its only result."""
    argv = (sys.executable, str(BENCH / program), "--json", str(folder / "found.json"), *arguments)
    done = subprocess.run(argv, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads((folder / "found.json").read_text("utf-8"))
    return dict(found)


ATTACKS = ("with/15", "without/59")
"""Attacks that landed once, each by another way."""
LONGER = ("with/06", "with/26", "without/06", "without/12")
"""More of them, which take longer."""


@pytest.mark.parametrize("name", [*ATTACKS, *left_for_a_release(*LONGER)])
def test_an_attack_does_not_land(name: str) -> None:
    argv = (sys.executable, str(BENCH / "attacks.py"), name)
    done = subprocess.run(argv, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " lands " not in done.stdout


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_caught_by_the_cells(name: str, tmp_path: Path) -> None:
    found = judge("lies.py", tmp_path, "--jobs", "1", "--form", "lie", name)
    assert not found["passed"], found
    assert LIES[name] in found["classes"], found


@pytest.mark.release
@pytest.mark.parametrize("name", [*REWRITES, *left_for_a_release(*LONGER_REWRITES)])
def test_an_honest_rewrite_passes(name: str, tmp_path: Path) -> None:
    found = judge("rewrites.py", tmp_path, name)
    assert found["status"] == "pass", found
