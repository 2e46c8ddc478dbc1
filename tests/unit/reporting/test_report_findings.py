"""Findings: what speaks against a pass, at its place, under a name that stays."""

from __future__ import annotations

from typing import Any

import literal_facts as literal
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun
from verigate.domain.verdict import CheckOutcome, Status
from verigate.reporting import findings as module
from verigate.reporting.findings import Level, ReportFinding, collect_findings, is_warning
from verigate.reporting.locations import relative_uri, repository_path
from verigate.reporting.report import Report, holds_back


def listed(report: Report) -> tuple[ReportFinding, ...]:
    return collect_findings(report).listed


def places(report: Report) -> list[tuple[str | None, int | None, str | None, str]]:
    return [(finding.path, finding.line, finding.rule, finding.message) for finding in listed(report)]


def of(artifacts: dict[str, Any], **rules: Any) -> Report:
    return samples.report(literal.facts(rules, artifacts, implicit=True, changed=("a.md", "a.py")))


FAILED = {"id": "t::one", "path": "t.py", "line": 9, "message": "no"}


@pytest.mark.parametrize(
    ("rules", "artifacts", "expected"),
    [
        (
            {"lint_errors_max": 0},
            {"lint.json": samples.lint(samples.issue("a.py", 3, column=7), samples.issue("b.py", None))},
            [("a.py", 3, "E1", "bad"), ("b.py", None, "E1", "bad")],
        ),
        (
            {"tests_pass": True},
            {"tests.json": {**literal.BAD["tests.json"], "failures": [FAILED, {"id": "t::two", "message": ""}]}},
            [("t.py", 9, None, "t::one: no"), (None, None, None, "t::two")],
        ),
        (
            {"build_success": True},
            {"build.json": {**literal.BAD["build.json"], "errors": ["a", {"path": "b.c", "line": 2, "message": "b"}]}},
            [(None, None, None, "a"), ("b.c", 2, None, "b")],
        ),
        (
            {"integrity": True},
            {"integrity.json": literal.BAD["integrity.json"]},
            [("t.py", None, "test_skipped", "skipped")],
        ),
        (
            {"images_alt_required": True},
            {"content/images.json": literal.BAD["content/images.json"]},
            [("a.md", None, None, "one.png: no alternative text")],
        ),
        (
            {"coverage_min": 0.8},
            {"coverage.json": literal.BAD["coverage.json"]},
            [(None, None, None, "coverage is 50.00%, at least 80.00% wanted")],
        ),
    ],
)  # fmt: skip
def test_a_finding_stands_where_its_artifact_says(rules: dict[str, Any], artifacts: Any, expected: list[Any]) -> None:
    assert places(of(artifacts, **rules)) == expected


def test_unclaimed_symbols_and_files_have_their_places() -> None:
    facts = literal.facts(
        {"reject_unclaimed_changes": True},
        literal.BAD,
        claim=literal.claim_document("file:other.py"),
        changed=("b.py",),
    )
    found = [f for f in listed(samples.report(facts)) if f.code == "DIFF_MISMATCH" and f.check.id.startswith("code.")]
    assert [(f.path, f.line) for f in found] == [("b.py", 1), ("b.py", None), ("c.py", None)]


def test_more_than_is_cited_is_listed_and_more_than_is_listed_is_told() -> None:
    seven = [samples.issue("a.py", n) for n in range(1, 8)]
    assert len(listed(samples.of_issues(*seven))) == 7
    counted = of({"lint.json": samples.lint(*seven, errors=9)}, lint_errors_max=0)
    assert [f.message for f in listed(counted)] == ["bad"] * 7 + ["9 lint errors, at most 0 allowed"]


def test_two_rules_about_the_same_issue_tell_it_once() -> None:
    report = of({"lint.json": samples.lint(samples.issue("a.py"))}, lint_errors_max=0, lint_clean=True)
    assert len(listed(report)) == 1


def test_a_custom_rule_about_a_linter_does_not_list_its_issues() -> None:
    rule = {"id": "lint_clean", "expr": 'artifacts["lint.json"].files_checked > 5', "message": "too few"}
    report = of({"lint.json": literal.BAD["lint.json"]}, rules=[rule])
    assert [f.message for f in listed(report) if f.level is Level.ERROR] == ["too few"]


