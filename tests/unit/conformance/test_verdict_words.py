"""What an artifact says about passing, and what it says about facts."""

from __future__ import annotations

from typing import Any

import pytest

from verigate.conformance.verdict_words import find_verdict


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"n": 3, "verdict": "pass"}, "/verdict"),
        ({"verdict": True}, "/verdict"),
        ({"passed": True}, "/passed"),
        ({"passed": False, "n": 1}, "/passed"),
        ({"status": "PASS"}, "/status"),
        ({"result": {"outcome": "failed"}}, "/result/outcome"),
        ({"licence_check": "ok", "allPassed": True}, "/allPassed"),
        ({"overallStatus": "not passed"}, "/overallStatus"),
        ({"is-passed": "yes"}, "/is-passed"),
        ({"files": [{"path": "a", "verdict": "fail"}]}, "/files/0/verdict"),
        ({"metadata": {"gate_decision": "Approved"}}, "/metadata/gate_decision"),
        ("PASS\n", ""),
        ("all tests passed", ""),
    ],
)
def test_a_decision_is_found(value: Any, place: str) -> None:
    found = find_verdict(value)
    assert found is not None
    assert found.place == place


@pytest.mark.parametrize(
    "value",
    [
        {"passed": 3, "failed": 0, "total": 3},
        {"tests": [{"name": "a", "status": "passed"}, {"name": "b", "passed": False}]},
        {"status": 200, "success": True, "ok": True},
        {"status": "up", "result": "3 files", "conclusion": None},
        {"statuses": {"https://a.example/": 200}, "passing_grade": 7},
        {"text": "they shall not pass", "words": ["pass", "fail"]},
        {"compass": True, "bypass": True},
        "A pass leads over the mountain; whoever fails to take it before the winter has to wait for the spring.",
        ["pass"],
        7,
    ],
)
def test_a_fact_is_none(value: Any) -> None:
    assert find_verdict(value) is None
