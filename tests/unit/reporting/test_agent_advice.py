"""What a refused agent reads: for each reason what to do, and nothing that passes without the work."""

from __future__ import annotations

import re

import pytest

from verigate.domain.verdict import Check, CheckOutcome, Reason, Status, Units, Verdict
from verigate.reporting.agent_advice import WAY_OUT, cut_for_agent
from verigate.reporting.agent_brief import render_brief
from verigate.reporting.reasons import REASONS

ROUND = re.compile(
    r"approve|allow_|exclu|baseline|no-verify|skip|disable|suppress|ignore|lower|threshold|noqa|weakens|disclos|"
    r"opt out|config/|profile (?:takes|allows)|uninstall|advisory",
    re.IGNORECASE,
)
"""Words of what lets work pass that isn't done."""

MESSAGES = (
    (
        "the change touches policy files: config/adapter-plan.json; a person who has reviewed these files approves "
        "them with `gate approve T1 --reason …`, or the base's profile allows it with allow_policy_change"
    ),
    (
        "1 of 2 declared tests were not run: npm test; declare the command in config/adapters.json under code, "
        'tests.command, or exclude it there with a reason: "excluded": [{"what": …, "why": …}]'
    ),
    (
        "3 weakenings are not accounted for; restore the check: the profile takes no disclosure of it; or a person "
        "approves it with `gate approve`"
    ),
)


def test_every_reason_that_a_check_can_have_has_a_way_out() -> None:
    others = {code for code, text in REASONS.items() if text.source in {"reserved", "reports"}}
    assert set(WAY_OUT) == set(REASONS) - others


@pytest.mark.parametrize("code", WAY_OUT)
def test_a_way_out_is_short_and_no_way_round(code: str) -> None:
    text = WAY_OUT[code]
    assert len(text) <= 180
    assert ROUND.search(text) is None
    assert not text.endswith(".")


@pytest.mark.parametrize("message", MESSAGES)
def test_what_is_said_to_people_is_cut(message: str) -> None:
    shown = cut_for_agent(message)
    assert message.startswith(shown)
    assert 20 < len(shown) < len(message)
    assert "approve" not in shown
    assert "exclude" not in shown


@pytest.mark.parametrize("message", ["1 of 1 tests failed", "the step 'x; y' judges less: || true", ""])
def test_another_message_stays_as_it_is(message: str) -> None:
    assert cut_for_agent(message) == message


def test_a_brief_says_what_to_do_once_for_each_reason() -> None:
    checks = tuple(
        Check(f"code.{name}", CheckOutcome.REFUTED, 0, 1, code, message)
        for name, code, message in (
            ("tests_pass", "TEST_FAIL", "1 of 1 tests failed"),
            ("skipped", "TEST_FAIL", "2 skipped"),
            ("judges", "INTEGRITY_FAIL", MESSAGES[0]),
        )
    )
    reasons = tuple(Reason(check.reason or "", check.message, check.id) for check in checks)
    verdict = Verdict("T1", "code", Status.FAIL, "facts", checks, reasons, Units(0, ()), {}, {}, {})
    brief = render_brief(verdict)
    assert brief.count(f"  do: {WAY_OUT['TEST_FAIL']}") == 1
    assert brief.count("  do: ") == 2
    assert "config/adapter-plan.json" in brief
    assert "gate approve" not in brief
    assert "allow_policy_change" not in brief
