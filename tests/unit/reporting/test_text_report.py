"""The text of a verdict, read as a person reads it."""

from __future__ import annotations

import json
import re
from typing import Any

import literal_facts as literal
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.domain.verdict import (
    Check,
    CheckOutcome,
    EvidenceRef,
    Reason,
    Status,
    UnitOutcome,
    Units,
    UnitVerdict,
    Verdict,
    parse_verdict,
)
from verigate.reporting.formats import TextStyle
from verigate.reporting.formats import render as render_format
from verigate.reporting.layout import count_cells
from verigate.reporting.report import Report
from verigate.reporting.text import render, verify_command

HOSTILE = "a\nPASS  T_x\x1b[2J\u202e\x9b"

FAILED = Check(
    "code.tests_pass",
    CheckOutcome.REFUTED,
    expected=True,
    actual=2,
    reason="TEST_FAIL",
    message="2 of 47 tests failed",
    evidence=(
        EvidenceRef("tests.json", "/failed", 2, "ab" * 32),
        EvidenceRef("tests.json", "/failures/0", {"id": "test_add", "message": "1 != 2"}, "ab" * 32),
    ),
)
HELD = Check(
    "code.lint_errors_max", CheckOutcome.HOLDS, 0, 0, evidence=(EvidenceRef("lint.json", "/errors", 0, "c" * 64),)
)
MISSING = Check("unit:func:sub", CheckOutcome.REFUTED, "in the diff", None, "FUNCTION_MISMATCH", "no such function")
SOUND = Check("unit:func:add", CheckOutcome.HOLDS, "in the diff", "func:add")
LINKS = Check("links.failures_max", CheckOutcome.NOT_APPLICABLE, 0, None, message="no links")


def verdict(*checks: Check, status: Status = Status.FAIL, **fields: object) -> Verdict:
    whole = Verdict(
        task_id="T_login",
        type="code",
        status=status,
        decided_by="facts",
        checks=checks,
        reasons=tuple(Reason(c.reason, c.message, c.id) for c in checks if c.reason),
        units=Units(
            2,
            (
                UnitVerdict("func:add", UnitOutcome.SUPPORTED, "unit:func:add"),
                UnitVerdict("func:sub", UnitOutcome.REFUTED, "unit:func:sub", "no such function"),
            ),
        ),
        metrics={},
        policy={"profile": "code", "digest": "d", "thresholds": {"tests_pass": True, "lint_errors_max": 0}},
        subject={"kind": "worktree", "base": "1234567890abcdef", "tree": "fedcba0987654321"},
    )
    return replace(whole, **fields)


WHOLE = verdict(FAILED, HELD, MISSING, SOUND, LINKS)


def text(subject: Verdict, *, width: int = 100, colour: bool = False, verbose: bool = False) -> str:
    return render(Report(subject), colour=colour, width=width, verbose=verbose)


@pytest.mark.parametrize("status", list(Status))
def test_the_first_word_is_the_status(status: Status) -> None:
    first = text(verdict(FAILED, status=status)).splitlines()[0]
    assert first.startswith(status.value.upper() + "  T_login · type code · profile code")


def test_a_refuted_check_shows_expected_actual_evidence_and_the_command() -> None:
    shown = text(WHOLE)
    assert "✗ tests_pass" in shown
    assert "TEST_FAIL" in shown
    assert "2 of 47 tests failed" in shown
    assert re.search(r"expected +true\n +actual +false\n", shown)
    assert "tests.json /failed = 2" in shown
    assert 'tests.json /failures/0 = {"id": "test_add", "message": "1 != 2"}' in shown
    assert "gate explain T_login code.tests_pass" in shown


