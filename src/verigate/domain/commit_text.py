"""What a commit says: its author, its committer and its message."""

from __future__ import annotations

from msgspec import Struct


class CommitText(Struct, frozen=True):
    """A commit by its full id. ``author`` and ``committer`` are ``Name <address>`` without a time.

    ``moment`` is when it was committed, in seconds since 1970; 0 where the commit doesn't say it. ``tree`` and
    ``parents`` are ids, empty where nobody read them.
    """

    id: str
    author: str
    committer: str
    message: str
    moment: int = 0
    tree: str = ""
    parents: tuple[str, ...] = ()
