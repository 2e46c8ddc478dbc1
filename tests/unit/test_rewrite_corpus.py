"""The corpus of honest rewrites has what its users expect of it. ``tests/integration`` runs its suites."""

from __future__ import annotations

from collections import Counter

import pytest
from rewrite_corpus import LANGUAGES, PRODUCT, RUNNERS, RewriteCase, read_cases

CASES = read_cases()


def test_there_are_enough_cases_of_each_language() -> None:
    count = Counter(case.language for case in CASES)
    assert len(CASES) >= 70
    assert set(count) == set(LANGUAGES)
    assert count["python"] >= 30
    assert count["javascript"] + count["typescript"] >= 18
    assert min(count["go"], count["rust"]) >= 8
    assert count["java"] >= 4


def test_product_code_changes_in_about_half_of_them() -> None:
    changed = sum(case.product != "unchanged" for case in CASES)
    assert 0.4 <= changed / len(CASES) <= 0.6


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_a_described_change(case: RewriteCase) -> None:
    assert {case.runner, case.base_runner} <= set(RUNNERS)
    assert case.product in PRODUCT
    subject, _, body = case.message.partition("\n")
    assert 0 < len(subject) <= 72
    assert not body or body.startswith("\n")
    assert "Weakens:" not in case.message
    assert case.why.endswith(".")
    assert case.files("base") != case.files("head")
    assert (case.product == "behaviour") <= bool(body), "a change of behaviour is said"