def test_checks_that_are_refuted_for_one_cause_are_explained_once() -> None:
    empty = (EvidenceRef("lint.json", "/files_checked", 0, "c" * 64),)
    unlinted = [
        Check(f"code.{name}", CheckOutcome.REFUTED, True, 0, "LINT_EMPTY", "no linter was found", empty)
        for name in ("lint_clean", "lint_errors_max", "lint_warnings_max")
    ]
    shown = text(verdict(*unlinted, FAILED))
    assert shown.count("no linter was found") == 1
    assert "      and lint_errors_max, lint_warnings_max, for the same cause\n" in shown
    assert "tests_pass" in shown
    assert "4 refuted" in shown
    other = replace(unlinted[1], evidence=(EvidenceRef("other.json", "/files_checked", 0, "d" * 64),))
    assert text(verdict(unlinted[0], other)).count("no linter was found") == 2


@pytest.mark.parametrize("status", list(Status))
def test_only_a_verdict_that_facts_decide_is_called_so(status: Status) -> None:
    assert ("(decided by facts)" in text(verdict(FAILED, status=status))) == (status in {Status.PASS, Status.FAIL})


@pytest.mark.parametrize(("number", "words"), [(1, "1 statement left"), (2, "2 statements left"), (0, "by facts (dec")])
def test_a_pass_says_how_many_statements_are_left_undecided(number: int, words: str) -> None:
    left = [UnitVerdict(f"statement:{index}", UnitOutcome.UNDECIDED, "unit:statement") for index in range(number)]
    passed = replace(verdict(status=Status.PASS), units=Units(per_unit=tuple(left)))
    assert words in text(passed)


def test_a_pass_says_how_many_refuted_checks_are_only_reported() -> None:
    reported = replace(FAILED, holds_back=False)
    shown = text(verdict(reported, status=Status.PASS))
    assert "\n  supported by facts, but for 1 refuted check, only reported (decided by facts)\n" in shown
    assert "but for" not in text(verdict(reported, status=Status.FAIL))


def test_a_pass_says_how_many_failing_tests_are_known() -> None:
    known = {"baseline": {"tests": {"covered": 2}}}
    passed = verdict(status=Status.PASS)
    assert "supported by facts, but for 2 known failing tests (" in text(replace(passed, policy=known))
    assert "but for" not in text(replace(passed, policy={"baseline": {"tests": {"covered": None}}}))


def test_tests_that_no_longer_run_follow_from_what_fails() -> None:
    lost = {"kind": "lost", "path": "test_a.py", "test": "test_a", "accounted": None, "line": "Weakens: lost …"}
    skipped = {**lost, "kind": "test_skipped", "line": "Weakens: test_skipped …"}
    weaker = {"unaccounted": 3, "listed": [lost, lost, skipped]}
    integrity = replace(FAILED, id="code.integrity", reason="INTEGRITY_FAIL")
    shown = text(verdict(integrity, FAILED, weakenings=weaker))
    assert "Weakens: lost" not in shown
    assert "Weakens: test_skipped" in shown
    assert "\n  2 tests don't run any more; repair what fails first\n" in shown
    assert shown.index("tests_pass ") < shown.index("integrity ")
    alone = text(verdict(integrity, weakenings=weaker))
    assert alone.count("Weakens: lost") == 2
    assert "repair" not in alone


def test_units_and_checks_are_counted() -> None:
    shown = text(WHOLE)
    assert "units  2 judged · 2 expected" in shown
    assert re.search(r"✓ supported +1 +func:add\n", shown)
    assert re.search(r"✗ refuted +1 +func:sub\n", shown)
    assert "? undecided" not in shown
    assert "2 hold · 2 refuted · 1 not applicable" in shown


def test_statements_are_counted_apart_from_units() -> None:
    said = UnitVerdict("statement:1", UnitOutcome.SUPPORTED, "unit:statement:1")
    both = replace(WHOLE, units=replace(WHOLE.units, per_unit=(*WHOLE.units.per_unit, said)))
    assert "units  2 judged · 2 expected · 1 statement\n" in text(both)


def test_what_holds_is_one_line_unless_verbose() -> None:
    assert "✓ lint_errors_max" in text(WHOLE)
    assert "lint.json /errors = 0" not in text(WHOLE)
    assert "lint.json /errors = 0" in text(WHOLE, verbose=True)


def test_no_checks_are_called_none() -> None:
    assert "checks  none" in text(verdict(status=Status.INCONCLUSIVE))


