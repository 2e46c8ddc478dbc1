"""Statements against facts: what was undecided before is supported or refuted now, and what stays undecided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.verdict import CheckOutcome, Status, Verdict
from verigate.gate.decision import decide_verdict

RULES = {"tests_pass": True}
LOCATED = {
    **lf.GOOD,
    "links/statuses.json": {"https://a.example/": 200, "https://b.example/": 404},
    "links/locations.json": {
        "https://a.example/": [{"file": "docs/a.md", "line": 1, "column": 1}],
        "https://b.example/": [{"file": "README.md", "line": 1, "column": 1}],
    },
}


def verdict_on(text: str, documents: Mapping[str, Any] = lf.GOOD, rules: Mapping[str, Any] | None = None) -> Verdict:
    return decide_verdict(lf.facts({**RULES, **(rules or {})}, documents, claim=lf.claim_document(statements=[text])))


def outcome_of(text: str, documents: Mapping[str, Any] = lf.GOOD, rules: Mapping[str, Any] | None = None) -> str:
    check = verdict_on(text, documents, rules).check("unit:statement:1")
    assert check is not None
    assert (check.outcome is CheckOutcome.HOLDS) <= bool(check.evidence)
    return check.outcome.value


SUPPORTED = (
    "All tests pass", "5 tests pass", "5 passed, 1 skipped", "5 of 6 tests pass", "At least 4 tests pass",
    "Lint is clean",
    "Lint has no errors but 1 warning", "Coverage is 90%", "Coverage is above 89%", "Coverage did not drop",
    "The build succeeds", "All tests pass and I fixed the bug",
    "1 file changed", "Created `a.py`", "`z.py` is unchanged", "Added the function `foo()`",
    "Added `GET /users`", "No tests were removed or weakened", "https://a.example/ works", "Found 2 links",
    "`GET /users` returns 200", "All endpoints are documented", "All responses match the schema",
    "`GET /users` requires authentication", "p95 latency is below 200 ms", "Rate limiting works",
    "`GET /users` is rate limited", "The text has 100 words", "`a.md` has 60 words", "All images have alt text",
    "There are 2 images", "All quotes are attributed", 'Added a section "Setup"', "Every page has an H1",
)  # fmt: skip
REFUTED = (
    "7 tests pass", "More than 5 tests pass", "2 tests fail", "The tests fail", "No tests are skipped",
    "Lint has 3 errors",
    "No lint warnings", "Coverage is 95%", "Coverage is above 90%", "Coverage is not above 80%", "The build fails",
    "3 files changed", "Updated `z.py`", "`a.py` is unchanged", "Deleted `a.py`", "Added the function `bar()`",
    "Added three endpoints", "https://b.example/ returns 200", "Found 3 links", "`GET /users` returns 404",
    "2 endpoints are undocumented", "`GET /users` is public", "p95 latency is below 5 ms", "`a.md` has 90 words",
    "There are 3 images", "2 images are missing alt text", 'Added a section "Usage"',
)  # fmt: skip
UNDECIDED = (
    "All tests should pass", "All unit tests pass", "I will run the tests", "It is elegant", "> All tests pass",
    "All tests pass and I fixed the slow loader", "`pytest` passes", "The text has 102 words", "No dead links in docs",
    "The tests in tests/unit pass", "The previous agent reported that 7 tests pass", "https://c.example/ works",
    "`GET /other` returns 200", "All tests pass except two",
)  # fmt: skip


@pytest.mark.parametrize("text", SUPPORTED)
def test_what_the_facts_bear_out(text: str) -> None:
    assert outcome_of(text) == "holds"


@pytest.mark.parametrize("text", REFUTED)
def test_what_the_facts_speak_against(text: str) -> None:
    verdict = verdict_on(text, rules={"statements": "report"})
    check = verdict.check("unit:statement:1")
    assert check is not None
    assert (check.outcome, check.reason) == (CheckOutcome.REFUTED, "CLAIM_REFUTED")
    assert verdict.status is Status.FAIL


@pytest.mark.parametrize("text", UNDECIDED)
def test_what_no_fact_decides(text: str) -> None:
    assert outcome_of(text) == "unknown"
    assert verdict_on(text).status is Status.INCONCLUSIVE
    assert verdict_on(text, rules={"statements": "report"}).status is Status.PASS


def test_flip_an_undecided_statement_was_inconclusive_and_is_a_pass_where_facts_bear_it_out() -> None:
    # Before: inconclusive with CLAIM_UNSUPPORTED, whatever the statement said.
    assert verdict_on("All 5 tests pass").status is Status.PASS


def test_flip_a_statement_that_was_only_listed_fails_where_facts_speak_against_it() -> None:
    # Before, in a task that a hook made: pass, with the statement listed as undecided.
    verdict = verdict_on("All 7 tests pass", rules={"statements": "report"})
    assert verdict.status is Status.FAIL
    (reason,) = verdict.reasons
    assert (reason.code, reason.check) == ("CLAIM_REFUTED", "unit:statement:1")
    assert "tests.json /passed = 7, and it is 5" in reason.message
    (check,) = [check for check in verdict.checks if check.id == "unit:statement:1"]
    assert (check.expected, check.actual) == ("tests.json /passed = 7; tests.json /failed = 0", 5)
    ref = check.evidence[0]
    assert (ref.artifact, ref.pointer, ref.value, len(ref.sha256)) == ("tests.json", "/passed", 5, 64)


GO = {"passed": 8, "failed": 0, "skipped": 0, "total": 8, "duration": 1, "tool": "go test"}
"""Six tests, one of them with two subtests."""

GO_TOP = {"passed": 6, "failed": 0, "skipped": 0, "total": 6}
GO_FAILING = {**GO, "passed": 6, "failed": 2, "failures": []}
GO_SKIPPING = {**GO, "passed": 7, "skipped": 1}


@pytest.mark.parametrize(
    ("text", "counts", "top", "outcome"),
    [
        ("All 6 tests pass.", GO, GO_TOP, "holds"),
        ("All 8 tests pass.", GO, GO_TOP, "holds"),
        ("All 7 tests pass.", GO, GO_TOP, "refuted"),
        ("All 6 tests pass.", GO, None, "refuted"),
        ("go test: 6 passed", GO, GO_TOP, "holds"),
        ("6 of 6 tests pass.", GO, GO_TOP, "holds"),
        ("6 of 8 tests pass.", GO, GO_TOP, "refuted"),
        ("5 tests pass, 1 fails.", GO_FAILING, {**GO_TOP, "passed": 5, "failed": 1}, "holds"),
        ("5 tests pass, 2 fail.", GO_FAILING, {**GO_TOP, "passed": 5, "failed": 1}, "refuted"),
        ("All 6 tests pass.", GO_FAILING, {**GO_TOP, "passed": 5, "failed": 1}, "refuted"),
        ("No tests fail.", GO_FAILING, GO_TOP, "refuted"),
        ("No tests are skipped.", GO_SKIPPING, GO_TOP, "refuted"),
        ("6 tests pass, none is skipped.", GO_SKIPPING, GO_TOP, "refuted"),
    ],
)
def test_numbers_of_tests_count_subtests_or_none_does(
    text: str, counts: dict[str, Any], top: dict[str, int] | None, outcome: str
) -> None:
    document = {**counts, **({"top_level": top} if top else {})}
    assert outcome_of(text, {**lf.GOOD, "tests.json": document}, {"tests_pass": False}) == outcome


def test_the_count_without_subtests_is_cited() -> None:
    check = verdict_on("6 tests pass.", {"tests.json": {**GO, "top_level": GO_TOP}}).check("unit:statement:1")
    assert check is not None
    assert [(ref.pointer, ref.value) for ref in check.evidence] == [("/top_level/passed", 6)]


ZERO: tuple[tuple[str, dict[str, Any]], ...] = (
    ("All tests pass", {"tests.json": {"passed": 0, "failed": 0, "skipped": 0, "total": 0, "duration": 1}}),
    ("No tests failed", {"tests.json": {"passed": 0, "failed": 0, "skipped": 3, "total": 3, "duration": 1}}),
    ("Lint is clean", {"lint.json": {"errors": 0, "warnings": 0, "files_checked": 0, "issues": [], "tool": None}}),
    ("The build succeeds", {"build.json": {"success": True, "errors": [], "warnings": [], "tool": None}}),
    ("All links work", {"links/statuses.json": {}}),
    ("All links work", {"links/statuses.json": {"mailto:a@b.example": "NOT_FETCHED"}}),
    ("All endpoints return 200", {"api/responses.json": {}}),
    ("All endpoints are documented", {"api/endpoints.json": {"discovered": [], "documented": [], "undocumented": []}}),
    ("All images have alt text", {"content/images.json": {"a.md": []}}),
    ("All quotes are attributed", {"content/quotes.json": {"a.md": []}}),
    ("Every page has an H1", {"content/headings.json": {}}),
    ("All protected endpoints reject requests without a token",
     {"api/auth.json": {"methods": [], "endpoints_protected": [], "endpoints_public": []}}),
)  # fmt: skip


@pytest.mark.parametrize(("text", "documents"), ZERO, ids=[f"{text}-{n}" for n, (text, _) in enumerate(ZERO)])
def test_a_denominator_of_zero_supports_nothing(text: str, documents: dict[str, Any]) -> None:
    assert outcome_of(text, documents) == "unknown"


def test_an_artifact_that_is_missing_decides_nothing_and_is_no_question_for_a_model() -> None:
    check = verdict_on("All tests pass", {"diff.json": lf.GOOD["diff.json"]}).check("unit:statement:1")
    assert check is not None
    assert (check.outcome, check.reason) == (CheckOutcome.UNKNOWN, "ARTIFACT_MISSING")


def test_a_part_is_told_apart_where_facts_can() -> None:
    assert outcome_of("No dead links in docs", LOCATED) == "holds"
    assert outcome_of("No dead links in README.md", LOCATED) == "refuted"
    assert outcome_of("All links work", LOCATED) == "refuted"
    assert outcome_of("All links in guides/ work", LOCATED) == "unknown"


@pytest.mark.parametrize("key", ["empty", "additional"])
def test_what_the_schema_says_nothing_of_leaves_open_whether_responses_fit(key: str) -> None:
    place = {"endpoint": "GET /users", "pointer": "/items"}
    schema = {"ok": True, "errors": [], "schema_hash": "a", "checked": 1}
    for text in ("All responses match the schema", "Every response fits the schema"):
        assert outcome_of(text, {**lf.GOOD, "api/schema.json": {**schema, key: [place]}}) == "unknown"
        assert outcome_of(text, {**lf.GOOD, "api/schema.json": {**schema, key: []}}) == "holds"


POST = {"status": 422, "latency_ms": 1.0, "body_sample": None}
CALLED = {**lf.GOOD, "api/responses.json": {**lf.GOOD["api/responses.json"], "POST /users": POST}}


@pytest.mark.parametrize(
    ("key", "documents", "outcome"),
    [
        ("refused", CALLED, "unknown"),
        ("not_called", lf.GOOD, "unknown"),
        ("unexercised", lf.GOOD, "holds"),
        ("unexercised", CALLED, "refuted"),
    ],
)
def test_an_endpoint_that_took_no_input_leaves_open_whether_all_work(
    key: str, documents: dict[str, Any], outcome: str
) -> None:
    schema = {"ok": True, "errors": [], "schema_hash": "a", key: [{"endpoint": "POST /users", "why": "refused"}]}
    assert outcome_of("All endpoints work", {**documents, "api/schema.json": schema}) == outcome


EACH: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("all", {"GET /a": {"200": 15}, "GET /b": {"200": 15}}, "holds"),
    ("created", {"GET /a": {"200": 15}, "POST /a": {"201": 3}}, "refuted"),
    ("alternating", {"GET /a": {"200": 8, "404": 7}}, "refuted"),
    ("no such item", {"GET /a/{id}": {"200": 3, "404": 12}}, "holds"),
    ("no item at all", {"GET /a/{id}": {"404": 15}}, "refuted"),
    ("failing", {"GET /a/{id}": {"200": 3, "500": 12}}, "refuted"),
    ("no answer", {"GET /a": {"200": 3, "timeout": 3}}, "refuted"),
    ("refused", {"GET /a": {"200": 15}, "POST /users": {"422": 3}}, "unknown"),
)


@pytest.mark.parametrize(("statuses", "outcome"), [case[1:] for case in EACH], ids=[case[0] for case in EACH])
def test_all_endpoints_return_200_asks_each_status_of_each(statuses: dict[str, Any], outcome: str) -> None:
    common = {"latency_ms": 1.0, "body_sample": None}
    summary = {name: 200 if "200" in given else 404 for name, given in statuses.items()}
    responses = {name: {"status": summary[name], "statuses": given, **common} for name, given in statuses.items()}
    refused = [{"endpoint": name, "why": "refused"} for name in statuses if name == "POST /users"]
    schema = {"ok": True, "errors": [], "schema_hash": "a", "refused": refused}
    documents = {**lf.GOOD, "api/responses.json": responses, "api/schema.json": schema}
    assert outcome_of("All endpoints return 200", documents) == outcome


GONE = {
    **LOCATED,
    "links/statuses.json": {"https://a.example/": 200, "https://b.example/": 200},
    "links/gone.json": [{"url": "https://c.example/", "file": "docs/c.md"}],
}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("There are no dead links", "unknown"),
        ("All links work", "unknown"),
        ("No dead links in docs", "unknown"),
        ("No dead links in README.md", "holds"),
        ("https://a.example/ works", "holds"),
        ("Found 2 links", "holds"),
    ],
)
def test_a_link_of_the_base_that_is_gone_leaves_open_whether_links_are_dead(text: str, outcome: str) -> None:
    assert outcome_of(text, GONE) == outcome
    assert outcome_of(text, {**GONE, "links/gone.json": []}) == "holds"


TOOLS = {
    "tests.json": {
        **lf.GOOD["tests.json"],
        "tool": "jest+pytest",
        "tools": [
            {"name": "jest", "passed": 2, "failed": 0, "skipped": 1, "total": 3},
            {"name": "pytest", "passed": 3, "failed": 0, "skipped": 0, "total": 3},
        ],
    }
}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("pytest: 3 passed", "holds"), ("pytest: 5 passed", "refuted"), ("vitest: 5 passed", "unknown")],
)
def test_what_a_tool_found(text: str, outcome: str) -> None:
    assert outcome_of(text, TOOLS) == outcome


def _run_by_maven(failed: int, *, compiles: bool = True, tool: str = "maven") -> dict[str, Any]:
    counts = {"passed": 5 - failed, "failed": failed, "skipped": 0, "total": 5}
    step = {"tool": tool, "argv": ["mvn"], "exit_code": 0 if compiles else 1}
    errors = [] if compiles else [{"file": "A.java", "line": 1, "message": "cannot find symbol"}]
    return {
        "tests.json": {**lf.GOOD["tests.json"], **counts, "tool": tool},
        "build.json": {"success": compiles, "errors": errors, "warnings": [], "tool": tool, "steps": [step]},
    }


@pytest.mark.parametrize(
    ("text", "documents", "outcome"),
    [
        ("mvn test passes.", _run_by_maven(0), "holds"),
        ("mvn test passes.", _run_by_maven(1), "refuted"),
        ("mvn test passes.", _run_by_maven(0, tool="gradle"), "unknown"),
        ("./gradlew test passes.", _run_by_maven(0, tool="gradle"), "holds"),
        ("mvn test passes: 5 tests, no failures.", _run_by_maven(0), "holds"),
        ("mvn test passes: 6 tests, no failures.", _run_by_maven(0), "refuted"),
        ("The Maven build succeeds.", _run_by_maven(0), "holds"),
        ("The Maven build succeeds.", _run_by_maven(0, compiles=False), "refuted"),
        ("The Maven build succeeds.", _run_by_maven(1), "refuted"),
        ("The Maven build succeeds.", _run_by_maven(0, tool="gradle"), "unknown"),
        ("The Maven build succeeds.", {"build.json": _run_by_maven(0)["build.json"]}, "unknown"),
        ("Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", _run_by_maven(0), "holds"),
        ("Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", _run_by_maven(1), "refuted"),
        ("Tests run: 5, Failures: 0, Errors: 1, Skipped: 0", _run_by_maven(1), "holds"),
        ("Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", _run_by_maven(0, tool="gradle"), "unknown"),
    ],
)
def test_what_is_said_of_maven_and_gradle(text: str, documents: dict[str, Any], outcome: str) -> None:
    assert outcome_of(text, documents) == outcome


@pytest.mark.parametrize(
    ("found", "text", "outcome"),
    [
        # unknown before, because lint.json, of other linters, says nothing of it
        ({"tool": "bandit", "errors": 0, "warnings": 0, "files_checked": 3}, "bandit found no issues", "holds"),
        ({"tool": "bandit", "errors": 2, "warnings": 0, "files_checked": 3}, "bandit found no issues", "refuted"),
        ({"tool": "bandit", "errors": 0, "warnings": 0, "files_checked": 0}, "bandit found no issues", "unknown"),
        ({"tool": None, "errors": 0, "warnings": 0, "files_checked": 0}, "bandit found no issues", "unknown"),
        # what speaks of nobody else is left out of nothing
        ({"tool": "bandit", "errors": 2, "warnings": 0, "files_checked": 3}, "Lint is clean", "refuted"),
        ({"tool": "bandit", "errors": 2, "warnings": 0, "files_checked": 3}, "ruff reports 0 errors", "holds"),
    ],
)
def test_flip_a_named_tool_is_judged_by_the_artifact_that_speaks_of_it(
    found: dict[str, Any], text: str, outcome: str
) -> None:
    own = lf.artifact(
        "bandit/scan/lint.json", {"issues": [], **found}, producer="bandit:scan", media_spec="verigate:lint.v1"
    )
    others = [lf.artifact(path, value) for path, value in lf.GOOD.items()]
    facts = lf.facts(RULES, [*others, own], claim=lf.claim_document(statements=[text]))
    check = decide_verdict(facts).check("unit:statement:1")
    assert check is not None
    assert check.outcome.value == outcome, check


LEFT = [{"what": "ruff", "path": "lib/c.py", "why": "ruff's lint.exclude leaves it out"}]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Lint is clean", "unknown"),
        ("No lint errors", "unknown"),
        ("No lint warnings", "unknown"),
        ("0 lint errors, 0 warnings", "unknown"),
        ("ruff is clean", "unknown"),
        ("ruff reports 0 errors", "unknown"),
        # of another linter's files, of what is found all the same, and of how many files there are, it says nothing
        ("eslint reports 0 errors", "holds"),
        ("3 lint errors", "refuted"),
        ("Lint fails", "refuted"),
    ],
)
def test_flip_of_a_changed_file_that_no_linter_looked_at_nothing_is_known(text: str, outcome: str) -> None:
    """All but the last two held before: lint.json didn't say which files were left out."""
    tools = [{"name": name, "errors": 0, "warnings": 0, "files_checked": 2} for name in ("eslint", "ruff")]
    lint = {"errors": 0, "warnings": 0, "files_checked": 4, "issues": [], "tool": "eslint+ruff", "tools": tools}
    found = {"lint.json": {**lint, "unexamined_files": LEFT}}
    assert outcome_of(text, {"lint.json": lint}) in {"holds", outcome}
    assert outcome_of(text, found) == outcome


