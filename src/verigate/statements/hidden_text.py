"""Find what keeps people from reading a text as it is: it then says nothing on which a person could rely."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")
"""What terminals take for a command, or for the end of a line that others don't see."""

_DIRECTION = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
"""Overrides and isolates: what is shown stands in another order. Single marks of a direction move no words."""


def find_hiding(text: str) -> str:
    """Return why what is shown of a text may not be what it says; "" if nothing keeps people from reading it.

    Tabs, and line ends of any system, keep nobody. Invisible letters hide no word that is made of visible ones.
    """
    if (found := _CONTROL.search(text)) is not None:
        return f"the text has the control character U+{ord(found[0]):04X}, by which terminals hide what is said"
    if (found := _DIRECTION.search(text)) is not None:
        return f"the text has the character U+{ord(found[0]):04X}, by which it is shown in another order"
    return ""


def split_shown(text: str) -> tuple[str, str]:
    """Split a text at its first null byte: git shows what stands before it, and nothing behind it."""
    shown, _, rest = text.partition("\0")
    return shown, rest
