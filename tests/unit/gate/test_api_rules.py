"""The api rules on what the api adapter writes: what was exercised, what was loosened, who was let in."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.gate.decision import decide_verdict
from verigate.gate.symbols import is_same_endpoint

SCHEMA: dict[str, Any] = {
    "ok": True,
    "errors": [],
    "errors_total": 0,
    "loosened": [],
    "schema_hash": "abc",
    "called": 2,
    "checked": 2,
    "exercised": ["GET /a", "GET /b"],
    "unexercised": [],
}
NOT_FOUND = {"endpoint": "GET /b", "statuses": [404], "why": "not found"}
AUTH: dict[str, Any] = {
    "methods": [{"name": "token"}],
    "endpoints_protected": ["GET /a"],
    "endpoints_public": [],
    "documented_protected": ["GET /a"],
    "undecided": [],
    "rejected": [],
    "violations": [],
    "not_probed": [],
}
UNDECIDED = {"endpoint": "GET /b", "without": 500}
CALLED = {"GET /a": lf.GOOD["api/responses.json"]["GET /users"]}


def _response(*samples: float) -> dict[str, Any]:
    return {
        "status": 200 if samples else "timeout",
        "latency_ms": samples[0] if samples else None,
        "latency_samples_ms": list(samples),
        "body_sample": None,
    }


FAST = {f"GET /{number}": _response(*[1.0] * 100) for number in range(10)}

CASES: list[tuple[str, str, Any, dict[str, Any], str, str | None, Any]] = [
    ("schema_valid", "fits", True, {"api/schema.json": SCHEMA}, "holds", None, True),
    (
        "schema_valid",
        "every endpoint fails",
        True,
        {
            "api/schema.json": SCHEMA,
            "api/responses.json": {"GET /a": {**_response(1), "status": 500}, "GET /b": _response()},
        },
        "refuted",
        "SCHEMA_MISMATCH",
        0,
    ),
    (
        "schema_valid",
        "one of two endpoints fails",
        True,
        {"api/schema.json": SCHEMA, "api/responses.json": {"GET /a": _response(1), "GET /b": _response()}},
        "holds",
        None,
        True,
    ),
    (
        "schema_valid",
        "an empty list",
        True,
        {"api/schema.json": {**SCHEMA, "empty": [{"endpoint": "GET /a", "pointer": "/items"}]}},
        "unknown",
        "SCHEMA_MISMATCH",
        1,
    ),
    (
        "schema_valid",
        "more fields",
        True,
        {"api/schema.json": {**SCHEMA, "additional": [{"endpoint": "GET /a", "pointer": "/ssn"}]}},
        "holds",
        None,
        True,
    ),
    (
        "schema_valid",
        "loosened",
        True,
        {"api/schema.json": {**SCHEMA, "ok": False, "loosened": [{"endpoint": "GET /a"}]}},
        "refuted",
        "SCHEMA_MISMATCH",
        1,
    ),
    (
        "schema_valid",
        "nothing exercised",
        True,
        {"api/schema.json": {**SCHEMA, "exercised": [], "unexercised": [NOT_FOUND], "checked": 0}},
        "refuted",
        "SCHEMA_MISMATCH",
        0,
    ),
    ("schema_valid", "no schema", True, {"api/schema.json": {**SCHEMA, "checked": 0}}, "refuted", "SCHEMA_MISMATCH", 0),
    (
        "schema_valid",
        "one of two exercised",
        True,
        {"api/schema.json": {**SCHEMA, "exercised": ["GET /a"], "unexercised": [NOT_FOUND]}},
        "unknown",
        "SCHEMA_MISMATCH",
        1,
    ),
    (
        "schema_valid",
        "more errors than listed",
        True,
        {"api/schema.json": {**SCHEMA, "ok": False, "errors": [{"endpoint": "GET /a"}], "errors_total": 700}},
        "refuted",
        "SCHEMA_MISMATCH",
        700,
    ),
    ("schema_valid", "not ok", True, {"api/schema.json": {**SCHEMA, "ok": False}}, "refuted", "SCHEMA_MISMATCH", 0),
    ("auth_required", "protected", True, {"api/auth.json": AUTH}, "holds", None, 1),
    (
        "auth_required",
        "refuses the right ones",
        True,
        {"api/auth.json": {**AUTH, "rejected": [{"endpoint": "GET /a", "right": 401}]}},
        "refuted",
        "AUTH_FAIL",
        1,
    ),
    (
        "auth_required",
        "documented and not decided",
        True,
        {"api/auth.json": {**AUTH, "documented_protected": ["GET /a", "GET /b"], "undecided": [UNDECIDED]}},
        "unknown",
        "AUTH_FAIL",
        1,
    ),
    (
        "auth_required",
        "wrong credentials",
        True,
        {"api/auth.json": {**AUTH, "violations": [{"endpoint": "GET /a", "scheme": "token", "wrong": 200}]}},
        "refuted",
        "AUTH_FAIL",
        1,
    ),
    # Of a thousand samples ten are slow, all of one endpoint: the 99th percentile of all together is a fast one.
    (
        "latency_ms",
        "slow tail of one",
        {"p99": 100},
        {"api/responses.json": {**FAST, "GET /9": _response(*[1.0] * 90, *[900.0] * 10)}},
        "refuted",
        "LATENCY_FAIL",
        ["p99"],
    ),
    ("latency_ms", "fast", {"p99": 100}, {"api/responses.json": FAST}, "holds", None, []),
    (
        "latency_ms",
        "one never answered",
        {"p99": 100},
        {"api/responses.json": {**FAST, "GET /9": _response()}},
        "unknown",
        "LATENCY_FAIL",
        None,
    ),
    (
        "rate_limit_required",
        "announced only",
        True,
        {"api/rate_limits.json": {"limited": [], "announced": [{"endpoint": "GET /a"}]}},
        "unknown",
        "RATE_LIMIT_FAIL",
        0,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_what_the_adapter_says_is_judged(case: tuple[str, str, Any, dict[str, Any], str, str | None, Any]) -> None:
    key, _, threshold, artifacts, outcome, reason, actual = case
    given = {"api/responses.json": CALLED, **artifacts}
    verdict = decide_verdict(lf.facts({key: threshold}, given, claim=lf.claim_document(), order=lf.ORDER))
    check = verdict.check(f"api.{key}")
    assert check is not None
    assert (check.outcome.value, check.reason, check.actual) == (outcome, reason, actual), check.message


SAME = [
    ("GET /a/{id}", "GET /a/:key", True),
    ("get /a", "GET /a", True),
    ("/a", "DELETE /a", True),
    ("GET /a", "/a", True),
    ("GET /a", "ANY /a", True),
    ("GET /a", "POST /a", False),
    ("GET /a", "GET /a/b", False),
    ("ANY /a", "GET /a", False),
]


@pytest.mark.parametrize(("wanted", "found", "same"), SAME)
def test_endpoints_are_the_same_by_method_and_route(wanted: str, found: str, same: bool) -> None:
    assert is_same_endpoint(wanted, found) is same
    given = {"api/endpoints.json": {"discovered": [found], "documented": [], "undocumented": []}}
    verdict = decide_verdict(
        lf.facts({"required_endpoints": [wanted]}, given, claim=lf.claim_document(), order=lf.ORDER)
    )
    check = verdict.check("api.required_endpoints")
    assert check is not None
    assert check.outcome.value == ("holds" if same else "refuted")
