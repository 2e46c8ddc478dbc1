from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.verdict import CheckOutcome
from verigate.gate.decision import decide_verdict

LINT = {"errors": 0, "warnings": 0, "files_checked": 3, "issues": [], "tool": "yamllint"}
BAD = {**LINT, "errors": 1, "issues": [{"path": "a.yml", "line": 1, "severity": "error", "message": "m"}]}
NONE = {**LINT, "files_checked": 0}
OWN = {**LINT, "files_checked": 0, "tool": None}
TEXT: dict[str, Any] = {
    "changed": ("a.txt",),
    "commitment": {"task_id": "T1", "type": "unknown"},
    "claim": {"task_id": "T1", "claim": {"type": "unknown"}},
}


@pytest.mark.parametrize(
    ("artifacts", "outcome", "reason"),
    [
        # A linter of texts that the plan names counts where no code was touched; before it did not apply.
        ({"yamllint/lint/lint.json": BAD}, CheckOutcome.REFUTED, "LINT_FAIL"),
        ({"yamllint/lint/lint.json": LINT}, CheckOutcome.HOLDS, None),
        ({"yamllint/lint/lint.json": NONE}, CheckOutcome.REFUTED, "LINT_EMPTY"),
        # code:lint had no code to look at, which is nobody's fault.
        ({"yamllint/lint/lint.json": LINT, "lint.json": OWN}, CheckOutcome.HOLDS, None),
        ({"yamllint/lint/lint.json": BAD, "lint.json": OWN}, CheckOutcome.REFUTED, "LINT_FAIL"),
        ({"lint.json": OWN}, CheckOutcome.NOT_APPLICABLE, None),
    ],
)  # fmt: skip
def test_a_planned_linter_of_texts_counts_where_only_texts_changed(
    artifacts: dict[str, Any], outcome: CheckOutcome, reason: str | None
) -> None:
    found = [lf.artifact(path, value, media_spec="verigate:lint.v1") for path, value in artifacts.items()]
    check = decide_verdict(lf.facts({"lint_clean": True}, found, **TEXT)).check("code.lint_clean")
    assert check is not None
    assert (check.outcome, check.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("tool", "own", "plan", "reason"),
    [
        # The project has no linter that code:lint knows, and a planned one looked: refuted with LINT_EMPTY before.
        (LINT, OWN, ("shellcheck:lint",), None),
        (BAD, OWN, ("shellcheck:lint",), "LINT_FAIL"),
        # A linter of its own that looked at nothing, or nobody who looked at anything, is no clean answer.
        (LINT, {**OWN, "tool": "ruff"}, ("shellcheck:lint",), "LINT_EMPTY"),
        (NONE, OWN, ("shellcheck:lint",), "LINT_EMPTY"),
        ({**NONE, "tool": None}, {**LINT, "tool": "ruff"}, ("shellcheck:lint",), "LINT_EMPTY"),
        # The plan names code:lint too, and whatever else has looked at something, that found none.
        (LINT, OWN, ("code:lint", "shellcheck:lint"), "LINT_EMPTY"),
        # Asked for by the commitment alone, which an agent writes: it stands in for nothing.
        (LINT, OWN, ("code:diff",), "LINT_EMPTY"),
        (LINT, OWN, ("code:diff", "code:lint"), "LINT_EMPTY"),
    ],
)
def test_a_planned_linter_stands_in_for_one_that_the_project_has_not(
    tool: dict[str, Any], own: dict[str, Any], plan: tuple[str, ...], reason: str | None
) -> None:
    both = (("shellcheck/lint/lint.json", tool, "shellcheck:lint"), ("lint.json", own, "code:lint"))
    found = [
        lf.artifact(path, value, producer=producer, media_spec="verigate:lint.v1") for path, value, producer in both
    ]
    check = decide_verdict(lf.facts({"lint_clean": True}, found, order=plan)).check("code.lint_clean")
    assert check is not None
    assert check.reason == reason
