"""What reports say of weakenings: first, in a part of its own, and escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.verdict import CheckOutcome, Verdict
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict
from verigate.reporting.agent_brief import render_brief
from verigate.reporting.explain import render_explanation
from verigate.reporting.findings import Level, collect_findings
from verigate.reporting.formats import FORMATS, TextStyle, render
from verigate.reporting.report import Report

ID = "0123456789ab"
OTHER_ID = "ba9876543210"
COMMIT = "c0ffee" * 6 + "c0ff"
REASON = "the \x1b[32mservice\u202e is gone"
SHOWN = "the \\x1b[32mservice\\u202e is gone"
SKIPPED = {"kind": "test_skipped", "path": "t.py", "test": "test_a", "id": ID, "weight": "weakening", "message": "m"}
OPEN = {**SKIPPED, "test": "test_b", "id": OTHER_ID, "message": "another", "line": 9}
FOLLOWED = lf.cell("test_c", "followed", "PFFP", weakens="expectations", weakening_id="c" * 12)
LINE = f"Weakens: test_skipped t.py::test_b {OTHER_ID} (…)"
SENTENCE = (
    f"weakening: 1 disclosed; less is checked than before: test_skipped in t.py::test_a: {SHOWN} (commit c0ffeec0ffee)"
)


def report(*findings: Mapping[str, Any], cells: tuple[Mapping[str, Any], ...] = (), stage: Stage = Stage.CI) -> Report:
    """A change in which the skipped test alone is disclosed."""
    found = {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]}
    made = lf.facts(
        {"integrity": True, "weakening": "disclose"},
        {"integrity.json": found, "counterfactual.json": lf.counterfactual(*cells)},
        implicit=True,
        changed=("t.py",),
    )
    said = (Disclosure("test_skipped", "t.py::test_a", ID, REASON, Source.COMMIT, f"commit {COMMIT}"),)
    facts = replace(
        made, disclosed=DisclosureFacts(stage, said, (), ("commit c0ffee: Weakens: x: it gives no reason",))
    )
    return Report(decide_verdict(facts), facts.runs)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json", "text"}))
def test_every_format_has_a_sentence_about_what_is_weaker(name: str) -> None:
    made = render(name, report(SKIPPED), TextStyle())
    assert SENTENCE.replace("\\", "\\\\") in made or SENTENCE in made


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_format_says_so_of_a_change_that_weakens_nothing(name: str) -> None:
    made = render(name, report(), TextStyle()).lower()
    assert not [word for word in ("weakening:", "weakened", "weakenings", "weakens") if word in made]


def test_the_text_begins_with_it() -> None:
    made = render("text", report(SKIPPED), TextStyle(width=110))
    assert made.startswith("PASS  weakening: 1 disclosed · ")
    assert f"\nweakened  1 disclosed\n  disclosed   test_skipped in t.py::test_a: {SHOWN} (commit" in made
    assert "commit c0ffee: Weakens: x: it gives no reason" in made
    both = render("text", report(SKIPPED, cells=(FOLLOWED,)), TextStyle(width=110))
    assert both.startswith("PASS  weakenings: 1 disclosed, 1 allowed · ")


@pytest.mark.parametrize("width", [40, 200])
def test_a_line_to_paste_is_never_cut(width: int) -> None:
    made = render("text", report(SKIPPED, OPEN), TextStyle(width=width))
    assert made.startswith("FAIL  weakening: 1 disclosed")
    assert f"      {LINE}\n" in made


def test_tests_of_a_file_that_cannot_be_compared_are_counted() -> None:
    cells = tuple(
        lf.cell(test, "not_comparable", "XPXP", weakens="open", of_file=True) for test in ("test_a", "test_b")
    )
    made = report(cells=cells)
    assert (
        "\n  open        not_comparable in t.py (2 tests)\n      Weakens: not_comparable t.py 0123456789ab (…)\n"
        in render("text", made, TextStyle(width=110))
    )
    (listed,) = (made.verdict.weakenings or {})["listed"]
    assert (listed["test"], listed["tests"]) == (None, 2)


def test_what_nothing_accounts_for_comes_first() -> None:
    made = render("text", report(SKIPPED, OPEN), TextStyle(width=110))
    assert made.index("  open        test_skipped in t.py::test_b") < made.index("  disclosed   test_skipped")


def test_markdown_and_html_have_a_part_of_it() -> None:
    markdown = render("markdown", report(SKIPPED, OPEN), TextStyle())
    assert "<summary>Weakened checks: 1 not accounted for · 1 disclosed</summary>\n" in markdown
    assert f"- open `test_skipped in t.py::test_b`\n  - `{LINE}`" in markdown
    page = render("html", report(SKIPPED, OPEN), TextStyle())
    assert '<section id="weakenings"' in page
    assert LINE in page
    assert "weakenings" not in render("html", report(), TextStyle())


def test_sarif_has_a_note_for_each() -> None:
    (run,) = json.loads(render("sarif", report(SKIPPED, cells=(FOLLOWED,)), TextStyle()))["runs"]
    notes = {(each["ruleId"], each["level"], each["properties"]["check"]) for each in run["results"]}
    assert notes == {
        ("WEAKENING_DISCLOSED", "note", f"weakening:{ID}"),
        ("WEAKENING_DISCLOSED", "note", f"weakening:{'c' * 12}"),
    }


def test_junit_tells_it_in_the_test_case_that_passes() -> None:
    root = ET.fromstring(render("junit", report(SKIPPED), TextStyle()))  # noqa: S314 - our own
    (case,) = root.findall(f".//testcase[@name='{ID}']")
    assert case.findtext("system-out") == f"test_skipped in t.py::test_a: disclosed in commit c0ffeec0ffee: {SHOWN}"
    assert case.find("failure") is None


def test_json_counts_and_lists_them() -> None:
    made = json.loads(render("json", report(SKIPPED, OPEN, cells=(FOLLOWED,)), TextStyle()))["weakenings"]
    counts = {name: made[name] for name in ("disclosed", "allowed", "by_evidence", "unaccounted")}
    assert counts == {"disclosed": 1, "allowed": 1, "by_evidence": 0, "unaccounted": 1}
    assert [item["accounted"] for item in made["listed"]] == [
        {"by": "profile", "reference": "expectations: allow, without a task"},
        {"by": "disclosure", "reference": f"commit {COMMIT}"},
        None,
    ]


def test_a_problem_lists_only_what_nothing_accounts_for() -> None:
    found = collect_findings(report(SKIPPED, OPEN, cells=(FOLLOWED,))).by_check()
    assert [(each.message, each.line, each.level) for each in found["code.integrity"]] == [("another", 9, Level.ERROR)]
    assert [each.level for each in found[f"weakening:{ID}"]] == [Level.NOTE]


def test_a_problem_lists_a_test_that_reads_the_source() -> None:
    reads = lf.proven("test_d", proof=lf.proof(control="FF"))
    found = collect_findings(report(cells=(reads,))).by_check()
    assert ["test_d" in each.message for each in found["code.integrity"]] == [True]


def test_a_check_explains_what_accounts_for_it() -> None:
    verdict = report(SKIPPED).verdict
    check = verdict.check(f"weakening:{ID}")
    assert check is not None
    made = render_explanation(check, verdict)
    assert "what is checked less than before must be accounted for" in made
    assert SHOWN in made


def test_an_agent_reads_that_a_person_decides_and_no_line() -> None:
    verdict: Verdict = report(SKIPPED, stage=Stage.AGENT).verdict
    brief = render_brief(verdict)
    assert "WEAKENING_DISCLOSED" in brief
    assert "Weakens:" not in brief
    check = verdict.check(f"weakening:{ID}")
    assert check is not None
    assert check.outcome is CheckOutcome.UNKNOWN
