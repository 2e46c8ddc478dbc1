"""Marks and colours of statuses and outcomes."""

from __future__ import annotations

from verigate.domain.verdict import CheckOutcome, Status, UnitOutcome

STATUS_STYLE = {
    Status.PASS: ("bold", "green"),
    Status.FAIL: ("bold", "red"),
    Status.ERROR: ("bold", "red"),
    Status.INCONCLUSIVE: ("bold", "yellow"),
}
CHECK_MARK = {
    CheckOutcome.HOLDS: ("✓", "green"),
    CheckOutcome.REFUTED: ("✗", "red"),
    CheckOutcome.UNKNOWN: ("?", "yellow"),
    CheckOutcome.ERROR: ("!", "red"),
    CheckOutcome.NOT_APPLICABLE: ("-", "dim"),
}
UNIT_MARK = {
    UnitOutcome.SUPPORTED: ("✓", "green"),
    UnitOutcome.REFUTED: ("✗", "red"),
    UnitOutcome.UNDECIDED: ("?", "yellow"),
}
