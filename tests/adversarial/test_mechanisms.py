"""Attempts on each mechanism that once passed, and their honest twins; all others are run by the bench."""

from __future__ import annotations

from pathlib import Path

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
    for mechanism in ("approvals", "bases", "policy-ref", "prove", "ranges", "records", "turns"):
        for rights in ("user", "none"):
            found = [each for each in ATTEMPTS.values() if each.path.parent.name == mechanism and each.rights == rights]
            assert len(found) >= 20, (mechanism, rights)
    text = " ".join(LIMITS.read_text(encoding="utf-8").split())
    assert [reason for reason in set(limits.values()) if reason not in text] == []
