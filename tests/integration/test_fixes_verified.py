"""Fixes on a real repository: each outcome of rule, unit and statement, and that a replay decides the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

GOOD = "def total(prices):\n    return sum(prices)\n"
BROKEN = GOOD.replace("sum(prices)", "sum(prices) - 1")
TEST = (
    "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\n"
    "def test_none():\n    assert total\n"
)
ORDER = ["code:diff"]
TYPES = ("code", "facts")
RULES = {"fixes_proven": True, "required_artifacts": ["diff.json"]}
NAMED = {"requirements": {"fixes": ["test_shop.py::test_total"]}}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A repository with a test that fails."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", {name: {"order": ORDER, "required": ORDER, "optional": []} for name in TYPES})
    found.put("config/verification.profiles.json", dict.fromkeys(("code_default", "facts"), RULES))
    found.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    found.put("shop.py", BROKEN)
    found.put("test_shop.py", TEST)
    found.sample.commit("the base")
    return found


def verify(repository: gr.GatedRepository) -> dict[str, tuple[str, str | None]]:
    """Verify, check that a replay decides the same, and return outcome and reason of each check."""
    done = repository.gate("verify", "T1", "--quiet", "--json")
    again = repository.gate("replay", "T1", "--json")
    assert again.json["agrees"], again.output
    assert again.code == done.code
    return _read_checks(done.json)


def _read_checks(verdict: Any) -> dict[str, tuple[str, str | None]]:
    checks = {each["id"]: (each["outcome"], each.get("reason")) for each in verdict["checks"]}
    return {"status": (verdict["status"], None), **checks}


def test_each_outcome_of_a_committed_fix_is_decided_again(repository: gr.GatedRepository) -> None:
    repository.begin(**NAMED)
    repository.claim("fix:test_total", statements=["Fixed `test_total`."])
    repository.put("shop.py", GOOD)
    proven = verify(repository)
    assert proven["status"] == ("pass", None), proven
    assert {proven[name] for name in ("code.fixes_proven", "unit:fix:test_total", "unit:statement:1")} == {
        ("holds", None)
    }
    (test,) = repository.published("counterfactual.json")["tests"]
    assert (test["class"], test["proof"]["lines"], test["proof"]["control"]) == ("fixed", ["shop.py:2"], "P")

    # A part of the plan isn't published.
    only = repository.gate("verify", "T1", "--quiet", "--json", "--only", "code:diff").json
    assert _read_checks(only)["code.fixes_proven"] == ("unknown", "ARTIFACT_MISSING")

    repository.put("shop.py", f"{BROKEN}\n\nRATE = 2\n")
    repository.put("test_shop.py", TEST.replace("== 3", "== 2"))
    refuted = verify(repository)
    assert refuted["status"] == ("fail", None)
    assert refuted["code.fixes_proven"] == refuted["unit:fix:test_total"] == ("refuted", "FIX_UNPROVEN")
    assert refuted["unit:statement:1"] == ("refuted", "CLAIM_REFUTED")


def test_a_fix_whose_test_does_not_run_on_the_base_is_undecided_again(repository: gr.GatedRepository) -> None:
    repository.begin(requirements={"fixes": ["test_half"]})
    repository.claim("fix:test_half")
    repository.put("shop.py", f"{GOOD}\n\ndef half(n):\n    return n // 2\n")
    repository.put("test_half.py", "from shop import half\n\n\ndef test_half():\n    assert half(4) == 2\n")
    found = verify(repository)
    assert found["status"] == ("inconclusive", None)
    assert found["code.fixes_proven"] == found["unit:fix:test_half"] == ("unknown", "CLAIM_UNSUPPORTED")


@pytest.mark.release
def test_a_task_without_a_fix_needs_none_and_a_crash_is_an_error(repository: gr.GatedRepository) -> None:
    repository.begin()
    repository.claim("file:shop.py")
    repository.put("shop.py", GOOD)
    found = verify(repository)
    assert found["code.fixes_proven"] == ("not_applicable", None)
    assert "capability:code:counterfactual" not in found

    crashing = ["my:check"]
    gr.adapter_files(repository, "mine", crashing, {}, {"my:check": "exit 1"})
    planned = [*ORDER, *crashing]
    plan = {name: {"order": planned, "required": planned, "optional": []} for name in TYPES}
    repository.put("config/adapter-plan.json", plan)
    repository.sample.git("stash", "--quiet", "--", "shop.py")
    repository.sample.commit("A capability that crashes")
    repository.sample.git("stash", "pop", "--quiet")
    repository.begin(**NAMED)
    crashed = verify(repository)
    assert crashed["status"] == ("error", None)
    assert crashed["code.fixes_proven"] == ("holds", None)