@pytest.mark.parametrize("status", list(Status))
def test_every_problem_has_a_finding_and_a_pass_has_none_of_weight(status: Status) -> None:
    report = samples.of_status(status)
    heavy = {f.check.id for f in listed(report) if f.level is not Level.NOTE}
    problems = {check.id for check in report.checks if holds_back(check)}
    assert bool(heavy) is (status is not Status.PASS)
    # lint_clean counts the issues that lint_errors_max tells.
    assert problems - heavy <= {"code.lint_errors_max"}


def test_levels_follow_the_outcome_and_the_heaviest_come_first() -> None:
    order = [finding.level for finding in listed(samples.of_status(Status.ERROR))]
    assert order == sorted(order, key=list(Level).index)
    inconclusive = samples.of_status(Status.INCONCLUSIVE)
    assert [f.level for f in listed(inconclusive) if holds_back(f.check)] == [Level.WARNING]


def test_what_no_check_holds_against_the_change_is_a_note() -> None:
    warning = samples.issue("a.py", 4, "odd", severity="warning")
    artifact = samples.lint(warnings=1, issues=[warning])
    mild = {
        **literal.GOOD["integrity.json"],
        "findings": [literal.integrity_finding("k", "t.py", "note", "m")],
    }
    report = of({"lint.json": artifact, "integrity.json": mild}, lint_errors_max=0, integrity=True)
    assert report.verdict.status is Status.PASS
    assert [(f.level, f.path, f.message) for f in listed(report)] == [
        (Level.NOTE, "a.py", "odd"),
        (Level.NOTE, "t.py", "m"),
    ]


def test_only_a_pass_looks_like_one() -> None:
    held = samples.of_status(Status.PASS)
    for status in (Status.FAIL, Status.ERROR, Status.INCONCLUSIVE):
        claimed = Report(replace(held.verdict, status=status), held.runs)
        assert [f.level for f in listed(claimed) if f.check.id == "gate.verdict"] == [Level.WARNING]
        assert any(check.outcome is CheckOutcome.UNKNOWN for check in claimed.checks)
    assert held.checks == held.verdict.checks


def test_without_artifacts_the_verdict_s_own_citations_have_places() -> None:
    report = samples.of_issues(*(samples.issue("a.py", n) for n in range(1, 8)))
    alone = listed(Report(report.verdict))
    assert [(f.path, f.line) for f in alone] == [*(("a.py", n) for n in range(1, 6)), (None, None)]


def test_fingerprints_are_unique_and_stay_when_lines_move() -> None:
    def prints(*issues: dict[str, Any]) -> list[str]:
        return [finding.fingerprint for finding in listed(samples.of_issues(*issues))]

    before = prints(samples.issue("a.py", 3), samples.issue("a.py", 8), samples.issue("b.py", 3))
    assert len(set(before)) == 3
    assert prints(samples.issue("a.py", 13), samples.issue("a.py", 18), samples.issue("b.py", 1)) == before
    assert prints(samples.issue("b.py", 3)) == before[2:]
    assert prints(samples.issue("b.py", 3, "worse"))[0] not in before
    many = [finding.fingerprint for finding in listed(samples.of_many())]
    assert len(set(many)) == len(many) == 2 * samples.MANY


def test_what_a_check_counts_is_not_in_its_fingerprint() -> None:
    def fingerprint(pct: int) -> str:
        artifact = {**literal.BAD["coverage.json"], "pct": pct / 100, "lines": {"covered": pct, "total": 100}}
        return listed(of({"coverage.json": artifact}, coverage_min=0.8))[0].fingerprint

    assert fingerprint(50) == fingerprint(60)


def test_a_million_findings_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FINDINGS", 10)
    found = collect_findings(samples.of_issues(*(samples.issue("a.py", n) for n in range(1, 101))))
    assert (len(found.listed), found.left_out) == (10, 90)


@pytest.mark.parametrize("path", samples.OUTSIDE)
def test_what_is_no_path_below_the_root_has_no_place(path: Any) -> None:
    assert repository_path(path) is None
    report = samples.of_issues(samples.issue(path))
    assert [(f.path, f.line) for f in listed(report)] == [(None, 1)]