def test_the_file_that_no_linter_looked_at_is_named() -> None:
    lint = {**lf.GOOD["lint.json"], "unexamined_files": LEFT}
    facts = lf.facts(
        RULES | {"lint_clean": True},
        {**lf.GOOD, "lint.json": lint},
        claim=lf.claim_document(statements=["Lint is clean"]),
    )
    verdict = decide_verdict(facts)
    for name in ("unit:statement:1", "code.lint_clean"):
        check = verdict.check(name)
        assert check is not None
        assert "ruff (lib/c.py): ruff's lint.exclude leaves it out" in check.message


def test_100_percent_is_not_rounded_to() -> None:
    lines = {"covered": 9996, "total": 10000}
    nearly = {"coverage.json": {**lf.GOOD["coverage.json"], "pct": 0.9996, "lines": lines}}
    assert outcome_of("100% coverage", nearly) == "refuted"
    assert outcome_of("Coverage is 99.96%", nearly) == "holds"


def test_more_statements_than_are_read_are_undecided() -> None:
    claim = lf.claim_document(statements=["5 tests pass"] * 1001)
    verdict = decide_verdict(lf.facts(RULES, lf.GOOD, claim=claim))
    outcomes = [unit.outcome.value for unit in verdict.units.per_unit]
    assert (outcomes.count("supported"), outcomes[-1]) == (1000, "undecided")


