"""The rules about links where they read two artifacts."""

from __future__ import annotations

import literal_facts as lf
import pytest

from verigate.domain.link_status import UNFETCHABLE_SCHEMES
from verigate.domain.verdict import CheckOutcome
from verigate.gate.decision import decide_verdict

URLS = ["a.md", "https://a.example/", "mailto:a@b.example"]
PLAIN = {"a.md": 200, "https://a.example/": 200, "mailto:a@b.example": "NOT_FETCHED"}


def check_of(rule: str, statuses: dict[str, object], **artifacts: object) -> object:
    facts = {"links/urlset.json": sorted(statuses), "links/statuses.json": statuses, **artifacts}
    rules = {rule: True if rule == "require_full_coverage" else 0}
    return decide_verdict(lf.facts(rules, facts, claim=lf.claim_document(), order=lf.ORDER)).check(f"links.{rule}")


@pytest.mark.parametrize(
    ("changed", "outcome", "actual"),
    [
        ({}, CheckOutcome.HOLDS, 3),
        ({"https://a.example/": 404}, CheckOutcome.HOLDS, 3),
        ({"https://a.example/": "NETWORK_FORBIDDEN"}, CheckOutcome.REFUTED, 2),
        ({"https://a.example/": "LOGIN_REQUIRED"}, CheckOutcome.REFUTED, 2),
    ],
)
def test_what_nobody_asked_is_not_covered(changed: dict[str, object], outcome: CheckOutcome, actual: int) -> None:
    check = check_of("require_full_coverage", {**PLAIN, **changed})
    assert (check.outcome, check.actual) == (outcome, actual)


@pytest.mark.parametrize("status", ["LOGIN_REQUIRED", "HOME_PAGE"])
def test_a_page_that_nobody_saw_is_neither_working_nor_failing(status: str) -> None:
    check = check_of("failures_max", {**PLAIN, "https://a.example/": status})
    assert (check.outcome, check.reason) == (CheckOutcome.UNKNOWN, "LINKS_UNCHECKED")


def test_mail_addresses_alone_cover_nothing() -> None:
    check = check_of("require_full_coverage", {"mailto:a@b.example": "NOT_FETCHED"})
    assert (check.outcome, check.reason) == (CheckOutcome.REFUTED, "LINKS_UNCHECKED")


def test_a_failure_that_answered_later_is_still_one_and_is_said_to_be_flaky() -> None:
    told = {"https://a.example/": {"attempts": [], "flaky": True}, "a.md": {"attempts": [], "flaky": True}}
    statuses = {**PLAIN, "https://a.example/": 503}
    check = check_of("failures_max", statuses, **{"links/resample.json": told})
    assert (check.outcome, check.actual) == (CheckOutcome.REFUTED, 1)
    assert check.message == "1 of 3 links fail, at most 0 allowed; 1 of them worked on retry"


def test_the_adapter_and_the_gate_mean_the_same_schemes() -> None:
    from links_adapter.check import NOTHING_TO_FETCH as ADAPTERS

    assert ADAPTERS == UNFETCHABLE_SCHEMES
