"""Colours and marks.

Six SGR sequences don't justify an import: rich costs 38 ms and click's styling 28 ms on the machine this was measured
on, more than the rest of a report. Whether to colour at all (terminal, NO_COLOR) is decided by the command line.
"""

from __future__ import annotations

from msgspec import Struct

from verigate.domain.verdict import CheckOutcome, Status, UnitOutcome

_RESET = "\x1b[0m"
_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}

STATUS_STYLE = {
    Status.PASS: ("bold", "green"),
    Status.FAIL: ("bold", "red"),
    Status.ERROR: ("bold", "red"),
    Status.INCONCLUSIVE: ("bold", "yellow"),
}
CHECK_MARK = {
    CheckOutcome.HOLDS: ("✓", "green"),
    CheckOutcome.REFUTED: ("✗", "red"),
    CheckOutcome.UNKNOWN: ("?", "yellow"),
    CheckOutcome.ERROR: ("!", "red"),
    CheckOutcome.NOT_APPLICABLE: ("-", "dim"),
}
UNIT_MARK = {
    UnitOutcome.SUPPORTED: ("✓", "green"),
    UnitOutcome.REFUTED: ("✗", "red"),
    UnitOutcome.UNDECIDED: ("?", "yellow"),
}


class Palette(Struct, frozen=True):
    """Paints text; with ``colour`` False it returns the text as it is."""

    colour: bool

    def paint(self, text: str, *styles: str) -> str:
        """``text`` in the named styles. ``text`` must be escaped already."""
        if not self.colour or not styles or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}{_RESET}"
