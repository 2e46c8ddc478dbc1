"""Matches about one of some names: there may be thousands of names, too many for an expression of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator


def find_named(names: Collection[str], pattern: re.Pattern[str], source: str) -> Iterator[re.Match[str]]:
    """Find the matches whose last group is one of the names."""
    for match in pattern.finditer(source) if names else ():
        if match[match.lastgroup or 0] in names:
            yield match