def test_colour_changes_nothing_but_colour() -> None:
    painted = text(WHOLE, colour=True)
    assert "\x1b[1;31mFAIL\x1b[0m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text(WHOLE)
    assert "\x1b" not in text(WHOLE)


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_hostile_text_adds_no_line_and_no_control(width: int, verbose: bool) -> None:
    bad = Check(
        f"code.{HOSTILE}", CheckOutcome.REFUTED, HOSTILE, [HOSTILE], HOSTILE, HOSTILE,
        (EvidenceRef(HOSTILE, f"/{HOSTILE}", {HOSTILE: HOSTILE}, HOSTILE),),
    )  # fmt: skip
    units = Units(1, (UnitVerdict(HOSTILE, UnitOutcome.REFUTED, HOSTILE, HOSTILE),))
    subject = verdict(
        bad, task_id=HOSTILE, type=HOSTILE, decided_by=HOSTILE, units=units, policy={"profile": HOSTILE},
        subject={"kind": HOSTILE, "tree": HOSTILE}, metadata={"duration": HOSTILE},
    )  # fmt: skip
    shown = text(subject, width=width, verbose=verbose)
    assert all(line.isprintable() for line in shown.split("\n"))
    assert not any(line.startswith("PASS") for line in shown.splitlines())


def test_lines_fit_the_width_except_commands_to_paste() -> None:
    wide = replace(FAILED, message="wörd " * 200, actual=["文" * 500], id="code." + "x" * 200)
    for line in text(verdict(wide, HELD, MISSING), width=60).splitlines():
        assert count_cells(line) <= 60 or "gate explain" in line


def test_a_screen_stays_a_screen() -> None:
    many = [replace(FAILED, id=f"code.rule_{number}", message="long " * 100) for number in range(500)]
    units = tuple(UnitVerdict(f"func:f{n}", UnitOutcome.REFUTED, f"unit:func:f{n}") for n in range(5000))
    shown = text(verdict(*many, units=Units(5000, units)), width=80)
    assert len(shown.splitlines()) < 100
    assert "492 more problems" in shown
    assert "gate show T_login" in shown


def test_an_id_that_cannot_be_pasted_is_left_out_of_the_command() -> None:
    shown = text(verdict(replace(FAILED, id="unit:func:$(rm -rf x)"), replace(FAILED, id="code.a\nb")))
    assert "gate explain T_login 'unit:func:$(rm -rf x)'" in shown
    assert "gate explain T_login\n" in shown


def test_json_is_the_verdict_document_in_ascii() -> None:
    subject = verdict(replace(FAILED, message=HOSTILE), HELD)
    shown = render_format("json", Report(subject), TextStyle(colour=True))
    assert shown.isascii()
    assert "\x1b" not in shown
    assert parse_verdict(json.loads(shown)) == subject
    assert json.loads(shown)["schema"] == "verigate:verdict.v1"


def test_json_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="JSON"):
        render_format("json", Report(verdict(replace(FAILED, actual=float("nan")))), TextStyle())


def test_the_formats_are_text_and_json() -> None:
    assert render_format("text", Report(WHOLE), TextStyle(width=80)) == text(WHOLE, width=80)


def test_what_was_not_published_is_not_said_to_be_explainable() -> None:
    only = Check("gate.only", CheckOutcome.UNKNOWN, "every planned capability", 1, "CLAIM_UNSUPPORTED", "only a ran")
    shown = text(verdict(*(replace(FAILED, id=f"code.r{n}") for n in range(20)), only))
    assert "gate explain" not in shown
    assert "gate show" not in shown
    assert "more problems; all of them: the same with --json" in shown
    assert shown.endswith("next     nothing was published; to explain it, run: gate verify T_login\n")


@pytest.mark.parametrize(
    ("task_id", "kind", "expected"),
    [
        ("T1", "worktree", "gate verify T1"),
        ("T1", "index", "gate verify T1 --staged"),
        ("T1", "commit", "gate verify T1 --ref COMMIT"),
        ("implicit", "index", "gate verify --staged"),
        ("implicit", "folder", "gate verify"),
    ],
)
def test_the_command_that_leads_to_a_verdict_again(task_id: str, kind: str, expected: str) -> None:
    assert verify_command(verdict(task_id=task_id, subject={"kind": kind})) == expected


