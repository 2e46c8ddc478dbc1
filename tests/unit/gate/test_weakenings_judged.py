"""What accounts for a weakening: tables of literal findings, cells, disclosures, stages and profiles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as lf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict, parse_verdict
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict

ID = "0123456789ab"
OTHER_ID = "ba9876543210"
REASON = "the service is gone"
SKIPPED = {"kind": "test_skipped", "path": "t.py", "test": "test_a", "id": ID, "weight": "weakening", "message": "m"}
HOOKED = {"kind": "test_outcome_hook", "path": "conftest.py", "test": None, "id": OTHER_ID, "weight": "tampering"}
NOTED = {"kind": "ci_changed", "path": "ci.yml", "test": None, "id": OTHER_ID, "weight": "note"}
LOOSENED = lf.cell("test_a", "loosened", "PFPP", weakens="yes")
FOLLOWED = lf.cell("test_a", "followed", "PFFP", weakens="expectations")
MARK = ("the commit c0ffee has the mark of a coding agent (author)",)


def line(
    kind: str = "test_skipped", target: str = "t.py::test_a", weakening_id: str = ID, source: Source = Source.COMMIT
) -> Disclosure:
    reference = {Source.COMMIT: "commit c0ffee", Source.PULL_REQUEST: "pull request", Source.CLAIM: "claim.json"}
    return Disclosure(kind, target, weakening_id, REASON, source, reference[source])


def facts(
    *findings: Mapping[str, Any],
    cells: Sequence[Mapping[str, Any]] | None = None,
    said: Sequence[Disclosure] = (),
    stage: Stage = Stage.CI,
    marks: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    implicit: bool = True,
    statements: Sequence[str] = (),
    control: str = "FFFF",
    removals: Mapping[str, str] | None = None,
) -> Facts:
    """A change with these findings and cells; ``said`` of a claim stands in the claim."""
    artifacts = {
        **lf.GOOD,
        "integrity.json": {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]},
    }
    artifacts["counterfactual.json"] = lf.counterfactual(*(cells or ()), control=control)
    artifacts["sensitivity.json"] = lf.sensitivity()
    claimed = [each for each in said if each.source is Source.CLAIM]
    body: dict[str, Any] = {
        "weakens": [f"{each.kind} {each.target} {each.id} ({each.reason})" for each in claimed] or None
    }
    claim = lf.claim_document(
        "file:a.py", statements=statements, **{key: value for key, value in body.items() if value}
    )
    made = lf.facts(
        {"integrity": True, "weakening": "disclose", **(rules or {})},
        artifacts,
        claim=None if implicit and not claimed and not statements else claim,
        implicit=implicit,
        changed=("t.py", "a.py"),
    )
    commits = tuple(each for each in said if each.source is not Source.CLAIM)
    return replace(made, disclosed=DisclosureFacts(stage, commits, tuple(marks), (), removals or {}))


def decide(made: Facts) -> tuple[CheckOutcome, Check | None, Verdict]:
    """Decide, and return the outcome of the rule and the first check of a weakening."""
    verdict = decide_verdict(made)
    assert parse_verdict(json.loads(json.dumps(verdict.document()))) == verdict
    assert len({check.id for check in verdict.checks}) == len(verdict.checks)
    rule = verdict.check("code.integrity")
    assert rule is not None
    return rule.outcome, next((check for check in verdict.checks if check.id.startswith("weakening:")), None), verdict


STAGES: list[tuple[Stage, Source, str, bool]] = [
    # stage, where it is disclosed, marks, whether that accounts for it
    (Stage.CI, Source.COMMIT, "", True),
    (Stage.CI, Source.PULL_REQUEST, "", True),
    (Stage.CI, Source.CLAIM, "", False),
    (Stage.CI, Source.COMMIT, "agent", False),
    (Stage.CI, Source.PULL_REQUEST, "agent", False),
    (Stage.PUSH, Source.COMMIT, "", True),
    (Stage.PUSH, Source.PULL_REQUEST, "", True),
    (Stage.PUSH, Source.CLAIM, "", True),
    (Stage.PUSH, Source.COMMIT, "agent", True),
    (Stage.COMMIT, Source.COMMIT, "", True),
    (Stage.COMMIT, Source.CLAIM, "", True),
    (Stage.AGENT, Source.COMMIT, "", True),
    (Stage.AGENT, Source.CLAIM, "", True),
]


@pytest.mark.parametrize(("stage", "source", "marks", "counts"), STAGES)
def test_where_a_disclosure_stands_decides_whether_it_counts(
    stage: Stage, source: Source, marks: str, counts: bool
) -> None:
    outcome, check, verdict = decide(
        facts(SKIPPED, said=[line(source=source)], stage=stage, marks=MARK if marks else ())
    )
    assert (outcome is CheckOutcome.HOLDS) == counts
    assert (check is not None) == counts
    assert verdict.weakenings is not None
    assert verdict.weakenings["disclosed"] == counts
    assert verdict.weakenings["unaccounted"] == (not counts)
    if check is not None and check.accounted is not None:
        assert check.accounted.document() == {"by": "disclosure", "reference": line(source=source).reference}
        assert REASON in check.message


def test_an_undisclosed_weakening_is_refuted_with_the_line_that_would_disclose_it() -> None:
    outcome, check, verdict = decide(facts(SKIPPED))
    assert (outcome, check, verdict.status) == (CheckOutcome.REFUTED, None, Status.FAIL)
    assert [reason.code for reason in verdict.reasons] == ["INTEGRITY_FAIL"]
    assert verdict.weakenings is not None
    assert verdict.weakenings["listed"] == [
        {
            "kind": "test_skipped",
            "path": "t.py",
            "test": "test_a",
            "id": ID,
            "accounted": None,
            "line": f"Weakens: test_skipped t.py::test_a {ID} (…)",
        }
    ]


def test_at_the_end_of_an_agent_s_turn_there_is_no_line_to_paste() -> None:
    _, _, verdict = decide(facts(SKIPPED, stage=Stage.AGENT))
    assert verdict.weakenings is not None
    assert "Weakens:" not in json.dumps(verdict.document())
    rule = verdict.check("code.integrity")
    assert rule is not None
    assert "restore the check, or ask the person" in rule.message


def test_what_an_agent_disclosed_is_for_a_person_to_accept() -> None:
    outcome, check, verdict = decide(facts(SKIPPED, said=[line()], stage=Stage.AGENT))
    assert (outcome, verdict.status) == (CheckOutcome.HOLDS, Status.INCONCLUSIVE)
    assert check is not None
    assert (check.outcome, check.reason) == (CheckOutcome.UNKNOWN, "WEAKENING_DISCLOSED")
    assert [reason.code for reason in verdict.reasons] == ["WEAKENING_DISCLOSED"]


@pytest.mark.parametrize("stage", Stage)
def test_tampering_is_refuted_whatever_is_said(stage: Stage) -> None:
    said = [line("test_outcome_hook", "conftest.py", OTHER_ID, source) for source in Source]
    outcome, check, _ = decide(facts(HOOKED, said=said, stage=stage, rules={"weakening": "allow"}))
    assert (outcome, check) == (CheckOutcome.REFUTED, None)


@pytest.mark.parametrize("stage", Stage)
def test_a_note_decides_nothing(stage: Stage) -> None:
    outcome, check, verdict = decide(facts(NOTED, stage=stage, rules={"weakening": "refuse"}))
    assert (outcome, check, verdict.weakenings) == (CheckOutcome.HOLDS, None, None)


@pytest.mark.parametrize(
    "finding",
    [
        {**SKIPPED, "weight": None},
        {**SKIPPED, "weight": "of a later version"},
    ],
)
def test_a_finding_without_a_known_weight_is_never_disclosed(finding: Mapping[str, Any]) -> None:
    outcome, _, _ = decide(facts(finding, said=[line()], rules={"weakening": "allow"}))
    assert outcome is CheckOutcome.REFUTED


@pytest.mark.parametrize(
    "said",
    [
        line(kind="test_removed"),
        line(target="t.py"),
        line(target="t.py::test_*"),
        line(target="*"),
        line(weakening_id=OTHER_ID),
    ],
)
def test_a_line_discloses_what_it_names_in_full_and_nothing_else(said: Disclosure) -> None:
    assert decide(facts(SKIPPED, said=[said]))[0] is CheckOutcome.REFUTED


def test_a_line_for_an_earlier_form_is_pointed_out() -> None:
    _, _, verdict = decide(facts(SKIPPED, said=[line(weakening_id=OTHER_ID)]))
    rule = verdict.check("code.integrity")
    assert rule is not None
    assert f"commit c0ffee discloses it as {OTHER_ID}: it changed since" in rule.message


def test_a_line_each() -> None:
    second = {**SKIPPED, "test": "test_b", "id": OTHER_ID}
    assert decide(facts(SKIPPED, second, said=[line()]))[0] is CheckOutcome.REFUTED
    both = [line(), line(target="t.py::test_b", weakening_id=OTHER_ID)]
    assert decide(facts(SKIPPED, second, said=both))[0] is CheckOutcome.HOLDS


POLICIES: list[tuple[Any, bool, str | None]] = [
    # weakening, whether it is disclosed, what accounts for it
    ("refuse", True, None),
    ("refuse", False, None),
    ("disclose", True, "disclosure"),
    ("disclose", False, None),
    ("allow", True, "disclosure"),
    ("allow", False, "profile"),
    (None, True, None),
    ({"default": "refuse", "test_skipped": "disclose"}, True, "disclosure"),
    ({"default": "allow", "test_skipped": "refuse"}, True, None),
    ({"test_removed": "allow"}, True, None),
]


@pytest.mark.parametrize(("setting", "disclosed", "by"), POLICIES)
def test_the_profile_says_what_is_taken(setting: Any, disclosed: bool, by: str | None) -> None:
    _, check, _ = decide(facts(SKIPPED, said=[line()] if disclosed else [], rules={"weakening": setting}))
    assert (check.accounted.by if check is not None and check.accounted is not None else None) == by


def test_without_the_rule_nothing_is_judged() -> None:
    verdict = decide_verdict(facts(SKIPPED, rules={"integrity": False, "tests_pass": True}))
    assert (verdict.weakenings, verdict.status) == (None, Status.PASS)


CELLS: list[tuple[str, str, str, bool]] = [
    # class, cells, weakens, whether it acquits a finding about the text of the test
    ("proven", "PPFP", "sensitivity", True),
    ("fixed", "FPFP", "no", True),
    ("kept", "PPPP", "sensitivity", False),
    ("lost", "PPPN", "sensitivity", False),
    ("added", "NNXP", "no", False),
    ("unproven", "NNPP", "no", False),
    ("not_run", "NNNN", "no", False),
    ("not_comparable", "XPPP", "text", False),
    ("broken", "PPPF", "tests", False),
    ("flaky", "PPPP", "text", False),
]


@pytest.mark.parametrize(("name", "cells", "weakens", "acquits"), CELLS)
def test_runs_that_show_the_strength_of_a_test_acquit_it(name: str, cells: str, weakens: str, acquits: bool) -> None:
    outcome, check, _ = decide(facts(SKIPPED, cells=[lf.cell("test_a", name, cells, weakens=weakens)]))
    assert (outcome is CheckOutcome.HOLDS) == acquits
    if acquits:
        assert check is not None
        assert check.accounted is not None
        assert check.accounted.document() == {"by": "evidence", "reference": "counterfactual.json#/tests/0"}


PROVEN = ("proven", "PPFP")


@pytest.mark.parametrize(
    "others",
    [
        [],
        [lf.cell("test_b", *PROVEN)],
        [lf.cell("test_a", *PROVEN, path="u.py")],
        [lf.cell("test_a", *PROVEN), lf.cell("TestMore.test_a", "kept", "PPPP")],
    ],
)
def test_no_other_test_acquits_it(others: Sequence[Mapping[str, Any]]) -> None:
    assert decide(facts(SKIPPED, cells=others))[0] is CheckOutcome.REFUTED


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("cart adds", CheckOutcome.HOLDS),
        ("cart > adds", CheckOutcome.HOLDS),
        ("of a cart adds", CheckOutcome.REFUTED),
        ("adds", CheckOutcome.REFUTED),
    ],
)
def test_a_title_is_that_of_the_suites_and_the_test(name: str, outcome: CheckOutcome) -> None:
    assert decide(facts({**SKIPPED, "test": "cart > adds"}, cells=[lf.cell(name, *PROVEN)]))[0] is outcome


def test_a_renamed_test_acquits_the_finding_about_its_old_name() -> None:
    renamed = {**lf.cell("test_new", *PROVEN, path="u.py"), "was": {"path": "t.py", "test": "test_a"}}
    assert decide(facts({**SKIPPED, "kind": "test_removed"}, cells=[renamed]))[0] is CheckOutcome.HOLDS


@pytest.mark.parametrize("finding", [{**SKIPPED, "kind": "suppression_added"}, {**SKIPPED, "test": None}])
def test_runs_acquit_nothing_but_what_a_test_says(finding: Mapping[str, Any]) -> None:
    assert decide(facts(finding, cells=[lf.cell("test_a", *PROVEN)]))[0] is CheckOutcome.REFUTED


def test_only_the_gate_s_own_comparison_acquits() -> None:
    made = facts(SKIPPED)
    own = lf.artifact(
        "mine.json", lf.counterfactual(lf.cell("test_a", *PROVEN)), media_spec="verigate:counterfactual.v1"
    )
    evidence = replace(made.evidence, artifacts={**made.evidence.artifacts, "mine.json": own})
    assert decide(replace(made, evidence=evidence))[0] is CheckOutcome.REFUTED


CONTROL: list[tuple[str, CheckOutcome]] = [
    ("FFFF", CheckOutcome.HOLDS),
    ("FFFP", CheckOutcome.REFUTED),
    ("FFPF", CheckOutcome.REFUTED),
    ("FFFN", CheckOutcome.REFUTED),
    ("FFFX", CheckOutcome.REFUTED),
    ("NNNN", CheckOutcome.HOLDS),
    ("NNNP", CheckOutcome.REFUTED),
    ("FNFF", CheckOutcome.HOLDS),
    ("FPFF", CheckOutcome.REFUTED),
]


@pytest.mark.parametrize(("control", "wanted"), CONTROL)
def test_a_report_without_the_test_that_must_fail_is_tampering(control: str, wanted: CheckOutcome) -> None:
    assert decide(facts(cells=[lf.cell("test_a")], control=control))[0] is wanted


def test_a_run_that_reports_nothing_tampers_with_nothing() -> None:
    cells = [lf.cell("test_a", "not_comparable", "PXXX", weakens="text")]
    assert decide(facts(cells=cells, control="FFNN"))[0] is CheckOutcome.HOLDS


def test_runs_beside_changed_support_acquit_nothing() -> None:
    made = facts(SKIPPED, cells=[lf.cell("test_a", *PROVEN)])
    own = made.evidence.artifacts["counterfactual.json"]
    value = {**own.value, "changed": ["conftest.py", *own.value["changed"]]}
    evidence = replace(made.evidence, artifacts={**made.evidence.artifacts, own.path: replace(own, value=value)})
    assert decide(replace(made, evidence=evidence))[0] is CheckOutcome.REFUTED


@pytest.mark.parametrize("control", ["NNNN", "FNFF"])
def test_runs_without_a_control_acquit_nothing(control: str) -> None:
    assert decide(facts(SKIPPED, cells=[lf.cell("test_a", *PROVEN)], control=control))[0] is CheckOutcome.REFUTED


@pytest.mark.parametrize(("weakens", "wanted"), [("open", CheckOutcome.REFUTED), ("text", CheckOutcome.HOLDS)])
def test_a_rewritten_test_that_nothing_compares_must_be_accounted_for(weakens: str, wanted: CheckOutcome) -> None:
    cell = lf.cell("test_a", "not_comparable", "PXPP", weakens=weakens)
    assert decide(facts(cells=[cell]))[0] is wanted
    assert decide(facts(cells=[cell], said=[line("not_comparable")]))[0] is CheckOutcome.HOLDS


@pytest.mark.parametrize("rule", ["assertion-held-back", "test-let-off", "test-skip"])
def test_runs_do_not_acquit_what_is_checked_under_a_condition(rule: str) -> None:
    found, cells = {**SKIPPED, "rule": rule}, [lf.cell("test_a", *PROVEN)]
    assert decide(facts(SKIPPED, cells=cells))[0] is CheckOutcome.HOLDS
    assert decide(facts(found, cells=cells))[0] is CheckOutcome.REFUTED
    assert decide(facts(found, cells=cells, said=[line()]))[0] is CheckOutcome.HOLDS
    assert decide(facts(found, cells=[LOOSENED], said=[line("loosened")]))[0] is CheckOutcome.HOLDS


def test_one_line_says_of_a_file_that_its_tests_cannot_be_compared_and_nothing_of_what_they_check() -> None:
    one, other = (
        lf.cell(test, "not_comparable", "XPXP", weakens="open", of_file=True) for test in ("test_a", "test_b")
    )
    of_file, of_test = line("not_comparable", "t.py"), line("not_comparable", "t.py::test_a")
    assert decide(facts(cells=[one, other]))[0] is CheckOutcome.REFUTED
    assert decide(facts(cells=[one, other], said=[of_test]))[0] is CheckOutcome.REFUTED
    assert decide(facts(cells=[one, other], said=[of_file]))[0] is CheckOutcome.HOLDS
    assert decide(facts(SKIPPED, cells=[one, other], said=[of_file]))[0] is CheckOutcome.REFUTED
    assert decide(facts(SKIPPED, cells=[one, other], said=[of_file, line()]))[0] is CheckOutcome.HOLDS


def test_no_line_says_of_a_whole_file_that_its_tests_are_loosened() -> None:
    cell = {**LOOSENED, "of_file": True}
    assert decide(facts(cells=[cell], said=[line("loosened", "t.py")]))[0] is CheckOutcome.REFUTED
    assert decide(facts(cells=[cell], said=[line("loosened")]))[0] is CheckOutcome.HOLDS


def test_a_test_of_a_changed_interface_is_left_to_the_expectations() -> None:
    cells = [lf.cell("test_a", "not_comparable", "PXXP", weakens="expectations")]
    for word, wanted in (("disclose", CheckOutcome.REFUTED), ("allow", CheckOutcome.HOLDS)):
        rules = {"integrity": True, "weakening": "refuse", "expectations": word}
        assert decide(facts(cells=cells, rules=rules))[0] is wanted


def test_a_weakened_class_must_be_accounted_for() -> None:
    assert decide(facts(cells=[LOOSENED]))[0] is CheckOutcome.REFUTED
    outcome, check, _ = decide(facts(cells=[LOOSENED], said=[line("loosened")]))
    assert outcome is CheckOutcome.HOLDS
    assert check is not None
    assert check.id == f"weakening:{ID}"


def test_one_line_covers_a_test_and_what_its_text_says() -> None:
    finding = {**SKIPPED, "kind": "assertion_weakened", "id": OTHER_ID}
    assert decide(facts(finding, cells=[LOOSENED]))[0] is CheckOutcome.REFUTED
    outcome, _, verdict = decide(facts(finding, cells=[LOOSENED], said=[line("loosened")]))
    assert outcome is CheckOutcome.HOLDS
    assert verdict.weakenings is not None
    assert verdict.weakenings["disclosed"] == 2
    assert decide(facts(finding, cells=[LOOSENED], said=[line("assertion_weakened", weakening_id=OTHER_ID)]))[0] is (
        CheckOutcome.REFUTED
    )


EXPECTATIONS: list[tuple[str | None, bool, Stage, bool, str | None]] = [
    # expectations, whether there is a task, stage, whether an agent made it, what accounts for an undisclosed one
    (None, False, Stage.CI, False, "profile"),
    (None, True, Stage.CI, False, None),
    ("allow", True, Stage.CI, False, "profile"),
    ("disclose", False, Stage.CI, False, None),
    (None, False, Stage.CI, True, None),
    ("allow", False, Stage.CI, True, None),
    (None, False, Stage.AGENT, False, None),
    ("refuse", False, Stage.CI, False, None),
]


@pytest.mark.parametrize(("setting", "task", "stage", "agent", "by"), EXPECTATIONS)
def test_a_test_that_followed_a_change_of_behaviour(
    setting: str | None, task: bool, stage: Stage, agent: bool, by: str | None
) -> None:
    rules = {} if setting is None else {"expectations": setting}
    marks = MARK if agent else ()
    _, check, _ = decide(facts(cells=[FOLLOWED], rules=rules, implicit=not task, stage=stage, marks=marks))
    assert (check.accounted.by if check is not None and check.accounted is not None else None) == by
    _, check, _ = decide(
        facts(cells=[FOLLOWED], said=[line("followed")], rules=rules, implicit=not task, stage=stage, marks=marks)
    )
    disclosed = check is not None and check.accounted is not None and check.accounted.by == "disclosure"
    assert disclosed == (setting != "refuse")


STATEMENTS: list[tuple[str, Mapping[str, Any], Mapping[str, Any] | None, str]] = [
    ("All tests pass.", SKIPPED, None, "unknown"),
    ("5 tests pass.", SKIPPED, None, "unknown"),
    ("Coverage is 90%.", SKIPPED, None, "unknown"),
    ("1 test is skipped.", SKIPPED, None, "holds"),
    ("There are no lint errors.", SKIPPED, None, "holds"),
    ("The build succeeds.", SKIPPED, None, "holds"),
    ("No tests were weakened.", SKIPPED, None, "refuted"),
    ("All tests pass.", {**SKIPPED, "kind": "suppression_added"}, None, "holds"),
    ("There are no lint errors.", {**SKIPPED, "kind": "suppression_added"}, None, "unknown"),
    ("Coverage is 90%.", {**SKIPPED, "kind": "coverage_narrowed"}, None, "unknown"),
    ("All tests pass.", {**SKIPPED, "kind": "ci_nonfatal"}, None, "unknown"),
    ("The build succeeds.", {**SKIPPED, "kind": "ci_nonfatal"}, None, "unknown"),
]


@pytest.mark.parametrize(("text", "finding", "cells", "wanted"), STATEMENTS)
def test_a_disclosed_weakening_takes_support_away(
    text: str, finding: Mapping[str, Any], cells: Mapping[str, Any] | None, wanted: str
) -> None:
    said = [line(kind=str(finding["kind"]))]
    made = facts(finding, cells=[cells] if cells else None, said=said, statements=[text], implicit=False)
    _, _, verdict = decide(made)
    check = verdict.check("unit:statement:1")
    assert check is not None
    assert check.outcome == wanted
    if wanted == "unknown":
        assert check.reason == "WEAKENING_DISCLOSED"
        assert verdict.status is Status.INCONCLUSIVE


def test_what_runs_acquit_takes_no_support_away() -> None:
    for text in ("All tests pass.", "No tests were weakened."):
        made = facts(SKIPPED, cells=[lf.cell("test_a", *PROVEN)], statements=[text], implicit=False)
        check = decide(made)[2].check("unit:statement:1")
        assert check is not None
        assert check.outcome is CheckOutcome.HOLDS, text


def test_a_class_that_the_profile_allows_covers_what_the_text_of_the_test_says() -> None:
    changed = {**SKIPPED, "kind": "assertion_weakened"}
    assert decide(facts(changed))[0] is CheckOutcome.REFUTED
    outcome, check, _ = decide(facts(changed, cells=[FOLLOWED]))
    assert outcome is CheckOutcome.HOLDS
    assert check is not None
    assert check.accounted is not None
    assert check.accounted.by == "profile"
    rules = {"expectations": "allow"}
    made = facts(changed, cells=[FOLLOWED], rules=rules, statements=["All tests pass."], implicit=False)
    assert decide(made)[2].status is Status.PASS


def test_a_measured_weakening_refutes_that_there_is_none() -> None:
    made = facts(cells=[LOOSENED], said=[line("loosened")], statements=["No tests were weakened."], implicit=False)
    check = decide(made)[2].check("unit:statement:1")
    assert check is not None
    assert check.outcome is CheckOutcome.REFUTED


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        (lf.cell("test_a", "lost", "PPNN", weakens="yes"), CheckOutcome.UNKNOWN),
        (lf.cell("test_a", "not_comparable", "PXXX", weakens="open"), CheckOutcome.UNKNOWN),
        (LOOSENED, CheckOutcome.HOLDS),
        (FOLLOWED, CheckOutcome.HOLDS),
    ],
)
def test_what_runs_no_longer_leaves_open_whether_a_test_was_removed(cell: dict[str, Any], wanted: CheckOutcome) -> None:
    check = decide(facts(cells=[cell], statements=["No tests were removed."], implicit=False))[2].check(
        "unit:statement:1"
    )
    assert check is not None
    assert check.outcome is wanted


def test_the_rule_is_unknown_without_the_comparison_and_does_not_apply_to_an_empty_diff() -> None:
    made = facts(SKIPPED)
    without = {path: item for path, item in made.evidence.artifacts.items() if path != "integrity.json"}
    assert decide(replace(made, evidence=replace(made.evidence, artifacts=without)))[0] is CheckOutcome.UNKNOWN
    empty = replace(made, subject=replace(made.subject, changes=()))
    outcome, _, verdict = decide(empty)
    assert (outcome, verdict.weakenings) == (CheckOutcome.NOT_APPLICABLE, None)


def test_the_verdict_is_an_error_where_the_comparison_crashed() -> None:
    made = lf.facts({"integrity": True, "weakening": "allow"}, {}, failures={"code:integrity": ("ADAPTER_CRASH", True)})
    assert decide_verdict(made).status is Status.ERROR


LINES = st.builds(
    line,
    st.sampled_from(["test_skipped", "test_removed", "all"]),
    st.sampled_from(["t.py::test_a", "t.py::test_b", "t.py", "t.py::*"]),
    st.sampled_from([ID, OTHER_ID]),
    st.sampled_from(Source),
)


@given(st.lists(LINES, max_size=6), st.sampled_from(Stage), st.booleans(), st.sampled_from(["refuse", "disclose"]))
def test_nothing_but_its_own_line_discloses_a_weakening(
    said: list[Disclosure], stage: Stage, by_agent: bool, setting: str
) -> None:
    outcome, check, verdict = decide(
        facts(SKIPPED, said=said, stage=stage, marks=MARK if by_agent else (), rules={"weakening": setting})
    )
    sources = {
        each.source for each in said if (each.kind, each.target, each.id) == ("test_skipped", "t.py::test_a", ID)
    }
    counts = bool(sources if stage is not Stage.CI else sources - {Source.CLAIM})
    taken = counts and setting == "disclose" and not (by_agent and stage is Stage.CI)
    assert (outcome is CheckOutcome.HOLDS) == taken
    assert (check is not None) == taken
    assert verdict.status is not Status.PASS or (taken and stage is not Stage.AGENT)


def test_many_weakenings_are_judged_in_no_time_and_listed_up_to_a_limit() -> None:
    findings = [{**SKIPPED, "test": f"test_{number}", "id": f"{number:012x}"} for number in range(5000)]
    said = [line(target=f"t.py::test_{number}", weakening_id=f"{number:012x}") for number in range(5000)]
    _, _, verdict = decide(facts(*findings, said=said))
    assert verdict.weakenings is not None
    assert (verdict.weakenings["disclosed"], len(verdict.weakenings["listed"])) == (5000, 1000)


LOST = {**lf.cell("test_a", "lost", "PXNN", weakens="yes"), "gone": ["shop.half"], "referred": []}
REMOVED = {**SKIPPED, "kind": "test_removed"}


@pytest.mark.parametrize(
    ("entry", "removals", "control", "outcome"),
    [
        (LOST, {"shop.half": "commit c0ffee"}, "FFFF", CheckOutcome.HOLDS),
        (LOST, {"shop.half": "commit c0ffee"}, "FFFP", CheckOutcome.REFUTED),
        (LOST, {"shop.total": "commit c0ffee"}, "FFFF", CheckOutcome.REFUTED),
        (LOST, {}, "FFFF", CheckOutcome.REFUTED),
        ({**LOST, "referred": ["shop.half"]}, {"shop.half": "commit c0ffee"}, "FFFF", CheckOutcome.REFUTED),
        ({**LOST, "gone": []}, {"shop.half": "commit c0ffee"}, "FFFF", CheckOutcome.REFUTED),
        ({**LOST, "gone": ["a", "shop.half"]}, {"shop.half": "commit c0ffee"}, "FFFF", CheckOutcome.REFUTED),
        ({**LOST, "class": "greened"}, {"shop.half": "commit c0ffee"}, "FFFF", CheckOutcome.REFUTED),
        (
            {key: value for key, value in LOST.items() if key != "referred"},
            {"shop.half": "c"},
            "FFFF",
            CheckOutcome.REFUTED,
        ),
    ],
)
@pytest.mark.parametrize("marks", [(), MARK])
def test_a_test_of_what_is_gone_is_accounted_for_where_the_removal_is_said(
    entry: Mapping[str, Any], removals: Mapping[str, str], control: str, outcome: CheckOutcome, marks: tuple[str, ...]
) -> None:
    rule, check, _ = decide(facts(REMOVED, cells=[entry], removals=removals, control=control, marks=marks))
    assert rule is outcome
    if outcome is CheckOutcome.HOLDS:
        assert check is not None
        assert check.accounted is not None
        assert check.accounted.document() == {"by": "evidence", "reference": "counterfactual.json#/tests/0"}
        assert check.message.endswith("shop.half is removed, as commit c0ffee says")


REPINNED = {**SKIPPED, "kind": "hook_repinned", "path": ".pre-commit-config.yaml", "test": None}


@pytest.mark.parametrize(
    ("setting", "call", "passes"),
    [
        ("disclose", {}, True),
        ({"default": "disclose", "test_skipped": "refuse"}, {}, True),
        ("disclose", {"implicit": False}, False),
        ("disclose", {"marks": MARK}, False),
        ("disclose", {"stage": Stage.AGENT}, False),
        ({"default": "disclose", "hook_repinned": "refuse"}, {}, False),
        ("refuse", {}, False),
        (None, {}, False),
    ],
)
def test_hooks_of_another_commit_pass_where_people_read(setting: Any, call: dict[str, Any], passes: bool) -> None:
    rules = {"weakening": setting or "disclose"}
    made = facts(REPINNED, rules=rules, **call)
    if setting is None:
        without = {key: value for key, value in made.profile.rules.items() if key != "weakening"}
        made = replace(made, profile=replace(made.profile, rules=without))
    outcome, check, verdict = decide(made)
    assert (outcome is CheckOutcome.HOLDS) == passes
    assert decide(facts(SKIPPED, rules=rules, **call))[0] is CheckOutcome.REFUTED
    assert verdict.weakenings is not None
    assert verdict.weakenings["allowed"] == passes
    if passes:
        assert check is not None
        assert check.accounted is not None
        assert check.accounted.document() == {"by": "profile", "reference": "weakening: disclose, without a task"}


def test_what_is_shown_first_is_said_by_the_change_itself() -> None:
    lost = lf.cell("test_b", "loosened", "PFPP", weakens="yes")
    verdict = decide_verdict(facts(SKIPPED, {**SKIPPED, "rule": "test-skip"}, cells=[lost]))
    (check,) = [each for each in verdict.checks if each.id == "code.integrity"]
    assert check.message.startswith("2 changes weaken the checks, first: test_skipped in t.py;"), check.message


@pytest.mark.parametrize(
    ("findings", "cells", "begins"),
    [
        (
            (),
            (FOLLOWED,),
            "1 test was changed together with what the code does, first: followed in t.py; restore the test",
        ),
        ((SKIPPED,), (FOLLOWED,), "2 changes weaken the checks, first: test_skipped in t.py; restore the check"),
    ],
)
def test_a_test_that_only_follows_is_said_not_to_be_weaker(findings: Any, cells: Any, begins: str) -> None:
    verdict = decide_verdict(facts(*findings, cells=cells, rules={"expectations": "disclose"}))
    (check,) = [each for each in verdict.checks if each.id == "code.integrity"]
    assert check.message.startswith(begins), check.message
