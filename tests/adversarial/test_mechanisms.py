"""Attempts on each mechanism that once passed, and their honest twins; all others are run by the bench."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from mechanism_attempts import read_attempts, read_limits, run_attempt
from release_tests import some_always

ATTEMPTS = {each.name: each for each in read_attempts()}
CLOSED = (
    "approvals/01",
    "approvals/02",
    "approvals/10",
    "bases/05",
    "bases/07",
    "bases/34",
    "bases/66",
    "bases/74",
    "bases/75",
    "policy-ref/01",
    "policy-ref/02",
    "policy-ref/19",
    "policy-ref/53",
    "prove/32",
    "prove/49",
    "prove/53",
    "ranges/06",
    "sandbox/01",
    "sandbox/05",
    "sandbox/50",
    "sandbox/53",
    "turns/06",
    "turns/07",
    "turns/11",
    "turns/72",
)
LIMITS = Path(__file__).resolve().parents[2] / "docs/limits.md"


@pytest.mark.slow
@pytest.mark.parametrize("start", some_always(CLOSED, str))
def test_what_once_passed_is_stopped(start: str) -> None:
    [name] = [name for name in ATTEMPTS if name.startswith(f"{start}-")]
    code, printed = run_attempt(ATTEMPTS[name], honest=False)
    assert code in ATTEMPTS[name].codes, printed
    assert ATTEMPTS[name].because in printed
    code, printed = run_attempt(ATTEMPTS[name], honest=True)
    assert code == 0, printed


def test_every_attempt_can_be_read_and_every_limit_is_of_one() -> None:
    limits = read_limits()
    assert set(limits) <= set(ATTEMPTS)
    assert not [name for name in limits if name.startswith(tuple(f"{start}-" for start in CLOSED))]
    for mechanism in ("approvals", "bases", "policy-ref", "prove", "ranges", "records", "sandbox", "turns"):
        for rights in ("user", "none"):
            found = [each for each in ATTEMPTS.values() if each.path.parent.name == mechanism and each.rights == rights]
            assert len(found) >= 20, (mechanism, rights)
    text = " ".join(LIMITS.read_text(encoding="utf-8").split())
    assert [reason for reason in set(limits.values()) if reason not in text] == []


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The program that runs all attempts."""
    path = Path(__file__).resolve().parents[1] / "bench/mechanisms.py"
    spec = importlib.util.spec_from_file_location("mechanisms_bench", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_run_that_was_cut_off_goes_on_after_its_last_whole_line(bench: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "file").write_text('["a/1", "stopped", 0, 1.5]\n["a/2", "passed", null, 2]\n["a/3", "sto')
    assert list(bench.read_results(tmp_path / "file")) == ["a/1", "a/2"]
    assert bench.read_results(tmp_path / "none") == {}
    (tmp_path / "file").write_text('["a/1"]\n')
    with pytest.raises(ValueError, match="file:1: not a result of this bench"):
        bench.read_results(tmp_path / "file")


def test_parts_are_all_attempts_once(bench: ModuleType) -> None:
    attempts = list(ATTEMPTS.values())
    parts = [bench.choose_part(attempts, f"{number}/3") for number in (1, 2, 3)]
    assert sorted(each.name for part in parts for each in part) == sorted(ATTEMPTS)
    for wrong in ("0/3", "4/3", "x", "1", "1/0"):
        with pytest.raises(ValueError, match="--part"):
            bench.choose_part(attempts, wrong)


def test_what_differs_from_what_is_expected_is_marked(bench: ModuleType) -> None:
    limits = {"a/1": "why"}
    assert bench.describe_fault(bench.Result("a/1", "passed", 0, 1.0), limits) == ""
    assert bench.describe_fault(bench.Result("a/1", "stopped", 0, 1.0), limits) == "expected passed"
    assert "legitimate twin: 3" in bench.describe_fault(bench.Result("a/2", "stopped", 3, 1.0), limits)