def reported(artifacts: dict[str, Any], *, width: int = 100, verbose: bool = False, **rules: Any) -> str:
    made = samples.report(literal.facts(rules, artifacts, implicit=True, changed=("a.md", "a.py")))
    return render(made, colour=False, width=width, verbose=verbose)


def failing(*messages: str) -> dict[str, Any]:
    failures = [{"id": f"t.{n}", "path": "t.py", "line": n, "message": text} for n, text in enumerate(messages, 1)]
    counts = {"passed": 140, "failed": len(messages), "skipped": 2, "total": 142 + len(messages), "duration": 1234}
    return {**counts, "tool": "pytest", "failures": failures}


def test_a_failing_test_shows_its_place_and_the_first_line_of_its_message() -> None:
    shown = reported({"tests.json": failing("AssertionError: assert 4 == 3\n  where 4 = total()")}, tests_pass=True)
    assert "  1 of 141 tests failed, 2 skipped in 1.2 s (pytest)\n" in shown
    assert "      t.py:1: t.1: AssertionError: assert 4 == 3\n      evidence  tests.json /failed = 1\n" in shown
    assert "where 4" not in shown
    assert "expected" not in shown


def test_a_runner_of_the_gate_is_named_as_such() -> None:
    tools = [{"name": "pytest", "version": "9", "environment": "gate"}]
    shown = " ".join(reported({"tests.json": {**failing("no"), "tools": tools}}, tests_pass=True).split())
    assert "1 of 141 tests failed, 2 skipped in 1.2 s (pytest, of the gate: the project has none)" in shown


def test_more_findings_than_fit_are_counted_with_the_command_for_all() -> None:
    shown = reported({"tests.json": failing(*["no"] * 9)}, tests_pass=True)
    assert shown.count(": no\n") == 5
    assert "      … and 4 more: gate explain T1 code.tests_pass\n" in shown
    assert reported({"tests.json": failing(*["no"] * 9)}, tests_pass=True, verbose=True).count(": no\n") == 9


def test_a_pass_shows_its_numbers_on_two_lines_at_most() -> None:
    numbers = {
        "tests.json": failing(),
        "lint.json": samples.lint(files_checked=1234, tool="ruff"),
        "coverage.json": literal.GOOD["coverage.json"],
        "links/statuses.json": {"https://a.example/": 200},
        "content/wordcount.json": literal.GOOD["content/wordcount.json"],
        "api/responses.json": literal.GOOD["api/responses.json"],
    }
    shown = reported(numbers, tests_pass=True, lint_errors_max=0)
    assert shown.startswith("PASS")
    (first,) = (number for number, line in enumerate(shown.splitlines()) if " tests passed" in line)
    assert shown.splitlines()[first : first + 3] == [
        "  140 tests passed, 2 skipped in 1.2 s (pytest) · 1,234 files linted by ruff · coverage 90.0% (base",
        "  90.0%) · 1 link checked · 1 endpoint called · 100 words in 2 texts",
        "",
    ]


def test_warnings_are_shown_with_place_and_rule_also_where_everything_passes() -> None:
    mild = [
        literal.integrity_finding("test_removed", "t.py", "note", "the test gone is gone", line=4),
    ]
    documents = {
        "integrity.json": {**literal.GOOD["integrity.json"], "findings": mild},
        "lint.json": samples.lint(warnings=1, issues=[samples.issue("a.py", 4, "odd", severity="warning")]),
    }
    shown = reported(documents, integrity=True, lint_errors_max=0)
    assert shown.startswith("PASS")
    assert "\nwarnings  2, no check fails because of them\n      a.py:4: E1: odd\n" in shown
    assert "      t.py:4: test_removed: the test gone is gone\n" in shown


