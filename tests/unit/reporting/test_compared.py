"""Beside "expected true" nobody reads a number of failures."""

from __future__ import annotations

from typing import Any

import pytest

from verigate.domain.verdict import Check, CheckOutcome
from verigate.reporting.compared import shown_actual


@pytest.mark.parametrize(
    ("outcome", "expected", "actual", "shown"),
    [
        (CheckOutcome.HOLDS, True, 0, True),
        (CheckOutcome.REFUTED, True, 3, False),
        (CheckOutcome.UNKNOWN, True, 0, 0),
        (CheckOutcome.REFUTED, 0, 3, 3),
        (CheckOutcome.HOLDS, 80, 81.5, 81.5),
        (CheckOutcome.REFUTED, True, "text", "text"),
        (CheckOutcome.ERROR, True, None, None),
    ],
)
def test_what_is_shown(outcome: CheckOutcome, expected: Any, actual: Any, shown: Any) -> None:
    found = shown_actual(Check("code.tests_pass", outcome, expected, actual))
    assert (found, type(found)) == (shown, type(shown))
