"""Draw the shares of statements that hold, are refuted and open, by week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from verigate.domain.ledger import LedgerEntry, Standing

_COLOURS = ("#2e7d32", "#c62828", "#9e9e9e")


def draw_shares(entries: Sequence[LedgerEntry], name_week: Callable[[int], str]) -> bytes:
    """Draw an SVG with a bar for each week that has commits, stacked to 100 %.

    ``name_week`` names the week of a moment, so that names sort by time. Raises ImportError without pygal.
    """
    import pygal
    from pygal.style import Style

    chart = pygal.StackedBar(
        style=Style(colors=_COLOURS, background="white"),
        title="What commits say of themselves, by week",
        y_title="% of statements",
        x_label_rotation=45,
        range=(0, 100),
        js=(),
        disable_xml_declaration=False,
    )
    weeks = count_by_week(entries, name_week)
    chart.x_labels = list(weeks)
    for standing in Standing:
        chart.add(standing.value, [100 * count[standing] / sum(count.values()) for count in weeks.values()])
    drawn: bytes = chart.render()
    return drawn


def count_by_week(entries: Sequence[LedgerEntry], name_week: Callable[[int], str]) -> Mapping[str, Counter[Standing]]:
    """Count the statements of each week that has any, the oldest first."""
    found: dict[str, Counter[Standing]] = {}
    for entry in sorted(entries, key=lambda each: each.commit.moment):
        if entry.statements:
            week = found.setdefault(name_week(entry.commit.moment), Counter())
            week.update(each.standing for each in entry.statements)
    return found