def weakened(kind: str, weight: str) -> dict[str, Any]:
    finding = lf.integrity_finding(kind, "tests/t.py", weight, "m", line=3, rule="r")
    return {**lf.GOOD, "integrity.json": {**lf.GOOD["integrity.json"], "findings": [finding]}}


TESTS, LINTERS, SUPPRESSIONS = "No tests were weakened.", "No lint rules were disabled.", "No suppressions were added."


@pytest.mark.parametrize(
    ("kind", "weight", "of_tests", "of_linters", "of_suppressions"),
    [
        ("test_removed", "weakening", "refuted", "holds", "holds"),
        ("test_removed", "note", "unknown", "holds", "holds"),
        ("assertion_weakened", "note", "unknown", "holds", "holds"),
        ("assertion_weakened", "weakening", "refuted", "holds", "holds"),
        ("worth_a_look", "note", "unknown", "unknown", "holds"),
        ("unexamined", "note", "unknown", "unknown", "holds"),
        ("of a later version", "note", "unknown", "unknown", "holds"),
        ("lint_config_weakened", "note", "holds", "unknown", "holds"),
        ("checks_shadowed", "tampering", "refuted", "refuted", "holds"),
        ("suppression_added", "note", "holds", "unknown", "refuted"),
        ("suppression_added", "weakening", "refuted", "refuted", "refuted"),
        ("coverage_narrowed", "note", "holds", "holds", "holds"),
    ],
)
def test_flip_a_note_leaves_open_what_it_is_about(
    kind: str, weight: str, of_tests: str, of_linters: str, of_suppressions: str
) -> None:
    # Before: no note counted, and "No tests were weakened." was supported next to a removed test.
    documents = weakened(kind, weight)
    found = (outcome_of(TESTS, documents), outcome_of(LINTERS, documents), outcome_of(SUPPRESSIONS, documents))
    assert found == (of_tests, of_linters, of_suppressions)


