"""Draw shares of a hundred percent by week, as an SVG without scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any


def draw_week_bars(
    weeks: Mapping[str, Counter[Any]], series: Sequence[tuple[str, Any, str]], *, title: str, unit: str
) -> bytes:
    """Draw a bar for each week, stacked to 100 %.

    ``weeks`` counts what there is in each, and none is empty; ``series`` are the name, the key in a count and the
    colour of each part. Raises ImportError without pygal.
    """
    import pygal
    from pygal.style import Style

    chart = pygal.StackedBar(
        style=Style(colors=tuple(colour for _, _, colour in series), background="white"),
        title=title,
        y_title=f"% of {unit}",
        x_label_rotation=45,
        range=(0, 100),
        js=(),
        disable_xml_declaration=False,
    )
    chart.x_labels = list(weeks)
    for name, key, _ in series:
        chart.add(name, [100 * count[key] / sum(count.values()) for count in weeks.values()])
    drawn: bytes = chart.render()
    return drawn
