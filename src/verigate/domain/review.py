"""Reviews of a pull request, as the forge reports them to the job that verifies it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

REVIEWS_SCHEMA = "verigate:reviews.v1"
_APPROVED = "APPROVED"
_DECIDES = frozenset({_APPROVED, "CHANGES_REQUESTED", "DISMISSED"})
"""States of a review that take the place of its author's earlier ones; a comment doesn't."""


class Review(Struct, frozen=True, forbid_unknown_fields=True):
    """One review: who, of which commit, with which state (the forge's word), when (ISO 8601)."""

    login: str
    state: str
    commit: str
    submitted: str


class Reviews(Struct, frozen=True, forbid_unknown_fields=True):
    """The reviews of a pull request, the oldest first.

    ``commit`` is the commit that the job verifies, ``head`` that of the pull request itself: they differ where the
    forge merged it for the job. ``author`` is who opened it.
    """

    schema: str
    forge: str
    pull_request: int
    commit: str
    head: str
    author: str
    reviews: tuple[Review, ...]

    def list_approving(self) -> Iterator[Review]:
        """List the last review of each reviewer if it approves. Logins don't differ by case."""
        latest = {each.login.lower(): each for each in self.reviews if each.state in _DECIDES}
        yield from (each for each in latest.values() if each.state == _APPROVED)
