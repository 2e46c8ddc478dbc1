"""Addresses that may stand in a report as they are."""

from __future__ import annotations

import re

_LONGEST = 500
_PLAIN = re.compile(
    r"https?://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?"
)


def is_plain_address(url: str) -> bool:
    """Whether an address has only what means nothing in Markdown, HTML and a terminal: no user, no query, no escape."""
    return len(url) <= _LONGEST and _PLAIN.fullmatch(url) is not None
