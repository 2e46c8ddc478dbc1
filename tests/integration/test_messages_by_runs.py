"""What messages say of tests and behaviour is judged by the runs of the whole change, with real pytest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

GOOD = "def total(prices):\n    return sum(prices)\n"
BROKEN = GOOD.replace("sum(prices)", "sum(prices) - 1")
TEST = "from shop import total\n\n\ndef test_none():\n    assert total\n"
NEW = TEST + "\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
ORDER = ["code:diff", "code:tests", "code:counterfactual"]
RULES = {"tests_pass": True, "statements": "require"}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A repository whose function is broken, and whose tests don't notice."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", {"code": {"order": ORDER, "required": ORDER, "optional": []}})
    found.put("config/verification.profiles.json", {"code_default": RULES})
    found.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    found.put("shop.py", BROKEN)
    found.put("test_shop.py", TEST)
    found.sample.commit("the base")
    return found


def judge(repository: gr.GatedRepository, base: str) -> tuple[str, Any]:
    done = repository.gate("verify", "--ref", "HEAD", "--base", base, "--stage", "ci", "--quiet", "--json")
    again = repository.gate("replay", "--json")
    assert again.json["agrees"], again.output
    checks = {each["id"]: each for each in done.json["checks"]}
    return done.json["status"], checks["gate.messages"]


def test_a_single_commit_is_judged_by_tests_and_cells(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", GOOD)
    repository.put("test_shop.py", NEW)
    repository.sample.commit("Add a regression test\n\n- All 2 tests pass\n- No behaviour change\n")
    status, check = judge(repository, "HEAD~1")
    assert status == "fail"
    # That a test proves a fix takes a measurement that only a task asks for.
    assert check["actual"] == {"holds": 1, "refuted": 1, "open": 1}
    assert "No behaviour change" in check["message"]


@pytest.mark.release
def test_a_wrong_number_of_tests_is_refuted(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", GOOD)
    repository.sample.commit("Sum the prices\n\nAll 212 tests pass.\n")
    status, check = judge(repository, "HEAD~1")
    assert status == "fail"
    assert "it needs tests.json /passed = 212" in check["message"]


@pytest.mark.release
def test_of_several_commits_the_newest_speaks_of_the_state_alone(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", GOOD)
    repository.sample.commit("All 212 tests pass")
    repository.put("test_shop.py", NEW)
    repository.sample.commit("Add a regression test\n\nAll 2 tests pass.\n")
    status, check = judge(repository, "HEAD~2")
    assert status == "pass"
    assert check["actual"] == {"holds": 1, "refuted": 0, "open": 2}