@pytest.mark.parametrize(
    ("kind", "weight", "outcome"),
    [
        ("assertion_weakened", "weakening", "refuted"),
        ("assertion_weakened", "note", "unknown"),
        ("lint_config_weakened", "note", "holds"),
    ],
)
@pytest.mark.parametrize("text", ["No assertion was weakened.", "I did not loosen any assertions."])
def test_flip_assertions_that_were_not_weakened(text: str, kind: str, weight: str, outcome: str) -> None:
    # Before: undecided, since no sentence about assertions was read.
    assert outcome_of(text, weakened(kind, weight)) == outcome


@pytest.mark.parametrize(
    ("written", "outcome"),
    [
        ([lf.written("a", "both", path="tests/t.py")], "unknown"),
        ([lf.written("a", "base", path="tests/t.py")], "unknown"),
        ([], "unknown"),  # of a language that nothing reads
        ([lf.written("a", path="tests/t.py", same=True), lf.written("b", "head", path="tests/t.py")], "holds"),
    ],
)
def test_a_changed_test_that_could_not_be_compared_leaves_open_whether_tests_are_weaker(
    written: list[dict[str, Any]], outcome: str
) -> None:
    # Before: Maven couldn't run the cells, and two tests whose values were all 0 by then counted as not weakened.
    why = "maven ended with exit code 1"
    cells = {**lf.counterfactual(), "unexamined": [{"path": "tests/t.py", "why": why}], "written": written}
    documents = {**lf.GOOD, "counterfactual.json": cells}
    check = verdict_on(TESTS, documents).check("unit:statement:1")
    assert check is not None
    assert check.outcome.value == outcome
    assert (why in check.message) == (outcome == "unknown")


