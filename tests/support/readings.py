"""Properties of a statement that was read, for tests."""

from __future__ import annotations

from verigate.domain.statement_reading import StatementKind, StatementReading


def claims_success(reading: StatementReading) -> bool:
    """Whether the statement claims success of anything."""
    return reading.kind is StatementKind.CLAIM and any(not fact.bad for fact in reading.facts)
