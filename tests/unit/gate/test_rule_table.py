"""Every rule key on four states of the same artifacts: borne out, refuted, nothing looked at, not there."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.config.validation import validate
from verigate.domain.rules import RULES, is_active
from verigate.domain.standard_artifacts import BY_PATH, BY_SPEC
from verigate.domain.verdict import CheckOutcome, Status
from verigate.gate.decision import decide_verdict
from verigate.gate.rules import JUDGES

REFUTED_BY = {
    "lint_clean": "LINT_FAIL",
    "lint_errors_max": "LINT_FAIL",
    "lint_warnings_max": "LINT_FAIL",
    "tests_pass": "TEST_FAIL",
    "tests_min": "TESTS_EMPTY",
    "skipped_max": "TEST_FAIL",
    "coverage_min": "COVERAGE_FAIL",
    "patch_coverage_min": "COVERAGE_FAIL",
    "coverage_drop_max": "COVERAGE_FAIL",
    "noticed_min": "NOTICED_FAIL",
    "build_success": "BUILD_FAIL",
    "units_match": "FUNCTION_MISMATCH",
    "fixes_proven": "FIX_UNPROVEN",
    "reject_unclaimed_changes": "DIFF_MISMATCH",
    "integrity": "INTEGRITY_FAIL",
    "require_full_coverage": "LINKS_UNCHECKED",
    "failures_max": "LINK_FAIL",
    "resample_max": "LINK_FAIL",
    "links_min": "LINKS_UNCHECKED",
    "schema_valid": "SCHEMA_MISMATCH",
    "required_endpoints": "ENDPOINT_MISMATCH",
    "undocumented_max": "ENDPOINT_MISMATCH",
    "auth_required": "AUTH_FAIL",
    "latency_ms": "LATENCY_FAIL",
    "rate_limit_required": "RATE_LIMIT_FAIL",
    "word_min": "WORD_MIN",
    "words_rendered": "WORDS_UNRENDERED",
    "headings_required": "HEADING_MISSING",
    "images_min": "IMAGE_MISSING",
    "images_found": "IMAGE_MISSING",
    "images_alt_required": "IMAGE_MISSING",
    "quotes_attributed": "QUOTE_UNATTRIBUTED",
    "files_min": "MISSING_UNIT",
}
"""What each rule says when the facts speak against it."""

REFUTED_BY_ZERO = REFUTED_BY | {
    "lint_clean": "LINT_EMPTY",
    "lint_errors_max": "LINT_EMPTY",
    "lint_warnings_max": "LINT_EMPTY",
    "tests_pass": "TESTS_EMPTY",
    "skipped_max": "TESTS_EMPTY",
    "failures_max": "LINKS_UNCHECKED",
    "resample_max": "LINKS_UNCHECKED",
}
"""What each rule says when there was nothing to look at. An empty diff has nothing unclaimed in it, see below."""

KEYS = sorted(lf.THRESHOLDS)


def judged(key: str, artifacts: dict[str, Any], **more: Any) -> Any:
    """The verdict and the check of one rule alone."""
    facts = lf.facts(
        {key: lf.THRESHOLDS[key], **lf.SETTINGS},
        artifacts,
        claim=lf.claim_document(),
        commitment=dict(lf.COMMITMENT),
        order=lf.ORDER,
        **more,
    )
    verdict = decide_verdict(facts)
    check = verdict.check(f"{RULES[key].domain}.{key}")
    assert check is not None
    return verdict, check


def test_every_rule_key_is_in_the_table() -> None:
    assert set(JUDGES) == set(lf.THRESHOLDS) == set(REFUTED_BY)
    judged_here = {key for key, spec in RULES.items() if not spec.setting} - {"required_artifacts", "rules"}
    assert judged_here == set(JUDGES)


@pytest.mark.parametrize("state", ["GOOD", "BAD", "ZERO"])
def test_the_facts_of_the_table_are_valid_artifacts(state: str) -> None:
    table = getattr(lf, state)
    assert set(table) == set(BY_PATH)
    for path, value in table.items():
        if path.endswith(".json"):
            assert validate(BY_PATH[path].media_spec, value) == (), path


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_holds_on_facts_that_bear_it_out(key: str) -> None:
    claim = lf.claim_document("file:a.py", "func:foo", "endpoint:GET /users")
    facts = lf.facts(
        {key: lf.THRESHOLDS[key], **lf.SETTINGS}, lf.GOOD, claim=claim, commitment=lf.COMMITMENT, order=lf.ORDER
    )
    verdict = decide_verdict(facts)
    check = verdict.check(f"{RULES[key].domain}.{key}")
    assert check is not None
    assert check.outcome is CheckOutcome.HOLDS, check.message
    assert check.evidence, "a rule that holds cites what it holds on"
    assert verdict.status is Status.PASS
    assert verdict.reasons == ()


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_is_refuted_by_facts_that_speak_against_it(key: str) -> None:
    verdict, check = judged(key, lf.BAD)
    assert (check.outcome, check.reason) == (CheckOutcome.REFUTED, REFUTED_BY[key])
    assert check.message
    assert verdict.status is Status.FAIL
    assert [(reason.code, reason.check) for reason in verdict.reasons] == [(REFUTED_BY[key], check.id)]


@pytest.mark.parametrize("key", sorted(set(KEYS) - {"reject_unclaimed_changes"}))
def test_a_rule_never_holds_on_a_zero_denominator(key: str) -> None:
    verdict, check = judged(key, lf.ZERO)
    assert (check.outcome, check.reason) == (CheckOutcome.REFUTED, REFUTED_BY_ZERO[key])
    assert verdict.status is Status.FAIL


def test_an_empty_diff_has_nothing_unclaimed_and_proves_nothing() -> None:
    verdict, check = judged("reject_unclaimed_changes", lf.ZERO, changed=())
    assert check.outcome is CheckOutcome.NOT_APPLICABLE
    assert verdict.status is Status.INCONCLUSIVE


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_without_its_artifact_is_undecided(key: str) -> None:
    for spec_id in RULES[key].reads:
        path = BY_SPEC[spec_id].path
        verdict, check = judged(key, {name: value for name, value in lf.GOOD.items() if name != path})
        assert (check.outcome, check.reason) == (CheckOutcome.UNKNOWN, "ARTIFACT_MISSING"), path
        assert path in check.message
        assert verdict.status is Status.INCONCLUSIVE


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_must_hold_for_each_artifact_of_its_media_spec(key: str) -> None:
    for spec_id in RULES[key].reads:
        path = BY_SPEC[spec_id].path
        if not path.endswith(".json") or key in {"units_match", "fixes_proven", "reject_unclaimed_changes"}:
            continue
        second = lf.artifact(f"second/{path}", lf.ZERO[path], media_spec=spec_id)
        first = [lf.artifact(name, value) for name, value in lf.GOOD.items()]
        verdict = decide_verdict(
            lf.facts(
                {key: lf.THRESHOLDS[key], **lf.SETTINGS},
                [*first, second],
                claim=lf.claim_document(),
                commitment=lf.COMMITMENT,
                order=lf.ORDER,
            )
        )
        # resample.json may be empty: no link had to be tried again.
        assert verdict.status is (Status.PASS if path == "links/resample.json" or _harmless(key, path) else Status.FAIL)


def _harmless(key: str, path: str) -> bool:
    """Pairs in which a second, empty artifact says nothing against the rule."""
    return (key, path) == ("schema_valid", "api/schema.json")


@pytest.mark.parametrize("key", KEYS)
def test_an_inactive_rule_is_no_rule(key: str) -> None:
    for off in (None, False, [], {}):
        assert not is_active(key, off)
    assert is_active(key, lf.THRESHOLDS[key])
    verdict = decide_verdict(lf.facts({key: None}, lf.BAD, claim=lf.claim_document(), order=lf.ORDER))
    assert verdict.check(f"{RULES[key].domain}.{key}") is None
    assert verdict.status is Status.INCONCLUSIVE, "an empty rule set is never a pass"


UNREAD = [{"what": "jasmine", "path": "package.json", "why": "its report can't be read"}]
REMOTE = {"src": "https://a.example/a.png", "alt": "A", "width": None, "height": None, "state": "remote"}
DOUBTFUL_WORDS = {"files": [{"path": "a.html", "word_count": 2, "doubtful": 3}], "total": 2, "total_doubtful": 3}
MISSING = {"src": "a.png", "alt": "A", "width": None, "height": None, "state": "missing"}

VARIANTS: list[tuple[str, dict[str, Any], str, Any, str, str | None]] = [
    # every test skipped is no test
    (
        "skipped",
        {"tests_pass": True},
        "tests.json",
        {"passed": 0, "failed": 0, "skipped": 4, "total": 4},
        "refuted",
        "TESTS_EMPTY",
    ),
    (
        "skipped",
        {"skipped_max": 9},
        "tests.json",
        {"passed": 0, "failed": 0, "skipped": 4, "total": 4},
        "refuted",
        "TESTS_EMPTY",
    ),
    (
        "least",
        {"tests_min": 0},
        "tests.json",
        {"passed": 0, "failed": 0, "skipped": 4, "total": 4},
        "refuted",
        "TESTS_EMPTY",
    ),
    # declared tools that were not run decide nothing, unless something else refutes
    (
        "unread",
        {"tests_pass": True},
        "tests.json",
        {**lf.GOOD["tests.json"], "unexamined": UNREAD},
        "unknown",
        "TESTS_UNEXAMINED",
    ),
    (
        "unread",
        {"lint_clean": True},
        "lint.json",
        {**lf.GOOD["lint.json"], "unexamined": UNREAD},
        "unknown",
        "LINT_UNEXAMINED",
    ),
    (
        "unread",
        {"lint_errors_max": 0},
        "lint.json",
        {**lf.GOOD["lint.json"], "unexamined": UNREAD},
        "unknown",
        "LINT_UNEXAMINED",
    ),
    (
        "excluded",
        {"tests_pass": True},
        "tests.json",
        {**lf.GOOD["tests.json"], "unexamined": [], "excluded": UNREAD},
        "holds",
        None,
    ),
    (
        "repeated",
        {"tests_pass": True},
        "tests.json",
        {**lf.GOOD["tests.json"], "repeated": UNREAD},
        "holds",
        None,
    ),
    (
        "excluded",
        {"lint_clean": True},
        "lint.json",
        {**lf.GOOD["lint.json"], "unexamined": [], "excluded": UNREAD},
        "holds",
        None,
    ),
    # a file that the project's own settings leave out is named, and stops nothing
    (
        "file unread",
        {"lint_clean": True},
        "lint.json",
        {**lf.GOOD["lint.json"], "unexamined_files": UNREAD},
        "holds",
        None,
    ),
    # policy leaves out the only linter: nothing is subject to the rule, unless another one is declared
    (
        "all left out",
        {"lint_clean": True},
        "lint.json",
        {**lf.GOOD["lint.json"], "tool": None, "files_checked": 0, "unexamined": [], "excluded": UNREAD},
        "not_applicable",
        None,
    ),
    (
        "some left out",
        {"lint_clean": True},
        "lint.json",
        {**lf.GOOD["lint.json"], "tool": None, "files_checked": 0, "unexamined": UNREAD, "excluded": UNREAD},
        "refuted",
        "LINT_EMPTY",
    ),
    (
        "unread",
        {"tests_pass": True},
        "tests.json",
        {"passed": 3, "failed": 1, "total": 4, "unexamined": UNREAD},
        "refuted",
        "TEST_FAIL",
    ),
    (
        "unread",
        {"tests_pass": True},
        "tests.json",
        {"passed": 0, "failed": 0, "total": 0, "skipped": 0, "unexamined": UNREAD},
        "refuted",
        "TESTS_EMPTY",
    ),
    # a missing tool is a fact, not a clean result
    ("tool", {"lint_clean": True}, "lint.json", lf.ZERO["lint.json"], "refuted", "LINT_EMPTY"),
    (
        "tool",
        {"build_success": True},
        "build.json",
        {"success": True, "errors": [], "warnings": [], "tool": None},
        "refuted",
        "BUILD_FAIL",
    ),
    # what has nothing to build has not failed to; a sign of a build that nothing makes has
    (
        "nothing",
        {"build_success": True},
        "build.json",
        {"success": False, "errors": [], "warnings": [], "tool": None, "nothing_to_build": UNREAD},
        "not_applicable",
        None,
    ),
    (
        "unbuilt",
        {"build_success": True},
        "build.json",
        {"success": False, "errors": [], "warnings": [], "tool": None, "unbuilt": UNREAD},
        "refuted",
        "BUILD_FAIL",
    ),
    # lines of a language that nothing measures are open, also where nothing is measured at all
    (
        "unmeasured",
        {"patch_coverage_min": 0.8},
        "coverage.json",
        {
            **lf.ZERO["coverage.json"],
            "patch": {"pct": 0, "lines": {"covered": 0, "total": 0}, "files": [], "unmeasured": ["a.go"]},
        },
        "unknown",
        "COVERAGE_FAIL",
    ),
    # thresholds are met by equality
    ("equal", {"coverage_min": 0.9}, "coverage.json", lf.GOOD["coverage.json"], "holds", None),
    ("equal", {"word_min": 100}, "content/wordcount.json", lf.GOOD["content/wordcount.json"], "holds", None),
    ("shown for certain", {"word_min": 2}, "content/wordcount.json", DOUBTFUL_WORDS, "holds", None),
    ("shown perhaps", {"word_min": 5}, "content/wordcount.json", DOUBTFUL_WORDS, "unknown", "WORD_MIN"),
    ("not even so", {"word_min": 6}, "content/wordcount.json", DOUBTFUL_WORDS, "refuted", "WORD_MIN"),
    ("not said", {"words_rendered": True}, "content/wordcount.json", DOUBTFUL_WORDS, "unknown", "WORDS_UNRENDERED"),
    ("above", {"word_min": 101}, "content/wordcount.json", lf.GOOD["content/wordcount.json"], "refuted", "WORD_MIN"),
    (
        "tolerance",
        {"word_min": 110, "word_tolerance": 0.1},
        "content/wordcount.json",
        lf.GOOD["content/wordcount.json"],
        "holds",
        None,
    ),
    ("redirects", {"failures_max": 0}, "links/statuses.json", {"https://a.example/": 301}, "refuted", "LINK_FAIL"),
    (
        "redirects",
        {"failures_max": 0, "treat_3xx_as_pass": True},
        "links/statuses.json",
        {"https://a.example/": 301},
        "holds",
        None,
    ),
    ("boolean", {"failures_max": 0}, "links/statuses.json", {"https://a.example/": True}, "refuted", "LINK_FAIL"),
    # what can't be asked by its nature counts neither way; alone it is nothing checked
    (
        "mail",
        {"failures_max": 0},
        "links/statuses.json",
        {"https://a.example/": 200, "mailto:a@b.example": "NOT_FETCHED"},
        "holds",
        None,
    ),
    (
        "mail alone",
        {"failures_max": 0},
        "links/statuses.json",
        {"mailto:a@b.example": "NOT_FETCHED"},
        "refuted",
        "LINKS_UNCHECKED",
    ),
    (
        "called mail",
        {"failures_max": 0},
        "links/statuses.json",
        {"https://a.example/": 200, "https://b.example/mailto:x": "NOT_FETCHED"},
        "refuted",
        "LINK_FAIL",
    ),
    (
        "a file called mailto",
        {"failures_max": 0},
        "links/statuses.json",
        {"https://a.example/": 200, "mailto": "NOT_FETCHED"},
        "refuted",
        "LINK_FAIL",
    ),
    # nobody asked: not a failure, and no pass
    (
        "forbidden",
        {"failures_max": 0},
        "links/statuses.json",
        {"https://a.example/": "NETWORK_FORBIDDEN", "a.md": 200},
        "unknown",
        "LINKS_UNCHECKED",
    ),
    (
        "forbidden and broken",
        {"failures_max": 0},
        "links/statuses.json",
        {"https://a.example/": "NETWORK_FORBIDDEN", "a.md": "FILE_NOT_FOUND"},
        "refuted",
        "LINK_FAIL",
    ),
    (
        "scheme",
        {"failures_max": 0},
        "links/statuses.json",
        {"ftp://a.example/": "UNSUPPORTED_SCHEME", "a.md": 200},
        "unknown",
        "LINKS_UNCHECKED",
    ),
    # the base's coverage was not measured: nobody knows whether it fell
    (
        "base",
        {"coverage_drop_max": 0},
        "coverage.json",
        {**lf.GOOD["coverage.json"], "base": None},
        "unknown",
        "COVERAGE_FAIL",
    ),
    (
        "latency",
        {"latency_ms": {"p50": 1}},
        "api/responses.json",
        {"GET /x": {"status": 0, "latency_ms": None, "body_sample": None}},
        "unknown",
        "LATENCY_FAIL",
    ),
    (
        "integrity",
        {"integrity": True},
        "integrity.json",
        {
            **lf.BAD["integrity.json"],
            "findings": [lf.integrity_finding("noqa", "a.py", "note", "m")],
        },
        "holds",
        None,
    ),
    (
        "schema",
        {"schema_valid": True},
        "api/schema.json",
        {"ok": True, "errors": ["x"], "schema_hash": None},
        "unknown",
        "ARTIFACT_MISSING",
    ),
    (
        "heading text",
        {"headings_required": ["Setup"]},
        "content/headings.json",
        lf.GOOD["content/headings.json"],
        "holds",
        None,
    ),
    ("remote", {"images_found": True}, "content/images.json", {"a.md": [REMOTE]}, "holds", None),
    ("missing", {"images_found": True}, "content/images.json", {"a.md": [MISSING]}, "refuted", "IMAGE_MISSING"),
    ("missing", {"images_min": 1}, "content/images.json", {"a.md": [MISSING]}, "refuted", "IMAGE_MISSING"),
    ("remote", {"images_min": 1}, "content/images.json", {"a.md": [REMOTE]}, "holds", None),
    (
        "invented",
        {"quotes_attributed": True},
        "content/quotes.json",
        {"a.md": [{"text": "To be", "source": "b.txt", "cited_file": "b.txt", "occurs": False}]},
        "refuted",
        "QUOTE_UNATTRIBUTED",
    ),
    (
        "found",
        {"quotes_attributed": True},
        "content/quotes.json",
        {"a.md": [{"text": "To be", "source": "b.txt", "cited_file": "b.txt", "occurs": True}]},
        "holds",
        None,
    ),
    ("no image is no bare image", {"images_alt_required": True}, "content/images.json", {"a.md": []}, "holds", None),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=[f"{variant[0]}-{next(iter(variant[1]))}" for variant in VARIANTS])
def test_the_borders_of_single_rules(variant: tuple[str, dict[str, Any], str, Any, str, str | None]) -> None:
    name, rules, path, value, outcome, reason = variant
    verdict = decide_verdict(lf.facts(rules, {path: value}, claim=lf.claim_document(), order=lf.ORDER))
    key = next(key for key in rules if key in JUDGES)
    check = verdict.check(f"{RULES[key].domain}.{key}")
    assert check is not None
    assert (check.outcome.value, check.reason) == (outcome, reason), (name, check.message)


def test_required_artifacts_by_path_and_by_capability() -> None:
    rules = {"required_artifacts": ["lint.json", "code:tests", "my/own.json", "my:check"]}
    artifacts = [
        lf.artifact("lint.json", lf.GOOD["lint.json"]),
        lf.artifact("tests.json", lf.GOOD["tests.json"]),
        lf.artifact("my/own.json", {"a": 1}, producer="my:check"),
    ]
    verdict = decide_verdict(lf.facts(rules, artifacts, claim=lf.claim_document(), order=lf.ORDER))
    assert verdict.status is Status.PASS
    for missing in range(3):
        kept = [item for index, item in enumerate(artifacts) if index != missing]
        verdict = decide_verdict(lf.facts(rules, kept, claim=lf.claim_document(), order=lf.ORDER))
        assert verdict.status is Status.INCONCLUSIVE
        assert {reason.code for reason in verdict.reasons} == {"ARTIFACT_MISSING"}


CUSTOM: list[tuple[dict[str, Any], dict[str, Any], str, str | None]] = [
    ({"expr": 'artifacts["lint.json"].errors == 0'}, lf.GOOD, "holds", None),
    ({"expr": 'artifacts["lint.json"].errors == 0', "message": "no lint"}, lf.BAD, "refuted", "CUSTOM_RULE"),
    ({"expr": "artifacts['lint.json'].errors == 0"}, {}, "unknown", "ARTIFACT_MISSING"),
    ({"expr": 'artifacts["lint.json"].nothing == 0'}, lf.GOOD, "error", "CUSTOM_RULE"),
    ({"expr": 'artifacts["lint.json"].errors ==='}, lf.GOOD, "error", "CUSTOM_RULE"),
    ({"expr": 'artifacts["lint.json"].errors'}, lf.GOOD, "error", "CUSTOM_RULE"),
    ({"expr": "1 / 0 == 1"}, lf.GOOD, "error", "CUSTOM_RULE"),
    ({"when": 'claim.task_id == "other"', "expr": "false"}, lf.GOOD, "not_applicable", None),
    ({"when": "nobody.knows", "expr": "true"}, lf.GOOD, "error", "CUSTOM_RULE"),
    ({"expr": 'commitment.type == "every" && metrics.tests.passed == 5'}, lf.GOOD, "holds", None),
]


@pytest.mark.parametrize(("rule", "artifacts", "outcome", "reason"), CUSTOM)
def test_custom_rules(rule: dict[str, Any], artifacts: dict[str, Any], outcome: str, reason: str | None) -> None:
    rules = {"rules": [{"id": "mine", **rule}]}
    verdict = decide_verdict(
        lf.facts(rules, artifacts, claim=lf.claim_document(), commitment=lf.COMMITMENT, order=("code:lint",))
    )
    check = verdict.check("custom.mine")
    assert check is not None
    assert (check.outcome.value, check.reason) == (outcome, reason), check.message
    assert (verdict.status is Status.ERROR) == (outcome == "error")
    assert (verdict.status is Status.FAIL) == (outcome == "refuted")


def test_a_custom_rule_cites_the_values_that_it_names() -> None:
    rules = {
        "rules": [
            {"id": "mine", "expr": 'artifacts["lint.json"].errors > 0 && size(artifacts["lint.json"].issues) > 0'}
        ]
    }
    check = decide_verdict(lf.facts(rules, lf.GOOD, claim=lf.claim_document())).check("custom.mine")
    assert check is not None
    assert [(ref.artifact, ref.pointer, ref.value) for ref in check.evidence] == [
        ("lint.json", "/errors", 0),
        ("lint.json", "/issues", []),
    ]


def test_a_build_without_its_tools_is_refuted_by_what_is_missing() -> None:
    missing = {"path": "web", "line": 0, "column": 0, "message": "tsc is not installed: run npm ci"}
    build = {"success": False, "errors": [missing], "warnings": [], "tool": None}
    check = decide_verdict(lf.facts({"build_success": True}, {"build.json": build}, claim=lf.claim_document())).check(
        "code.build_success"
    )
    assert check is not None
    assert (check.outcome.value, check.reason) == ("refuted", "BUILD_FAIL")
    assert check.message == "nothing was built: 1 error"
    assert [ref.value for ref in check.evidence[1:]] == [missing]


def test_a_linter_that_is_not_there_is_named_with_what_installs_it() -> None:
    why = "cargo has no clippy: apt-get install rust-clippy"
    missing = [{"what": "clippy", "path": ".", "why": why}]
    facts = lf.facts(
        {"lint_errors_max": 0},
        {"lint.json": {**lf.ZERO["lint.json"], "tool": None, "missing": missing}},
        claim=lf.claim_document(),
    )
    check = decide_verdict(facts).check("code.lint_errors_max")
    assert check is not None
    assert (check.outcome.value, check.reason) == ("refuted", "LINT_EMPTY")
    assert check.message == f"no linter was found; missing: clippy (.): {why}"


@pytest.mark.parametrize(("number", "counted"), [(1, "1 error"), (2, "2 errors")])
def test_the_errors_of_a_build_are_counted_as_words(number: int, counted: str) -> None:
    error = {"path": "a.ts", "line": 1, "column": 1, "message": "no such name"}
    build = {"success": False, "errors": [error] * number, "warnings": [], "tool": "tsc"}
    check = decide_verdict(lf.facts({"build_success": True}, {"build.json": build}, claim=lf.claim_document())).check(
        "code.build_success"
    )
    assert check is not None
    assert check.message == f"the build failed with {counted}"


def test_a_custom_rule_that_looks_at_nothing_is_no_pass() -> None:
    verdict = decide_verdict(lf.facts({"rules": [{"id": "mine", "expr": "true"}]}, lf.GOOD, claim=lf.claim_document()))
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.check("gate.something_checked") is not None


def test_a_custom_rule_can_not_see_volatile_values() -> None:
    rules = {"rules": [{"id": "mine", "expr": 'artifacts["tests.json"].duration < 100.0'}]}
    verdict = decide_verdict(lf.facts(rules, lf.GOOD, claim=lf.claim_document()))
    assert verdict.status is Status.ERROR