HELD = {"path": "t.py", "test": "b", "mutants": 3}


@pytest.mark.parametrize(
    ("sensitivity", "outcome"),
    [
        (lf.sensitivity(asked=2, held=[HELD], unexamined=[{"path": ".", "why": "time was up"}]), "unknown"),
        (lf.sensitivity(asked=1, mutants=[{**lf.mutant("a", None), "fate": "open"}]), "unknown"),
        (lf.sensitivity(asked=1, held=[HELD], mutants=[{**lf.mutant("b", None), "fate": "open"}]), "holds"),
        (lf.sensitivity(asked=1, held=[HELD], unexamined=[{"path": ".", "why": "time was up"}]), "holds"),
        (lf.sensitivity(unexamined=[{"path": ".", "why": "mutants_s is 0"}]), "holds"),
    ],
)
def test_a_changed_test_of_which_nobody_knows_what_it_notices_leaves_open_whether_it_is_weaker(
    sensitivity: dict[str, Any], outcome: str
) -> None:
    # Before: time was up, and two tests of Go whose values were all 0 by then counted as not weakened.
    assert outcome_of(TESTS, {**lf.GOOD, "sensitivity.json": sensitivity}) == outcome


def test_what_is_left_open_names_the_first_note() -> None:
    check = verdict_on(TESTS, weakened("test_removed", "note")).check("unit:statement:1")
    assert check is not None
    assert "1 note, first test_removed in tests/t.py:3" in check.message
    assert check.evidence[0].pointer == "/findings/0"


