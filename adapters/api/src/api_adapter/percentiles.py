"""Percentiles by nearest rank."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The smallest of the sorted values that at least ``percent`` percent of them don't exceed."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(rank, 1) - 1]