@pytest.mark.parametrize("width", [60, 80, 140])
@pytest.mark.parametrize("bad", samples.HOSTILE)
def test_no_finding_adds_a_line_or_acts_on_a_terminal(bad: str, width: int) -> None:
    failures = [{"id": bad, "path": bad, "line": 1, "message": bad}]
    documents = {
        "tests.json": {**failing("x"), "tool": bad, "failures": failures},
        "lint.json": samples.lint({"path": bad, "line": 1, "rule": bad, "severity": "error", "message": bad}, tool=bad),
        "links/statuses.json": {bad: 404},
        "integrity.json": {
            **literal.GOOD["integrity.json"],
            "findings": [literal.integrity_finding(bad or "k", bad, "note", bad)],
        },
    }
    rules = {"tests_pass": True, "lint_errors_max": 0, "failures_max": 0, "integrity": True}
    shown = reported(documents, width=width, **rules)
    lines = shown.removesuffix("\n").split("\n")
    assert all(line.isprintable() for line in lines)
    assert len(lines) < 80
    assert not any(line.startswith(("PASS", "::", "##[", "ok ")) for line in lines)
    assert all(count_cells(line) <= width or "gate " in line for line in lines)


NAMES = {"repository": "owner/shop", "commit": "0123456789abcdef", "title": 'Add "x"\x1b[2J'}


@pytest.mark.parametrize(
    ("kind", "words"), [("worktree", "working tree on"), ("index", "staged changes on"), ("commit", "commit")]
)
def test_repository_and_commit_are_named(kind: str, words: str) -> None:
    subject = {"kind": kind, "base": "1234567890abcdef", "tree": "fedcba0987654321"}
    shown = text(verdict(HELD, status=Status.PASS, subject=subject, metadata={"subject": NAMES}), width=140)
    wanted = f'owner/shop · {words} 0123456789ab "Add "x"\\x1b[2J" · base 1234567890ab · tree fedcba098765'
    assert f"  {wanted}\n" in shown


@pytest.mark.parametrize("bad", [HOSTILE, 7, None, ["x"], {"repository": 1, "commit": [], "title": {}}, "x" * 10_000])
def test_names_that_were_edited_do_no_harm(bad: object) -> None:
    for names in (bad, dict.fromkeys(NAMES, bad)):
        shown = text(verdict(HELD, status=Status.PASS, metadata={"subject": names}))
        assert all(line.isprintable() for line in shown.split("\n"))
        assert all(count_cells(line) <= 100 for line in shown.split("\n"))


def test_what_lacks_facts_because_of_a_crash_is_one_line() -> None:
    crash = Check("capability:code:tests", CheckOutcome.ERROR, "facts written", None, "ADAPTER_CRASH", "it died")
    lacking = [
        Check(f"code.{name}", CheckOutcome.UNKNOWN, 1, None, "ARTIFACT_MISSING", "no tests.json")
        for name in ("tests_min", "tests_pass")
    ]
    shown = text(verdict(crash, *lacking, status=Status.ERROR))
    assert (
        "  ! code:tests              error ADAPTER_CRASH\n      it died\n"
        "      output    gate output T_login code:tests\n" in shown
    )
    assert "\ncode\n  ? tests_min, tests_pass: no tests.json\n" in shown
    assert shown.count("explain") == 0
    alone = text(verdict(*lacking, status=Status.INCONCLUSIVE))
    assert alone.count("gate explain") == 2
    assert text(verdict(crash, *lacking, status=Status.ERROR), verbose=True).count("gate explain") == 2


def test_the_command_that_reproduces_a_verdict_names_the_ref_that_an_option_named() -> None:
    ref = {"name": "origin/main", "commit": "a" * 40, "digest": "b" * 64, "by": "--policy-ref"}
    known = verdict(policy={"profile": "code", "ref": ref}, subject={"kind": "index"})
    assert verify_command(known).endswith("--staged --policy-ref origin/main")
    # What the environment, the user or the repository names is found again without it.
    found = verdict(policy={"profile": "code", "ref": {**ref, "by": "GATE_POLICY_REF"}}, subject={"kind": "index"})
    assert verify_command(found).endswith("--staged")
