"""Draw a verdict as a badge: an SVG, and the JSON that shields.io draws one from.

It has the gate's own words and numbers alone, so that no text of a task gets into it. The width is computed from a
table, and the renderer fits the text to it: it is the same on a machine without fonts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree as ET

from msgspec import Struct

from verigate.domain.verdict import CheckOutcome, Status
from verigate.reporting.report import Report

LABEL = "gate"

_GREEN, _RED, _ORANGE, _GREY = "#1a7f37", "#c1121f", "#9a5200", "#57606a"
"""White text has a contrast of at least 4.5 on each (WCAG 2.2, 1.4.3)."""

_LABEL_COLOUR = "#30363d"
_COLOURS: Mapping[Status, str] = MappingProxyType(
    {Status.PASS: _GREEN, Status.FAIL: _RED, Status.ERROR: _RED, Status.INCONCLUSIVE: _ORANGE}
)
_HEIGHT, _PAD, _SIZE = 20, 6, 11
_WIDTHS: Mapping[str, float] = MappingProxyType(
    {
        **dict.fromkeys("bdghknpqu0123456789", 7.0),
        **dict.fromkeys("aoe", 6.8),
        **dict.fromkeys("vxyzkcs", 6.4),
        **dict.fromkeys("ijl ,.·/:", 3.5),
        **dict.fromkeys("ft()-", 4.2),
        "r": 4.5,
        "m": 10.7,
        "w": 9.0,
    }
)
"""Pixels of a character of DejaVu Sans, whose widths are Verdana's, at 11 px."""
_WIDEST = 10.7


class Badge(Struct, frozen=True):
    """What a badge says: ``message`` to the right of LABEL, on ``colour`` (``#rrggbb``)."""

    message: str
    colour: str


def make_badge(report: Report) -> Badge:
    """Make the badge of a verdict: its status, and how many of the checks that apply hold.

    What is weaker than before is counted. A verdict that something speaks against today is grey, and outdated.
    """
    verdict = report.verdict
    outcomes = [check.outcome for check in report.checks if check.outcome is not CheckOutcome.NOT_APPLICABLE]
    parts = [verdict.status.value]
    if outcomes:
        parts.append(f"{outcomes.count(CheckOutcome.HOLDS)} of {len(outcomes)}")
    found = verdict.weakenings or {}
    if weaker := sum(int(found.get(key) or 0) for key in ("unaccounted", "disclosed", "approved", "allowed")):
        parts.append(f"{weaker} weakened")
    if report.notes:
        return Badge(" · ".join([*parts, "outdated"]), _GREY)
    return Badge(" · ".join(parts), _COLOURS[verdict.status])


def describe_endpoint(badge: Badge) -> dict[str, Any]:
    """Return what https://shields.io/badges/endpoint-badge reads."""
    return {
        "schemaVersion": 1,
        "label": LABEL,
        "message": badge.message,
        "color": badge.colour.removeprefix("#"),
        "labelColor": _LABEL_COLOUR.removeprefix("#"),
    }


def draw_badge(badge: Badge) -> str:
    """Draw an SVG of 20 px height, without scripts, styles and references."""
    left, right = (_measure(text) + 2 * _PAD for text in (LABEL, badge.message))
    said = f"{LABEL}: {badge.message}"
    size = {"width": str(left + right), "height": str(_HEIGHT)}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img", "aria-label": said})
    ET.SubElement(root, "title").text = said
    ET.SubElement(root, "rect", {**size, "rx": "3", "fill": badge.colour})
    # The label covers the left half of a rounded rectangle, and its own right end is straight.
    edge = f"M3 0H{left}V{_HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"
    ET.SubElement(root, "path", {"d": edge, "fill": _LABEL_COLOUR})
    look = {"fill": "#fff", "font-family": "Verdana,DejaVu Sans,Geneva,sans-serif", "font-size": str(_SIZE)}
    group = ET.SubElement(root, "g", {**look, "aria-hidden": "true"})
    for start, text in ((_PAD, LABEL), (left + _PAD, badge.message)):
        place = {"x": str(start), "y": "14", "textLength": str(_measure(text)), "lengthAdjust": "spacingAndGlyphs"}
        ET.SubElement(group, "text", place).text = text
    return f"{ET.tostring(root, encoding='unicode')}\n"


def _measure(text: str) -> int:
    """The width of ``text`` in pixels."""
    return round(sum(_WIDTHS.get(character, _WIDEST) for character in text))
