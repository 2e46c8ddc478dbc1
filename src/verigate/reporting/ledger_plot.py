"""Draw the shares of statements that hold, are refuted and open, by week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from verigate.domain.ledger import LedgerEntry, Standing
from verigate.reporting.week_bars import draw_week_bars

_COLOURS = ("#2e7d32", "#c62828", "#9e9e9e")


def draw_shares(entries: Sequence[LedgerEntry], name_week: Callable[[int], str]) -> bytes:
    """Draw an SVG with a bar for each week that has commits, stacked to 100 %.

    ``name_week`` names the week of a moment, so that names sort by time. Raises ImportError without pygal.
    """
    series = [(each.value, each, colour) for each, colour in zip(Standing, _COLOURS, strict=True)]
    weeks = count_by_week(entries, name_week)
    return draw_week_bars(weeks, series, title="What commits say of themselves, by week", unit="statements")


def count_by_week(entries: Sequence[LedgerEntry], name_week: Callable[[int], str]) -> Mapping[str, Counter[Standing]]:
    """Count the statements of each week that has any, the oldest first."""
    found: dict[str, Counter[Standing]] = {}
    for entry in sorted(entries, key=lambda each: each.commit.moment):
        if entry.statements:
            week = found.setdefault(name_week(entry.commit.moment), Counter())
            week.update(each.standing for each in entry.statements)
    return found
