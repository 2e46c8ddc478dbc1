"""The standard library's reader of HTML, for any text."""

from __future__ import annotations

from html.parser import HTMLParser


class LenientParser(HTMLParser):
    """Reads ``<![ … ]>`` with an unknown word as a comment, as browsers do; the library's own reader ends there."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Return where the section that begins at ``i`` ends, -1 if its end isn't there yet."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i, report)
