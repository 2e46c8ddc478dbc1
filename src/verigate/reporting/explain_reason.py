"""Explain a reason code: what it means, how to settle it honestly, and the page about it if there is one."""

from __future__ import annotations

from typing import Any

from verigate.reporting.addresses import address_reason
from verigate.reporting.layout import MIN_WIDTH, wrap
from verigate.reporting.palette import Palette
from verigate.reporting.reasons import REASONS
from verigate.reporting.settling import SETTLING


def describe_reason(code: str, *, documentation: str = "") -> dict[str, Any]:
    """Return what is known of a reason code, as JSON; ``address`` is null if no site is named.

    Raises KeyError for a code that this version doesn't have.
    """
    return {
        "schema": "verigate:reason.v1",
        "code": code,
        "from": REASONS[code].source.split(", "),
        "meaning": REASONS[code].meaning,
        "settle": list(SETTLING[code]),
        "address": address_reason(code, documentation) or None,
    }


def render_reason(code: str, *, colour: bool = False, width: int = 100, documentation: str = "") -> str:
    """Render a reason code as text. Raises KeyError for one that this version doesn't have."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    lines = [f"{palette.paint(code, 'bold')}  from {REASONS[code].source}"]
    lines += wrap(REASONS[code].meaning, width, indent="  ")
    lines += ["", palette.paint("settle", "bold")]
    for step in SETTLING[code]:
        lines += wrap(step, width, indent="    ", first="  - ")
    if address := address_reason(code, documentation):
        lines += ["", address]
    return "\n".join(lines) + "\n"