@pytest.mark.parametrize("line", [0, -1, True, 2**31, 1.5, "3", None])
def test_what_is_no_line_is_none(line: Any) -> None:
    assert [f.line for f in listed(samples.of_issues(samples.issue("a.py", line)))] == [None]


@pytest.mark.parametrize(("path", "uri"), samples.PATHS.items())
def test_odd_names_are_percent_encoded(path: str, uri: str) -> None:
    assert relative_uri(repository_path(path) or "") == uri


@pytest.mark.parametrize("value", ["text", None, [], {"issues": "none"}, {"issues": [None, 3, "x", {"path": {}}]}])
def test_artifacts_of_any_shape_are_read(value: Any) -> None:
    report = samples.of_issues(samples.issue("a.py"))
    artifact = replace(report.runs[0].artifacts[0], value=value)
    changed = Report(report.verdict, (CapabilityRun("code:lint", required=True, artifacts=(artifact,)),))
    assert listed(changed)


DEAD = {"https://a.example/": 404, "https://b.example/": 301, "https://c.example/": 200, "mailto:a@b.c": "NOT_FETCHED"}
LOCATIONS = {"https://a.example/": [{"file": "docs/a.md", "line": 7, "column": 3}], "https://b.example/": "odd"}


def test_a_dead_link_is_listed_where_it_stands() -> None:
    documents = {"links/statuses.json": DEAD, "links/locations.json": LOCATIONS}
    assert places(of(documents, failures_max=0)) == [
        ("docs/a.md", 7, None, "https://a.example/: 404"),
        (None, None, None, "https://b.example/: 301"),
    ]
    assert [item[3] for item in places(of(documents, failures_max=0, treat_3xx_as_pass=True))] == [
        "https://a.example/: 404"
    ]


VIOLATION = {"endpoint": "GET /users", "status": 200, "pointer": "/id", "keyword": "type", "message": "not a string"}


@pytest.mark.parametrize(
    ("rules", "artifacts", "messages"),
    [
        (
            {"schema_valid": True},
            {
                "api/schema.json": {"ok": False, "errors": [VIOLATION, "odd"], "schema_hash": None},
                "api/responses.json": literal.GOOD["api/responses.json"],
            },
            ["GET /users 200: not a string", "odd"],
        ),
        (
            {"undocumented_max": 0},
            {
                "api/endpoints.json": {
                    **literal.GOOD["api/endpoints.json"],
                    "undocumented": ["GET /a", {"method": "POST", "path": "/b"}],
                }
            },
            ["GET /a", "POST /b"],
        ),
        (
            {"auth_required": True},
            {
                "api/auth.json": {
                    **literal.GOOD["api/auth.json"],
                    "violations": [{"endpoint": "GET /a", "without": 200}],
                }
            },
            ['GET /a: {"without": 200}'],
        ),
    ],
)
def test_endpoints_are_listed_one_by_one(rules: dict[str, Any], artifacts: dict[str, Any], messages: list[str]) -> None:
    report = samples.report(literal.facts(rules, artifacts, claim=literal.claim_document("endpoint:GET /users")))
    found = [item for item in listed(report) if item.check.id.startswith("api.")]
    assert [finding.message for finding in found] == messages


def test_what_is_for_the_record_is_no_warning() -> None:
    issues = [samples.issue("a.py", 4, "odd", severity="warning"), samples.issue("b.py", 4, "fact", severity="info")]
    report = of({"lint.json": samples.lint(warnings=1, issues=issues)}, lint_errors_max=0)
    assert [finding.path for finding in listed(report) if is_warning(finding)] == ["a.py"]


@pytest.mark.parametrize(
    ("weight", "level"), [("tampering", Level.ERROR), ("weakening", Level.ERROR), ("note", Level.NOTE)]
)
def test_a_finding_of_integrity_has_weight_and_id(weight: str, level: Level) -> None:
    finding = literal.integrity_finding("test_removed", "t.py", weight, "gone", line=4)
    report = of({"integrity.json": {**literal.GOOD["integrity.json"], "findings": [finding]}}, integrity=True)
    (shown,) = [item for item in listed(report) if item.path == "t.py"]
    assert (shown.level, shown.weight, shown.id) == (level, weight, finding["id"])
