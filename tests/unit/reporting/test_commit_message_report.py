"""What git's hooks print of weakenings and the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import literal_facts as lf
from msgspec.structs import replace

from verigate.domain.verdict import Verdict
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict
from verigate.reporting.commit_message import render_accounted, render_left_to_message, render_refused

ID = "0123456789ab"
SKIPPED = {"kind": "test_skipped", "path": "t.py", "test": "test_a", "id": ID, "weight": "weakening", "message": "m"}
OTHER = {**SKIPPED, "test": "test_\x1b[2Jb", "id": "ba9876543210"}
AGAIN = "git commit --edit --file=.git/COMMIT_EDITMSG"


def verdict(*findings: Mapping[str, Any], policy: str = "disclose", said: bool = False) -> Verdict:
    found = {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]}
    made = lf.facts(
        {"integrity": True, "weakening": policy}, {"integrity.json": found}, implicit=True, changed=("t.py",)
    )
    lines = (Disclosure("test_skipped", "t.py::test_a", ID, "gone\x1b[2J", Source.COMMIT, "commit message"),)
    return decide_verdict(replace(made, disclosed=DisclosureFacts(Stage.COMMIT, lines if said else ())))


def test_what_is_left_to_the_message_has_its_lines() -> None:
    made = render_left_to_message(verdict(SKIPPED, OTHER))
    assert made.startswith("verigate: 2 weakenings are left to the commit message: restore the check, or put a line")
    assert f"\n      Weakens: test_skipped t.py::test_a {ID} (…)" in made
    assert "\x1b" not in made


def test_of_an_amendment_no_line_is_shown_before_the_commit_is_compared_as_a_whole() -> None:
    made = render_left_to_message(verdict(SKIPPED), amends=True)
    assert made == "verigate: 1 weakening is left to the commit message, by which the whole commit is judged"


def test_a_message_that_says_nothing_is_refused_with_the_lines() -> None:
    made = render_refused(verdict(SKIPPED, OTHER), AGAIN)
    assert made.startswith("verigate: not committed: 2 weakenings are not accounted for\n")
    assert f"      Weakens: test_skipped t.py::test_a {ID} (…)" in made
    assert made.endswith(AGAIN)


def test_of_a_merge_only_its_own_are_shown() -> None:
    made = render_refused(verdict(SKIPPED, OTHER), AGAIN, {("test_skipped", "t.py", "test_a")})
    assert "1 weakening is not accounted for" in made
    assert "ba9876543210" not in made


def test_what_a_profile_refuses_has_no_line() -> None:
    made = render_refused(verdict(SKIPPED, policy="refuse"), AGAIN)
    assert "Weakens:" not in made
    assert made.endswith("verigate: restore the check: nothing that the message says accounts for it")


def test_tampering_is_named() -> None:
    made = render_refused(verdict({**SKIPPED, "weight": "tampering"}), AGAIN)
    assert made.startswith("verigate: not committed: 1 change weakens the checks, first: test_skipped in t.py")
    assert "which nothing accounts for" in made


def test_many_are_cut() -> None:
    many = [{**SKIPPED, "test": f"test_{number}", "id": f"{number:012x}"} for number in range(120)]
    made = render_refused(verdict(*many), AGAIN)
    assert "  … and 20 more" in made


def test_what_is_disclosed_is_said() -> None:
    assert render_accounted(verdict(SKIPPED, said=True)) == (
        "verigate: weakening: 1 disclosed; less is checked than before: test_skipped in t.py::test_a: "
        "gone\\x1b[2J (commit message)"
    )
    assert render_accounted(verdict()) == ""
