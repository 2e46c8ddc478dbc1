"""One check explained down to the lines of its artifact."""

from __future__ import annotations

import re

import document_parts as parts
import pytest
from msgspec.structs import replace

from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, Status, Units, Verdict
from verigate.reporting.addresses import address_reason
from verigate.reporting.explain import Excerpt, excerpt_text, excerpt_value, render_explanation, reproduce_commands
from verigate.reporting.explain_reason import describe_reason, render_reason
from verigate.reporting.reasons import REASONS
from verigate.reporting.settling import SETTLING

SITE = "https://docs.example/verigate/"
REF = EvidenceRef("tests.json", "/failures/0", {"id": "test_add", "line": 7}, "ab" * 32)
COUNT = EvidenceRef("tests.json", "/failed", 1, "ab" * 32)
ARTIFACT = {"failed": 1, "failures": [{"id": "test_add", "line": 7}]}
CHECK = Check("code.tests_pass", CheckOutcome.REFUTED, True, 1, "TEST_FAIL", "1 of 3 tests failed", (COUNT, REF))
VERDICT = Verdict(
    "T_x", "code", Status.FAIL, "facts", (CHECK,), (), Units(), {},
    {"profile": "code_strict", "digest": "d", "thresholds": {"tests_pass": True}},
    {"kind": "index", "base": "b", "tree": "t"},
)  # fmt: skip


def test_rule_expectation_lines_and_commands_are_all_there() -> None:
    shown = render_explanation(CHECK, VERDICT, [excerpt_value(COUNT, ARTIFACT), excerpt_value(REF, ARTIFACT)])
    assert "✗ code.tests_pass  refuted TEST_FAIL" in shown
    assert "tests_pass: true (profile code_strict, reads tests.json)" in shown
    assert "  expected  true" in shown
    assert "  actual    false" in shown
    assert '    │   "id": "test_add",\n    │   "line": 7\n' in shown
    assert shown.endswith("reproduce\n  gate replay T_x\n  gate verify T_x --staged --only code:tests\n")
    assert "  settle    gate explain TEST_FAIL\n" in shown
    shown = render_explanation(CHECK, VERDICT, documentation=SITE)
    assert f"  settle    gate explain TEST_FAIL, or {SITE}reasons/TEST_FAIL/\n" in shown


def test_every_reason_code_is_explained_with_steps_and_its_address() -> None:
    assert set(SETTLING) == set(REASONS)
    for code in REASONS:
        assert "http" not in render_reason(code)
        assert describe_reason(code)["address"] is None
        shown = render_reason(code, width=60, documentation=SITE)
        assert shown.startswith(f"{code}  from {REASONS[code].source}\n")
        assert shown.endswith(f"\n\n{address_reason(code, SITE)}\n")
        assert shown.count("\n  - ") == len(SETTLING[code]) > 0
        assert all(len(line) <= 60 or line.startswith(SITE) for line in shown.splitlines())
        assert describe_reason(code)["settle"] == list(SETTLING[code])
        assert describe_reason(code, documentation=SITE)["address"] == f"{SITE}reasons/{code}/"
        assert all(step.endswith(".") for step in SETTLING[code])


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(gate [^`]+)`", " ".join(sum(SETTLING.values(), ()))))))
def test_a_command_that_settles_is_one(command: str) -> None:
    words = command.split()[1:]
    path = [word for word in words if word.islower() and not word.startswith("-") and ":" not in word]
    found, _ = parts.command_at(path)
    assert {word for word in words if word.startswith("--")} <= {name for each in found.params for name in each.opts}


def test_without_excerpts_the_citation_is_shown() -> None:
    assert "tests.json /failed = 1" in render_explanation(CHECK, VERDICT)


def test_an_artifact_that_changed_since_is_called_out() -> None:
    changed = excerpt_value(COUNT, {"failed": 0})
    assert not changed.agrees
    assert "now differs from what the verdict cites" in render_explanation(CHECK, VERDICT, [changed])
    assert not excerpt_value(COUNT, {"failed": True}).agrees
    gone = excerpt_value(REF, {"failed": 1, "failures": []})
    assert not gone.agrees
    assert "no longer has a value at this pointer" in render_explanation(CHECK, VERDICT, [gone])


def test_a_patch_is_shown_from_its_start_and_bounded() -> None:
    ref = EvidenceRef("diffs.patch", "", None, "c" * 64)
    found = excerpt_text(ref, "".join(f"+line {n}\x0c\u2028hidden\x1b[31m\n" for n in range(100)), max_lines=3)
    assert len(found.lines) == 3
    assert found.left_out == 97
    shown = render_explanation(replace(CHECK, evidence=(ref,)), VERDICT, [found])
    assert r"│ +line 0\x0c\u2028hidden\x1b[31m" in shown
    assert "97 more lines" in shown
    assert all(line.isprintable() for line in shown.split("\n"))


def test_a_whole_json_artifact_agrees_without_a_value() -> None:
    ref = EvidenceRef("diff.json", "", None, "c" * 64)
    assert excerpt_value(ref, {"total_changes": 1}).agrees


def test_a_check_without_evidence_says_so() -> None:
    bare = Check("claim.present", CheckOutcome.UNKNOWN, "a claim", None, "MISSING_CLAIM", "there is no claim")
    shown = render_explanation(bare, VERDICT)
    assert "none: no fact decides this" in shown
    assert reproduce_commands(bare, VERDICT) == ("gate replay T_x", "gate verify T_x --staged")


def test_hostile_capability_names_stay_one_word() -> None:
    bad = Check("capability:x;rm -rf ~", CheckOutcome.ERROR, reason="ADAPTER_CRASH")
    assert reproduce_commands(bad, VERDICT)[1] == "gate verify T_x --staged --only 'x;rm -rf ~'"


def test_deep_values_are_cut_not_crashed_on() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    found = excerpt_value(EvidenceRef("a.json", "", None, ""), deep)
    assert isinstance(found, Excerpt)
    assert found.lines
