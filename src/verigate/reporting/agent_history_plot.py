"""Draw which runs stood behind what agents said to be done, by week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from verigate.domain.agent_history import Backing, SaidDone
from verigate.reporting.week_bars import draw_week_bars

_COLOURS = {
    Backing.PASSED: "#2e7d32",
    Backing.PART: "#9ccc65",
    Backing.HIDDEN: "#9e9e9e",
    Backing.STALE: "#f9a825",
    Backing.NONE: "#ef6c00",
    Backing.FAILED: "#c62828",
}


def draw_history(entries: Sequence[SaidDone], name_week: Callable[[int], str]) -> bytes:
    """Draw an SVG with a bar for each week, stacked to 100 %, of what is counted and has a date.

    ``name_week`` names the week of a moment, so that names sort by time. Raises ImportError without pygal.
    """
    weeks: dict[str, Counter[Backing]] = {}
    for entry in sorted(entries, key=lambda each: each.moment):
        if entry.backing.counts and entry.moment > 0:
            weeks.setdefault(name_week(int(entry.moment)), Counter())[entry.backing] += 1
    series = [(backing.value, backing, colour) for backing, colour in _COLOURS.items()]
    return draw_week_bars(weeks, series, title="What agents said is done, by week", unit="times done")
