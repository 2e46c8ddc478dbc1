"""Compute percentiles by nearest rank."""

from __future__ import annotations

from collections.abc import Sequence


def compute_percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the smallest of the sorted values that is at least as large as ``percent`` percent of them."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(rank, 1) - 1]
