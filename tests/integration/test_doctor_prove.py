"""``gate doctor --prove``: rules that stop what is planted, one that doesn't, and those that nothing is planted for."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from release_tests import some_always
from sample_repository import SampleRepository

ORDER = ["code:diff", "code:functions", "code:integrity", "code:lint", "code:tests", "code:coverage", "code:build"]
PLAN = {"code": {"order": ORDER, "required": ["code:diff"], "optional": ORDER[1:]}}
GROUPS: tuple[dict[str, Any], ...] = (
    {"lint_errors_max": 0, "build_success": True, "tests_pass": True, "tests_min": 1, "skipped_max": 0},
    {"coverage_min": 0.5, "patch_coverage_min": 0.9, "units_match": True},
    {"fixes_proven": True, "integrity": True, "reject_unclaimed_changes": True},
)
UNPLANTED = {
    "required_artifacts": ["diff.json"],
    "rules": [{"id": "few", "expr": 'artifacts["diff.json"].total_changes <= 9'}],
}
SHOP = "def total(prices):\n    return sum(prices)\n"
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
REPORT = '<testsuite tests="1" failures="0"><testcase name="test_total" classname="test_shop"/></testsuite>'


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A Python project whose profile asks for much."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", PLAN)
    found.put("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n")
    found.put("shop.py", SHOP)
    found.put("test_shop.py", TEST)
    found.sample.commit("the base")
    return found


def prove(repository: gr.GatedRepository) -> tuple[int, dict[str, Any]]:
    done = repository.gate("doctor", "--prove", "--json")
    return done.code, {each["rule"]: each for each in done.json["proofs"]}


@pytest.mark.slow
@pytest.mark.parametrize("rules", some_always(GROUPS, lambda rules: next(iter(rules)), GROUPS[2].__eq__, one_in=1000))
def test_each_active_rule_stops_its_plant_and_nothing_is_left(
    repository: gr.GatedRepository, rules: dict[str, Any]
) -> None:
    repository.put("config/verification.profiles.json", {"code_default": {**rules, **UNPLANTED}})
    repository.sample.commit("the rules")
    before = {str(path): path.read_bytes() for path in repository.root.rglob("*") if path.is_file()}
    refs = repository.sample.git("for-each-ref")
    code, proofs = prove(repository)
    unproven = {rule for rule, each in proofs.items() if each["state"] == "unproven"}
    assert unproven == {"any.required_artifacts", "any.rules"}, proofs
    assert {each["state"] for rule, each in proofs.items() if rule not in unproven} == {"stopped"}, proofs
    assert {f"code.{key}" for key in rules} | {"gate.judges", "gate.unverified"} | unproven == proofs.keys()
    assert code == 4, "what isn't proven is no success"
    after = {str(path): path.read_bytes() for path in repository.root.rglob("*") if path.is_file()}
    assert {path for path in after.keys() - before.keys() if "/.git/objects/" not in path} == set()
    assert repository.sample.git("for-each-ref") == refs


def test_a_rule_whose_facts_are_always_good_misses_its_plant(repository: gr.GatedRepository) -> None:
    script = f"import pathlib; pathlib.Path('report.xml').write_text({REPORT!r})"
    tests = [{"command": [sys.executable, "-c", script], "report": "report.xml", "format": "junit"}]
    repository.put("config/adapters.json", {"code": {"tests": tests}})
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    repository.sample.commit("tests that can't fail")
    code, proofs = prove(repository)
    assert code == 3
    assert proofs["code.tests_pass"]["state"] == "missed", proofs
    text = repository.gate("doctor", "--prove").output
    assert "3 rules: 2 stopped their plant, 1 missed it, 0 left it open, 0 unproven" in text


@pytest.mark.release
def test_a_rule_that_does_not_hold_anyway_proves_nothing(repository: gr.GatedRepository) -> None:
    repository.put("test_shop.py", TEST.replace("== 3", "== 4"))
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    repository.sample.commit("a test fails")
    code, proofs = prove(repository)
    assert proofs["code.tests_pass"]["state"] == "unproven"
    assert "doesn't hold without the plant" in proofs["code.tests_pass"]["message"]
    assert code == 4


RUN_PYTEST = (
    f"import subprocess, sys; subprocess.run([{sys.executable!r}, '-m', 'pytest', '-q', '--junitxml=report.xml'])\n"
)
DROP_FAILURES = """
import pathlib, re
path = pathlib.Path("report.xml")
text = re.sub(r'failures="[0-9]+"', 'failures="0"', path.read_text())
path.write_text(re.sub(r"<failure.*?</failure>", "", text, flags=re.S))
"""
ONLY_IF_NONE_PASSES = """
import pathlib
path = pathlib.Path("report.xml")
if 'failures="1"' in path.read_text() and 'tests="1"' not in path.read_text():
    path.write_text(REPORT)