def test_flip_that_no_linter_was_weakened_is_decided_now() -> None:
    # Before: undecided, whatever was found.
    assert verdict_on(LINTERS).status is verdict_on(SUPPRESSIONS).status is Status.PASS
    unseen = {**lf.GOOD, "integrity.json": lf.ZERO["integrity.json"]}
    assert {outcome_of(text, unseen) for text in (TESTS, LINTERS, SUPPRESSIONS)} == {"unknown"}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The text has 100 words", "unknown"),
        ("The text has 110 words", "unknown"),
        ("`a.md` has more than 65 words", "unknown"),
        ("`a.md` has more than 50 words", "holds"),
        ("`a.md` has more than 90 words", "refuted"),
    ],
)
def test_words_that_may_be_hidden_decide_nothing(text: str, outcome: str) -> None:
    files = [{"path": "a.md", "word_count": 60, "doubtful": 20}]
    counted = {"files": files, "total": 60, "total_doubtful": 20}
    if "text" in text:
        files[0]["word_count"] = counted["total"] = 90
    assert outcome_of(text, {**lf.GOOD, "content/wordcount.json": counted}) == outcome


REMOVED, SKIPPED = "No tests were removed.", "No existing tests were removed or skipped."


@pytest.mark.parametrize(
    ("kind", "weight", "removed", "either"),
    [
        ("test_removed", "weakening", "refuted", "refuted"),
        ("test_removed", "note", "unknown", "unknown"),
        ("test_skipped", "weakening", "holds", "refuted"),
        ("test_focused", "weakening", "holds", "refuted"),
        ("assertion_weakened", "weakening", "holds", "holds"),
        ("expectation_changed", "weakening", "holds", "holds"),
        ("suppression_added", "weakening", "holds", "holds"),
        ("test_collection_narrowed", "weakening", "unknown", "unknown"),
        ("test_tampered", "weakening", "unknown", "unknown"),
        ("checks_shadowed", "tampering", "unknown", "unknown"),
        ("unexamined", "weakening", "unknown", "unknown"),
        ("of a later version", "note", "unknown", "unknown"),
    ],
)
def test_that_no_test_is_gone_is_decided_by_what_is_about_that(
    kind: str, weight: str, removed: str, either: str
) -> None:
    # Before: an assertion that is weaker refuted that no test was removed.
    documents = weakened(kind, weight)
    assert (outcome_of(REMOVED, documents), outcome_of(SKIPPED, documents)) == (removed, either)


