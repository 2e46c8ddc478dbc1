"""What a link's status means."""

from __future__ import annotations


def is_live(status: int | str, *, redirects_pass: bool) -> bool:
    """Whether a status of links/statuses.json counts as a working link. Error names never do."""
    if isinstance(status, bool) or not isinstance(status, int):
        return False
    return 200 <= status <= 299 or (redirects_pass and 300 <= status <= 399)
