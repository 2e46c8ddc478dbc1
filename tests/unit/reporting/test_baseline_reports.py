"""What reports say of a baseline: how many findings it leaves out, since when, until when, and which ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
import report_samples as samples
from msgspec.structs import replace
from report_samples import entry

from verigate.domain.baseline import BaselineEntry
from verigate.reporting.baseline import summarise_baseline
from verigate.reporting.explain_baseline import find_baselined_issues
from verigate.reporting.explain_baseline import render as render_known
from verigate.reporting.findings import Level, collect_findings
from verigate.reporting.formats import FORMATS, TextStyle, render
from verigate.reporting.report import Report

TODAY = "2026-06-15"
OLD = samples.issue("old.py", 3, "old", line_sha256="a" * 64)
NEW = samples.issue("new.py", 7, "new", line_sha256="b" * 64)
SAID = "baseline: 1 lint finding is left out, dated 2026-05-01, expiring 2026-08-01"


def report(*issues: dict[str, Any], entries: tuple[BaselineEntry, ...] = (entry(OLD),)) -> Report:
    return samples.of_baseline(*entries, issues=issues)


@pytest.mark.parametrize("issues", [(OLD,), (OLD, NEW)], ids=["pass", "fail"])
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_tells_number_date_and_expiry(name: str, issues: tuple[dict[str, Any], ...]) -> None:
    made = render(name, report(*issues), TextStyle(width=120))
    if name == "json":
        account = json.loads(made)["policy"]["baseline"]
        assert (account["covered"], account["created"][0], account["expires"][1]) == (1, "2026-05-01", "2026-08-01")
    else:
        assert SAID in made


@pytest.mark.parametrize("width", [40, 60, 200])
def test_the_date_is_never_cut_off_the_text(width: int) -> None:
    made = render("text", report(OLD), TextStyle(width=width))
    assert SAID in " ".join(made.split())


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (
            (entry(OLD), entry(NEW, 2)),
            "1 lint finding is left out, dated 2026-05-01, expiring 2026-08-01; 2 findings no",
        ),
        ((entry(OLD, expires=TODAY),), "0 lint findings are left out; 1 finding counts because the entry has expired"),
        ((), "baseline: 0 lint findings are left out"),
    ],
)
def test_what_expired_and_what_is_gone_is_told(entries: tuple[BaselineEntry, ...], said: str) -> None:
    assert said in summarise_baseline(report(OLD, entries=entries).verdict)


@pytest.mark.parametrize(
    "account",
    [None, "text", [], {}, {"covered": "many"}, {"covered": 1, "created": 3, "expires": {}}, {"covered": True}],
)
def test_an_account_that_was_edited_is_still_told(account: Any) -> None:
    verdict = report(OLD).verdict
    edited = Report(replace(verdict, policy={**verdict.policy, "baseline": account}))
    for name in FORMATS:
        assert render(name, edited, TextStyle())


def test_what_is_covered_is_no_finding_and_no_note() -> None:
    found = collect_findings(report(OLD, NEW))
    assert [(item.level, item.path) for item in found.listed] == [(Level.ERROR, "new.py")]
    assert [(item.path, item.code, item.entry) for item in found.covered] == [("old.py", "LINT_FAIL", entry(OLD))]
    held = collect_findings(report(OLD))
    assert (held.listed, [item.path for item in held.covered]) == ((), ["old.py"])
    alone = collect_findings(Report(report(OLD, NEW).verdict))
    assert "old.py" not in {item.path for item in alone.listed}, "a cited entry is no finding"


def test_what_an_expired_entry_covered_is_a_finding() -> None:
    found = collect_findings(report(OLD, entries=(entry(OLD, expires=TODAY),)))
    assert [(item.path, item.entry) for item in found.listed] == [("old.py", None)]


def test_sarif_has_what_is_covered_as_suppressed() -> None:
    (run,) = json.loads(render("sarif", report(OLD, NEW), TextStyle()))["runs"]
    by_file = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: result for result in run["results"]
    }
    assert by_file["new.py"]["suppressions"] == [], "all results of a run have the property or none"
    (suppression,) = by_file["old.py"]["suppressions"]
    assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    assert suppression["justification"] == "long known (dated 2026-05-01, expiring 2026-08-01)"
    assert by_file["old.py"]["partialFingerprints"]["verigateFinding/v2"] == entry(OLD).key.fingerprint
    assert all("suppressions" not in result for result in _results(samples.of_issues(NEW)))


def _results(made: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render("sarif", made, TextStyle()))["runs"][0]["results"]
    return found


@pytest.mark.parametrize("text", samples.HOSTILE)
def test_an_entry_s_words_are_foreign_text(text: str) -> None:
    hostile = samples.issue(f"{text}.py", 1, text, rule=text, tool=text, line_sha256="c" * 64)
    made = report(hostile, entries=(entry(hostile, reason=text or "x"),))
    for name in set(FORMATS) - {"json"}:
        out = render(name, made, TextStyle())
        assert "\x1b[31m" not in out, name
        assert "<script>alert" not in out or name not in {"html", "junit"}, name


def test_explaining_lists_what_is_covered_and_what_expired() -> None:
    made = report(OLD, NEW, entries=(entry(OLD), entry(NEW, expires=TODAY)))
    check = made.verdict.check("code.lint_errors_max")
    assert check is not None
    found = find_baselined_issues(check, made.baseline, made.artifacts.values())
    assert [(item.issue["path"], item.expired) for item in found] == [("new.py", True), ("old.py", False)]
    text = render_known(found)
    assert "new.py:7: E1: new\n    counts, expired 2026-06-15; dated 2026-05-01: long known" in text
    assert "old.py:3: E1: old\n    left out until 2026-08-01; dated 2026-05-01: long known" in text
    other = made.verdict.check("gate.judges")
    assert other is not None
    assert find_baselined_issues(other, made.baseline, made.artifacts.values()) == []