@pytest.mark.parametrize(
    ("text", "tests", "unexamined", "findings", "outcome"),
    [
        ("Removed 2 tests.", ("a", "b"), [], [], "holds"),
        ("Removed 1 test.", ("a[1]", "a[2]"), [], [], "holds"),
        ("Removed 2 tests.", ("a[1]", "a[2]"), [], [], "holds"),
        ("Removed 3 tests.", ("a", "b"), [], [], "unknown"),
        ("Removed 3 tests.", (), [], [], "refuted"),
        ("Removed 3 tests.", (), [{"path": "t.py", "why": "time was up"}], [], "unknown"),
        ("Removed 3 tests.", (), [], ["test_removed"], "unknown"),
        ("Removed 3 tests.", (), [], ["unexamined"], "unknown"),
        ("Removed 0 tests.", (), [], [], "holds"),
        ("Removed 0 tests.", (), [], ["test_removed"], "refuted"),
    ],
)
def test_how_many_tests_were_removed(
    text: str, tests: Sequence[str], unexamined: list[Any], findings: list[str], outcome: str
) -> None:
    gone = [lf.cell(name, "lost", "PPNN") for name in tests]
    own = [lf.integrity_finding(kind, "t.py", "weakening", "m", line=3, rule="r") for kind in findings]
    documents = {
        **lf.GOOD,
        "counterfactual.json": {**lf.counterfactual(*gone, lf.cell("kept")), "unexamined": unexamined},
        "integrity.json": {**lf.GOOD["integrity.json"], "findings": own},
    }
    assert outcome_of(text, documents) == outcome


@pytest.mark.parametrize(
    ("text", "steps", "outcome"),
    [
        ("`tsc` reports no type errors.", {"tsc": 0, "npm": 0}, "holds"),
        # A trivial project in one language says nothing of the types of another.
        ("No type errors.", {"tsc": 0}, "unknown"),
        ("Typecheck passes.", {"go": 0, "npm": 0}, "unknown"),
        ("3 type errors remain.", {"tsc": 0}, "refuted"),
        ("Typecheck passes.", {"tsc": 2}, "refuted"),
        ("Typecheck passes.", {"npm": 0}, "unknown"),
        ("Typecheck fails.", {"tsc": 2}, "holds"),
        ("1 type error remains.", {"tsc": 2}, "holds"),
        ("2 type errors remain.", {"tsc": 2}, "refuted"),
        ("2 type errors remain.", {"tsc": 2, "npm": 1}, "unknown"),
        ("No new type errors.", {"tsc": 2}, "unknown"),
        ("`tsc` reports no type errors.", {"go": 0}, "unknown"),
    ],
)
def test_types_are_checked_by_what_compiles_them(text: str, steps: Mapping[str, int], outcome: str) -> None:
    bad = any(steps.values())
    errors = [{"file": "a.ts", "line": 1, "message": "Type 'string' is not assignable"}] if bad else []
    made = {
        "success": not bad,
        "errors": errors,
        "warnings": [],
        "tool": "tsc",
        "steps": [{"tool": name, "argv": [name], "exit_code": code} for name, code in steps.items()],
    }
    assert outcome_of(text, {**lf.GOOD, "build.json": made}) == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # Before: undecided, as the part in the middle was unread.
        ("Added `foo()`, renamed `b()` to `c()`, and 7 tests pass.", "refuted"),
        ("Added `foo()`, renamed `c()` to `b()`, and 5 tests pass.", "refuted"),
        ("Added `foo()`, renamed `b()` to `c()`, and 5 tests pass.", "holds"),
        ("Added `foo()`, renamed `b()` to `d()`, and 5 tests pass.", "unknown"),
        ("Added `foo()`, refactored the parser, and 7 tests pass.", "refuted"),
        ("Added `foo()`, refactored the parser, and 5 tests pass.", "unknown"),
        # What limits the others is no item of its own.
        ("Added `foo()`, mocked the server, and 7 tests pass.", "unknown"),
        ("Added `foo()`, removed the failing ones, and 7 tests pass.", "unknown"),
    ],
)
def test_each_part_of_a_list_is_compared(text: str, outcome: str) -> None:
    sides = {"before": {"code": 2, "test": 0, "docs": 0, "comment": 0, "other": 0}, "after": {}}
    counts = {"before": sides["before"], "after": dict.fromkeys(sides["before"], 0)}
    turned = {"before": counts["after"], "after": counts["before"]}
    more = {"folded": False, "touched": 2, "paths": ["a.py"], "changed": 1, "unchanged_files": 0, "inside": []}
    names = [
        {"name": "b", **counts, **more, "defined": [1, 0]},
        {"name": "c", **turned, **more, "defined": [0, 1]},
    ]
    moved = [{"from": "b", "to": "c", "from_path": "a.py", "to_path": "a.py"}]
    changed = lf.changes(lf.file_entry("a.py"), names=names, moved=moved)
    assert outcome_of(text, {**lf.GOOD, "changes.json": changed}) == outcome