"""
NO_REPORT = """
import pathlib
path = pathlib.Path("report.xml")
if 'failures="0"' not in path.read_text():
    path.unlink()
    raise SystemExit(3)
"""


@pytest.mark.release
@pytest.mark.parametrize(
    ("more", "state", "code"),
    [
        ("", "stopped", 0),
        (DROP_FAILURES, "missed", 3),
        (f"REPORT = {REPORT!r}{ONLY_IF_NONE_PASSES}", "missed", 3),
        (NO_REPORT, "open", 4),
    ],
    ids=["honest", "drops failed assertions", "one may fail", "dies where a test fails"],
)
def test_a_planted_test_has_to_be_among_the_failed(
    repository: gr.GatedRepository, more: str, state: str, code: int
) -> None:
    tests = [{"command": [sys.executable, "check.py"], "report": "report.xml", "format": "junit"}]
    repository.put("check.py", RUN_PYTEST + more)
    repository.put("config/adapters.json", {"code": {"tests": tests}})
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    repository.sample.commit("a command of its own")
    ended, proofs = prove(repository)
    assert (proofs["code.tests_pass"]["state"], ended) == (state, code), proofs


def test_tests_that_may_fail_are_counted(repository: gr.GatedRepository) -> None:
    entry = {"test": "test_shop.py::test_total", "reason": "slow"}
    repository.put("config/adapters.json", {"code": {"deselect": [entry]}})
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    repository.sample.commit("a test may fail")
    code, proofs = prove(repository)
    assert proofs["code.tests_pass"]["state"] == "missed"
    assert "1 of 1 tests may fail" in proofs["code.tests_pass"]["message"]
    assert code == 3


@pytest.mark.slow
def test_a_file_of_tests_that_nobody_runs_is_named(repository: gr.GatedRepository) -> None:
    repository.put("pyproject.toml", '[tool.pytest.ini_options]\npython_files = ["test_shop.py"]\n')
    repository.put("test_more.py", TEST)
    repository.put("test_shop.py", f"{TEST}\n\ndef test_none():\n    assert total([]) == 0\n")
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    repository.sample.commit("one file runs")
    code, proofs = prove(repository)
    assert proofs["code.tests_pass"]["state"] == "unproven", proofs
    assert "isn't noticed in 1 of 2 files of tests: test_more.py" in proofs["code.tests_pass"]["message"]
    assert code == 4


def test_rules_and_files_are_those_of_the_commit(repository: gr.GatedRepository) -> None:
    """Not of the working tree, which may hide a rule, nor of a commit that git replaces the present one by."""
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    script = f"import pathlib; pathlib.Path('report.xml').write_text({REPORT!r})"
    tests = [{"command": [sys.executable, "check.py"], "report": "report.xml", "format": "junit"}]
    repository.put("config/adapters.json", {"code": {"tests": tests}})
    repository.put("check.py", script)
    repository.sample.commit("tests that can't fail")
    lax = repository.sample.git("rev-parse", "HEAD").strip()
    repository.put("check.py", RUN_PYTEST)
    repository.sample.commit("tests that can")
    strict = repository.sample.git("rev-parse", "HEAD").strip()
    repository.sample.git("reset", "-q", "--hard", lax)
    repository.sample.git("replace", lax, strict)
    repository.put("config/verification.profiles.json", {"code_default": {"integrity": True}})
    repository.put("check.py", RUN_PYTEST)
    code, proofs = prove(repository)
    assert proofs["code.tests_pass"]["state"] == "missed", proofs
    assert "the working tree asks for this" in proofs["code.integrity"]["message"]
    assert code == 3


@pytest.mark.release
@pytest.mark.parametrize(
    ("weakening", "state"), [("disclose", "stopped"), ({"default": "allow", "test_removed": "refuse"}, "missed")],
    ids=["all kinds", "one kind"],
)  # fmt: skip
def test_each_kind_of_weakening_is_planted_where_tests_are(
    repository: gr.GatedRepository, weakening: Any, state: str
) -> None:
    repository.put("tests/__init__.py", "")
    repository.put("config/verification.profiles.json", {"code_default": {"integrity": True, "weakening": weakening}})
    repository.sample.commit("an empty file among the tests")
    code, proofs = prove(repository)
    proof = proofs["code.integrity"]
    assert proof["state"] == state, proof
    assert [word in proof["planted"] for word in ("gone: test_shop.py", "skipped", "an assertion is gone")] == [
        True
    ] * 3
    assert code == (0 if state == "stopped" else 3)
    if state == "missed":
        assert "stopped: a test file is gone" in proof["message"]


def test_it_takes_no_other_wish(repository: gr.GatedRepository) -> None:
    repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    assert repository.gate("doctor", "--prove", "--fix").code == 2
    missing = repository.gate("doctor", "--prove", "--type", "nowhere")
    assert missing.code == 2
    assert json.dumps("nowhere")[1:-1] in missing.output
