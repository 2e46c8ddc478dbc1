"""What a check found, as people read it next to what it expected."""

from __future__ import annotations

from typing import Any

from verigate.domain.verdict import Check, CheckOutcome


def shown_actual(check: Check) -> Any:
    """Return the value that a check found, in the terms of the one that it expected.

    The verdict has a number where a rule is on or off, such as that of failed tests. Next to ``expected true`` that
    reads like a contradiction, so people see ``true`` or ``false``.
    """
    if check.expected is True and isinstance(check.actual, int | float):
        return {CheckOutcome.HOLDS: True, CheckOutcome.REFUTED: False}.get(check.outcome, check.actual)
    return check.actual
