"""What a commit says: its author, its committer and its message."""

from __future__ import annotations

from msgspec import Struct


class CommitText(Struct, frozen=True):
    """A commit by its full id. ``author`` and ``committer`` are ``Name <address>`` without a time."""

    id: str
    author: str
    committer: str
    message: str
