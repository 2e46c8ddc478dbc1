"""Keep one comment on a pull request, updated in place, and left alone while it says the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from verigate.integrations.ci.comment_text import is_ours, say_the_same
from verigate.integrations.ci.rest_api import Refused


class Comment(Struct, frozen=True):
    """A comment of a pull request: ``author`` is a login."""

    id: int
    author: str
    body: str


class Comments(Protocol):
    """The comments of one pull request. Each method raises Refused."""

    def list(self) -> Iterator[Comment]:
        """All of them, in any order."""

    def create(self, body: str) -> None:
        """Add one."""

    def update(self, comment: Comment, body: str) -> None:
        """Put another text into one."""

    def delete(self, comment: Comment) -> None:
        """Take one away."""


class Conversation(Struct, frozen=True):
    """The comments of one pull request, and the login of ours."""

    comments: Comments
    author: str

    def put(self, body: str) -> str:
        """Make ``body`` our one comment; return "created", "updated" or "unchanged". Raises Refused.

        Ours are those that begin with our mark and were written by ``author``: somebody else could change a comment of
        their own. Two jobs at once may both find none and create one each. Each then lists them again, keeps the
        oldest and deletes the others, so that one is left, whichever of them is the last.
        """
        mine = self._list_mine()
        if not mine:
            self.comments.create(body)
            mine = self._list_mine()
            done = "created"
        elif say_the_same(mine[0].body, body):
            done = "unchanged"
        else:
            done = "updated"
        if mine and not say_the_same(mine[0].body, body) and not self._replace(mine[0], body):
            return "created"
        for other in mine[1:]:
            self._delete(other)
        return done

    def _list_mine(self) -> list[Comment]:
        """List our comments, the oldest first."""
        found = (each for each in self.comments.list() if each.author == self.author and is_ours(each.body))
        return sorted(found, key=lambda comment: comment.id)

    def _replace(self, comment: Comment, body: str) -> bool:
        """Update a comment; create another and return False if it was deleted since it was listed."""
        try:
            self.comments.update(comment, body)
        except Refused as refused:
            if refused.status != 404:
                raise
            self.comments.create(body)
            return False
        return True

    def _delete(self, comment: Comment) -> None:
        try:
            self.comments.delete(comment)
        except Refused as refused:
            # The other job was quicker.
            if refused.status != 404:
                raise
