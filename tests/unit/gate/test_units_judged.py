"""Every kind of unit: supported, refuted and undecided; totals; statements."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.verdict import CheckOutcome, Status, UnitOutcome
from verigate.gate.decision import decide_verdict

RULE = {"lint_errors_max": 0}
"""A rule that holds on GOOD, so that only the unit decides."""


def verdict_on(claim: dict[str, Any], artifacts: Any = None, rules: dict[str, Any] | None = None, **more: Any) -> Any:
    found = dict(lf.GOOD) if artifacts is None else {"lint.json": lf.GOOD["lint.json"], **artifacts}
    return decide_verdict(lf.facts({**RULE, **(rules or {})}, found, claim=claim, **more))


def names(**changes: list[str]) -> dict[str, Any]:
    return {"diff_names.json": {"added": [], "modified": [], "deleted": [], **changes}}


def symbols(group: str, change: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    value = lf.functions(**more)
    value[group][change] = list(entries)
    value["total"] = len(entries)
    return {"functions.json": value}


FUZZY = {"unit": "func:foo", "match": "fuzzy", "candidates": [{"id": "func:fooo", "path": "a.py", "line": 1}]}

TABLE: list[tuple[str, dict[str, Any], str, str | None]] = [
    ("file:a.py", names(added=["a.py"]), "supported", None),
    ("file:a.py", names(modified=["a.py"]), "supported", None),
    ("file:./a.py", names(modified=["a.py"]), "supported", None),
    ("file:a.py", {"diff_names.json": ["a.py", "b.py"]}, "supported", None),
    ("file:a.py", names(deleted=["a.py"]), "refuted", "DIFF_MISMATCH"),
    ("file:a.py", names(added=["b.py"]), "refuted", "DIFF_MISMATCH"),
    ("file:a.py", {}, "undecided", "CLAIM_UNSUPPORTED"),
    ("func:foo", symbols("functions", "added", lf.FOO), "supported", None),
    ("function:foo()", symbols("functions", "changed", lf.FOO), "supported", None),
    ("func:a.py::foo", symbols("functions", "added", lf.FOO), "supported", None),
    ("func:b.py::foo", symbols("functions", "added", lf.FOO), "refuted", "FUNCTION_MISMATCH"),
    ("func:foo", symbols("functions", "added", {**lf.FOO, "stub": True}), "refuted", "FUNCTION_MISMATCH"),
    ("func:foo", symbols("functions", "removed", lf.FOO), "refuted", "FUNCTION_MISMATCH"),
    ("func:foo", symbols("functions", "added", lf.BAR), "refuted", "FUNCTION_MISMATCH"),
    ("func:foo", symbols("functions", "added", matches=[FUZZY]), "undecided", "CLAIM_UNSUPPORTED"),
    ("func:foo", symbols("functions", "added", files_failed=[{"path": "z.py"}]), "undecided", "CLAIM_UNSUPPORTED"),
    ("func:foo", {}, "undecided", "CLAIM_UNSUPPORTED"),
    ("endpoint:GET /users", symbols("endpoints", "added", lf.USERS), "supported", None),
    ("ep:get /users/", symbols("endpoints", "added", lf.USERS), "supported", None),
    ("/users", symbols("endpoints", "changed", lf.USERS), "supported", None),
    ("endpoint:POST /users", symbols("endpoints", "added", lf.USERS), "refuted", "ENDPOINT_MISMATCH"),
    ("endpoint:GET /x", {}, "undecided", "CLAIM_UNSUPPORTED"),
    ("url:https://a.example/", {"links/statuses.json": {"https://a.example/": 200}}, "supported", None),
    ("url:https://a.example/", {"links/statuses.json": {"https://a.example/": 404}}, "refuted", "LINK_FAIL"),
    ("url:https://a.example/", {"links/statuses.json": {"https://b.example/": 200}}, "refuted", "LINKS_UNCHECKED"),
    ("url:https://a.example/", {}, "undecided", "CLAIM_UNSUPPORTED"),
    (
        "url:https://a.example/",
        {"links/statuses.json": {"https://a.example/": "NETWORK_FORBIDDEN"}},
        "undecided",
        "CLAIM_UNSUPPORTED",
    ),
    (
        "url:mailto:a@b.example",
        {"links/statuses.json": {"mailto:a@b.example": "NOT_FETCHED"}},
        "undecided",
        "CLAIM_UNSUPPORTED",
    ),
    ("heading:Title", {"content/headings.json": lf.GOOD["content/headings.json"]}, "supported", None),
    ("heading:Nope", {"content/headings.json": lf.GOOD["content/headings.json"]}, "refuted", "HEADING_MISSING"),
    ("heading:Title", {}, "undecided", "CLAIM_UNSUPPORTED"),
    ("image:one.png", {"content/images.json": lf.GOOD["content/images.json"]}, "supported", None),
    ("image:three.png", {"content/images.json": lf.GOOD["content/images.json"]}, "refuted", "IMAGE_MISSING"),
    ("image:one.png", {}, "undecided", "CLAIM_UNSUPPORTED"),
    ("image:one.png", {"content/images.json": lf.BAD["content/images.json"]}, "refuted", "IMAGE_MISSING"),
    ("quote:To be", {"content/quotes.json": lf.GOOD["content/quotes.json"]}, "supported", None),
    (
        "quote:To be",
        {"content/quotes.json": {"a.md": [{"text": "To be", "source": "b.txt", "occurs": False}]}},
        "refuted",
        "QUOTE_UNATTRIBUTED",
    ),
    ("quote:To be", {"content/quotes.json": lf.BAD["content/quotes.json"]}, "refuted", "QUOTE_UNATTRIBUTED"),
    ("quote:To be", {}, "undecided", "CLAIM_UNSUPPORTED"),
]


@pytest.mark.parametrize(("unit", "artifacts", "outcome", "reason"), TABLE)
def test_a_claimed_unit(unit: str, artifacts: dict[str, Any], outcome: str, reason: str | None) -> None:
    verdict = verdict_on(lf.claim_document(unit), artifacts)
    judged = verdict.units.per_unit[0]
    check = verdict.check(judged.check)
    assert (judged.outcome.value, check.reason) == (outcome, reason), check.message
    expected = {"supported": Status.PASS, "refuted": Status.FAIL, "undecided": Status.INCONCLUSIVE}[outcome]
    assert verdict.status is expected
    assert verdict.units.expected == 1
    if outcome == "supported":
        assert check.evidence


@pytest.mark.parametrize(("path", "said"), [("test*/a.py", True), ("a.py", False)])
def test_a_claimed_pattern_is_told_from_a_path(path: str, said: bool) -> None:
    check = verdict_on(lf.claim_document(f"file:{path}"), names(added=["test/a.py"])).checks[-1]
    assert (check.reason, "names paths, not patterns" in check.message) == ("DIFF_MISMATCH", said)


def test_a_committed_function_that_is_spelled_otherwise_is_named() -> None:
    commitment = {"task_id": "T1", "type": "code", "commitments": {"scope": {"functions": ["foo"]}}}
    facts = lf.facts(
        {"units_match": True},
        symbols("functions", "added", matches=[FUZZY]),
        claim=lf.claim_document(),
        commitment=commitment,
    )
    check = decide_verdict(facts).check("code.units_match")
    assert check is not None
    similar = "only something similar was changed: func:fooo"
    assert check.message == f"the change lacks 1 of 1 units of the commitment: func:foo; {similar}"


def test_a_fuzzy_match_counts_only_where_the_profile_accepts_it() -> None:
    artifacts = symbols("functions", "added", matches=[FUZZY])
    assert verdict_on(lf.claim_document("func:foo"), artifacts).status is Status.INCONCLUSIVE
    accepted = verdict_on(lf.claim_document("func:foo"), artifacts, {"fuzzy_units": "accept"})
    assert accepted.status is Status.PASS
    assert "fooo" in accepted.checks[-1].message


def test_a_url_must_work_in_every_list_of_statuses() -> None:
    items = [
        lf.artifact("lint.json", lf.GOOD["lint.json"]),
        lf.artifact("links/statuses.json", {"https://a.example/": 200}),
        lf.artifact("second.json", {"https://a.example/": 500}, media_spec="verigate:statuses.v1"),
    ]
    verdict = decide_verdict(lf.facts(RULE, items, claim=lf.claim_document("url:https://a.example/")))
    assert verdict.status is Status.FAIL


@pytest.mark.parametrize(
    ("mode", "status", "held_back"),
    [("require", Status.INCONCLUSIVE, True), ("report", Status.PASS, False), (None, Status.INCONCLUSIVE, True)],
)
def test_statements_are_undecided_and_reported_or_required(mode: str | None, status: Status, held_back: bool) -> None:
    claim = lf.claim_document(statements=["it is fast", {"id": "statement:x", "text": "it is safe"}])
    verdict = verdict_on(claim, None, {"statements": mode} if mode else {})
    assert verdict.status is status
    ids = [unit.id for unit in verdict.units.per_unit]
    assert ids == ["statement:1", "statement:x"]
    assert {unit.outcome for unit in verdict.units.per_unit} == {UnitOutcome.UNDECIDED}
    assert all(verdict.check(f"unit:{unit}").holds_back is held_back for unit in ids)


def test_a_statement_that_is_also_a_unit_is_judged_once() -> None:
    claim = lf.claim_document("file:a.py", "statement:1", statements=["it is fast"])
    verdict = verdict_on(claim, None, {"statements": "report"})
    assert [unit.id for unit in verdict.units.per_unit] == ["file:a.py", "statement:1"]
    assert verdict.status is Status.PASS
    assert len({check.id for check in verdict.checks}) == len(verdict.checks)


TOTALS: list[tuple[dict[str, Any], int | None, Status, str | None]] = [
    (lf.claim_document("file:a.py"), 1, Status.PASS, None),
    (lf.claim_document("file:a.py"), 2, Status.FAIL, "MISSING_UNIT"),
    (lf.claim_document("file:a.py", units_total=1), None, Status.PASS, None),
    (lf.claim_document(units_total=1), 1, Status.PASS, None),
    (lf.claim_document(units_total=1), 2, Status.FAIL, "MISSING_UNIT"),
    (lf.claim_document(units_total=2), None, Status.FAIL, "MISSING_UNIT"),
    (lf.claim_document(), 1, Status.FAIL, "MISSING_UNIT"),
    (lf.claim_document(), 0, Status.PASS, None),
]


@pytest.mark.parametrize(("claim", "committed", "status", "reason"), TOTALS)
def test_totals_against_the_commitment_and_the_denominator(
    claim: dict[str, Any], committed: int | None, status: Status, reason: str | None
) -> None:
    commitment: dict[str, Any] = {"task_id": "T1", "type": "code"}
    if committed is not None:
        commitment["commitments"] = {"expected_total": committed}
    verdict = verdict_on(claim, None, commitment=commitment, order=("code:diff", "code:lint"))
    assert verdict.status is status
    assert {item.code for item in verdict.reasons} == ({reason} if reason else set())


@pytest.mark.parametrize(
    ("order", "total"),
    [(("code:diff",), 1), (("links:discover", "code:diff"), 2), (("api:endpoints",), 1), (("content:scan",), 2)],
)
def test_a_total_is_held_against_the_denominator_of_the_task_s_own_domain(order: tuple[str, ...], total: int) -> None:
    for claimed in range(4):
        verdict = verdict_on(lf.claim_document(units_total=claimed), order=order)
        assert (verdict.status is Status.PASS) == (claimed == total)


def test_a_total_that_no_fact_counts_is_undecided() -> None:
    verdict = verdict_on(lf.claim_document(units_total=1), {})
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.check("units.total").outcome is CheckOutcome.UNKNOWN


def test_committed_functions_and_endpoints_are_looked_for_without_a_claim_of_them() -> None:
    commitment = {
        "task_id": "T1",
        "type": "code",
        "commitments": {"scope": {"functions": ["foo", "func:gone"], "endpoints": ["GET /users", "endpoint:/none"]}},
    }
    verdict = decide_verdict(lf.facts({"units_match": True}, lf.GOOD, claim=lf.claim_document(), commitment=commitment))
    check = verdict.check("code.units_match")
    assert check is not None
    assert (check.outcome, check.reason, check.actual) == (CheckOutcome.REFUTED, "FUNCTION_MISMATCH", 2)
    assert "func:gone" in check.message
    assert "/none" in check.message


@pytest.mark.parametrize(
    ("claim", "scope", "refuted"),
    [
        (["func:foo", "/users"], {}, False),
        (["file:a.py"], {}, False),
        (["func:foo"], {}, True),
        ([], {"files": ["*.py"]}, False),
        ([], {"files": ["a.py"]}, False),
        ([], {"target_directory": "src"}, True),
        ([], {"target_directory": "."}, True),
    ],
)
def test_what_was_changed_but_not_claimed(claim: list[str], scope: dict[str, Any], refuted: bool) -> None:
    commitment = {"task_id": "T1", "type": "code", "commitments": {"scope": scope}}
    verdict = decide_verdict(
        lf.facts({"reject_unclaimed_changes": True}, lf.GOOD, claim=lf.claim_document(*claim), commitment=commitment)
    )
    check = verdict.check("code.reject_unclaimed_changes")
    assert check is not None
    assert (check.outcome is CheckOutcome.REFUTED) is refuted, check.message
    assert (check.reason == "DIFF_MISMATCH") is refuted


MOVED = {"from": "tests/a.py", "to": "tests/unit/a.py", "similarity": 90}


@pytest.mark.parametrize(
    ("units", "statements", "renamed", "refuted"),
    [
        # Nothing could claim the path before: a unit for it was refuted, and without one it was not claimed.
        (["file:tests/unit/a.py"], [], [MOVED], False),
        (["file:tests/a.py"], [], [MOVED], False),
        ([], ["I moved tests/a.py to tests/unit/a.py"], [MOVED], True),
        (["file:b.py"], [], [MOVED], True),
        (["file:tests/unit/a.py"], [], [], True),
        (["file:tests/unit/a.py"], ["Deleted tests/a.py"], [], False),
        (["file:tests/unit/a.py"], ["Deleted ./tests/a.py."], [], False),
        (["file:tests/unit/a.py"], ["Deleted tests/b.py"], [], True),
        ([], ["Deleted tests/a.py"], [], True),
    ],
)
def test_flip_what_was_moved_or_deleted_can_be_claimed(
    units: list[str], statements: list[str], renamed: list[dict[str, Any]], refuted: bool
) -> None:
    diff = {**lf.GOOD["diff.json"], "files_created": ["tests/unit/a.py"], "files_deleted": ["tests/a.py"]}
    artifacts = {
        **lf.GOOD,
        "diff.json": {**diff, "files_modified": [], "total_changes": 2, "renamed": renamed},
        "diff_names.json": {"added": ["tests/unit/a.py"], "modified": [], "deleted": ["tests/a.py"]},
        "functions.json": lf.functions(),
    }
    claim = lf.claim_document(*units, statements=statements)
    verdict = decide_verdict(
        lf.facts(
            {"reject_unclaimed_changes": True}, artifacts, claim=claim, commitment={"task_id": "T1", "type": "code"}
        )
    )
    check = verdict.check("code.reject_unclaimed_changes")
    assert check is not None
    assert (check.outcome is CheckOutcome.REFUTED) is refuted, check.message


def test_flip_a_file_that_was_moved_is_one_of_the_changed_files() -> None:
    """A unit for its old path was refuted as deleted. One for a file that is gone still is."""
    for renamed, outcome in (([MOVED], "supported"), ([], "refuted")):
        diff = {**lf.GOOD["diff.json"], "files_created": ["tests/unit/a.py"], "files_deleted": ["tests/a.py"]}
        artifacts = {
            **lf.GOOD,
            "diff.json": {**diff, "files_modified": [], "total_changes": 2, "renamed": renamed},
            "diff_names.json": {"added": ["tests/unit/a.py"], "modified": [], "deleted": ["tests/a.py"]},
        }
        verdict = decide_verdict(lf.facts({}, artifacts, claim=lf.claim_document("file:tests/a.py")))
        (unit,) = verdict.units.per_unit
        assert unit.outcome.value == outcome


@pytest.mark.parametrize("listed", [[], [{"id": "func:Foo.bar", "path": "b.py", "line": 3, "change": "added"}]])
def test_the_producers_own_list_of_what_was_not_claimed_counts(listed: list[dict[str, Any]]) -> None:
    artifacts = {**lf.GOOD, "functions.json": lf.functions([lf.FOO], [lf.USERS], unclaimed=listed)}
    commitment = {"task_id": "T1", "type": "code"}
    claim = lf.claim_document("func:foo")
    verdict = decide_verdict(
        lf.facts({"reject_unclaimed_changes": True}, artifacts, claim=claim, commitment=commitment)
    )
    check = verdict.check("code.reject_unclaimed_changes")
    assert check is not None
    assert check.outcome is (CheckOutcome.REFUTED if listed else CheckOutcome.HOLDS), check.message
    assert [ref.pointer for ref in check.evidence] == (["/unclaimed/0"] if listed else [""])