@pytest.mark.parametrize(
    ("steps", "linters", "changed", "outcome"),
    [
        ({"tsc": 0}, {}, ["src/a.ts", "README.md"], "holds"),
        ({"tsc": 0}, {"ruff": 0}, ["src/a.tsx"], "holds"),
        ({}, {"mypy": 0, "ruff": 3}, ["a.py"], "holds"),
        ({}, {"mypy": 1}, ["a.py"], "unknown"),
        ({"tsc": 2}, {}, ["src/a.ts"], "refuted"),
        # Two checkers, or a source that the one doesn't read: another program may find errors in it.
        ({"tsc": 0}, {"mypy": 0}, ["src/a.ts"], "unknown"),
        ({"tsc": 0}, {}, ["src/a.ts", "b.py"], "unknown"),
        ({"tsc": 0}, {}, ["src/a.ts", "b.rb"], "unknown"),
        ({"tsc": 0}, {}, ["README.md"], "unknown"),
        ({"npm": 0}, {"ruff": 0}, ["a.py"], "unknown"),
    ],
)
def test_a_single_checker_of_types_needs_no_name(
    steps: Mapping[str, int], linters: Mapping[str, int], changed: list[str], outcome: str
) -> None:
    # Before: undecided without the name of the tool.
    bad = any(steps.values())
    errors = [{"file": "a.ts", "line": 1, "message": "Type 'string' is not assignable"}] if bad else []
    listed = [{"tool": name, "argv": [name], "exit_code": code} for name, code in steps.items()]
    built = {"success": not bad, "errors": errors, "warnings": [], "tool": "tsc", "steps": listed}
    tools = [{"name": name, "errors": count, "warnings": 0} for name, count in linters.items()]
    documents = {
        **lf.GOOD,
        "build.json": built,
        "lint.json": {**lf.GOOD["lint.json"], "tools": tools},
        "diff_names.json": {"added": changed[:1], "modified": changed[1:], "deleted": []},
    }
    assert outcome_of("There are no type errors.", documents) == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Added 2 tests in tests/a.py.", "holds"),
        ("2 new tests in tests/a.py.", "holds"),
        ("Added 3 tests in tests/a.py.", "unknown"),
        ("Added a test to tests/b.py.", "unknown"),
        ("Added 3 tests.", "holds"),
    ],
)
def test_in_which_file_tests_are_new(text: str, outcome: str) -> None:
    new = [lf.cell(f"{name}", "added", "NNXP", path=path) for name, path in NEW_TESTS]
    documents = {**lf.GOOD, "counterfactual.json": {**lf.counterfactual(*new), "unexamined": []}}
    assert outcome_of(text, documents) == outcome


NEW_TESTS = (("one", "tests/a.py"), ("two", "tests/a.py"), ("three", "tests/c.py"))


def test_what_stands_after_a_colon_is_about_each_subject() -> None:
    failing = {**lf.GOOD, "tests.json": {**lf.GOOD["tests.json"], "failed": 1, "passed": 4}}
    # Before: only lint was looked at.
    assert outcome_of("I ran the tests and lint: all green", failing) == "refuted"
    assert outcome_of("Lint and all 5 tests pass.") == "holds"
    assert outcome_of("Lint and all 5 tests pass.", failing) == "refuted"
