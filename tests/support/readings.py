"""What a reading of a statement comes to, for tests."""

from __future__ import annotations

from verigate.domain.reading import Kind, Reading


def claims_success(reading: Reading) -> bool:
    """Whether it says of anything that it is as it should be."""
    return reading.kind is Kind.CLAIM and any(not fact.bad for fact in reading.facts)
