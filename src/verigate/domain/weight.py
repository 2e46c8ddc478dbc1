"""The weight of a finding of ``code:integrity``."""

from __future__ import annotations

from enum import StrEnum


class Weight(StrEnum):
    """What a finding means for the change."""

    TAMPERING = "tampering"
    """Machinery whose only purpose is that checks report other than what is so: always refuted."""
    WEAKENING = "weakening"
    """Something that was checked is checked less: it must be accounted for."""
    NOTE = "note"
    """It is reported, and decides nothing."""


REFUTING = frozenset({Weight.TAMPERING, Weight.WEAKENING})
"""Weights that refute the rule ``integrity``."""
