"""Artifacts that contradict themselves: each relation that docs/types.md names, broken and kept."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.invariants import find_violations

ENDPOINTS = {
    "discovered": ["GET /users/{id}", {"method": "POST", "path": "/users"}],
    "documented": ["GET /users/:id"],
    "undocumented": ["POST /users"],
}
CASES: tuple[tuple[str, Any, str], ...] = (
    ("endpoints", ENDPOINTS, ""),
    ("endpoints", {**ENDPOINTS, "undocumented": []}, "neither documented nor undocumented"),
    ("endpoints", {**ENDPOINTS, "undocumented": ["POST /users", "GET /users/<id>"]}, "documented too"),
    ("endpoints", {**ENDPOINTS, "undocumented": ["POST /users", "GET /x"]}, "not among those"),
    ("endpoints", {**ENDPOINTS, "unimplemented": ["GET /users/{key}"]}, "was discovered"),
    ("responses", {"GET /x": {"status": 200, "statuses": {"200": 5}, "latency_ms": 1, "body_sample": ""}}, ""),
    ("responses", {"GET /x": {"status": 302, "ok": True, "latency_ms": 1, "body_sample": ""}}, ""),
    ("responses", {"GET /x": {"status": 500, "ok": False, "latency_ms": 1, "body_sample": ""}}, ""),
    ("responses", {"GET /x": {"status": 500, "ok": True, "latency_ms": 1, "body_sample": ""}}, "the status is 500"),
    ("responses", {"GET /x": {"status": "timeout", "ok": True, "latency_ms": 1, "body_sample": ""}}, "is timeout"),
    ("responses", {"GET /x": {"status": 200, "statuses": {"500": 5}, "latency_ms": 1, "body_sample": ""}}, "not among"),
    ("rate-limits", {"limited": ["GET /x"], "probed": ["GET /x"]}, ""),
    ("rate-limits", {"limited": ["GET /x"], "probed": []}, "was not probed"),
    ("scan", {"files": [{"path": "a.md", "word_count": 2, "char_count": 9}]}, ""),
    ("scan", {"files": [{"path": "a.md", "word_count": 9, "char_count": 2}]}, "only 2 characters"),
    ("coverage", {**lf.GOOD["coverage.json"], "files": [{"path": "a.py", "covered": 90, "total": 100}]}, ""),
    ("coverage", {**lf.GOOD["coverage.json"], "files": [{"path": "a.py", "covered": 9, "total": 10}]}, ""),
    ("coverage", {**lf.GOOD["coverage.json"], "files": [{"path": "a.py", "covered": 1, "total": 100}]}, "the whole 90"),
    ("coverage", {**lf.GOOD["coverage.json"], "files": [{"path": "a.py", "covered": 1, "total": 200}]}, "the whole 90"),
)


@pytest.mark.parametrize(("name", "value", "said"), CASES)
def test_what_has_to_agree(name: str, value: Any, said: str) -> None:
    found = [message for _, message in find_violations(f"verigate:{name}.v1", value)]
    assert bool(found) == bool(said), found
    assert said in "; ".join(found)
