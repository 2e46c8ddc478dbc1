"""The comments of GitHub, Gitea and Forgejo, which have the same paths, and of GitLab.

https://docs.github.com/en/rest/issues/comments (a pull request's conversation is that of an issue),
https://docs.gitea.com/api/ (``issueGetComments``), https://docs.gitlab.com/api/notes/#merge-requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from verigate.integrations.ci.comment import Comment
from verigate.integrations.ci.rest_api import Refused, RestApi

PER_PAGE = 100
MOST_PAGES = 100
"""Pages of comments to search, 10,000 comments."""


class IssueComments(Struct, frozen=True):
    """Comments as GitHub, Gitea and Forgejo have them. The API's ``url`` is that of the repository.

    Gitea and Forgejo may answer with all comments whatever page is asked for, or with fewer than were asked for:
    ``short_is_last`` is False there.
    """

    api: RestApi
    number: int
    short_is_last: bool = True

    def list(self) -> Iterator[Comment]:
        """See ``Comments``."""
        size = "per_page" if self.short_is_last else "limit"
        path = f"/issues/{self.number}/comments?{size}={PER_PAGE}&page="
        return _list_pages(self.api, path, ("user", "login"), short_is_last=self.short_is_last)

    def create(self, body: str) -> None:
        """See ``Comments``."""
        self.api.call("POST", f"/issues/{self.number}/comments", {"body": body})

    def update(self, comment: Comment, body: str) -> None:
        """See ``Comments``."""
        self.api.call("PATCH", f"/issues/comments/{comment.id}", {"body": body})

    def delete(self, comment: Comment) -> None:
        """See ``Comments``."""
        self.api.call("DELETE", f"/issues/comments/{comment.id}")


class MergeRequestNotes(Struct, frozen=True):
    """Notes of GitLab. The API's ``url`` is that of the merge request."""

    api: RestApi

    def list(self) -> Iterator[Comment]:
        """See ``Comments``."""
        path = f"/notes?sort=asc&order_by=created_at&per_page={PER_PAGE}&page="
        return _list_pages(self.api, path, ("author", "username"), short_is_last=True)

    def create(self, body: str) -> None:
        """See ``Comments``."""
        self.api.call("POST", "/notes", {"body": body})

    def update(self, comment: Comment, body: str) -> None:
        """See ``Comments``."""
        self.api.call("PUT", f"/notes/{comment.id}", {"body": body})

    def delete(self, comment: Comment) -> None:
        """See ``Comments``."""
        self.api.call("DELETE", f"/notes/{comment.id}")


def _list_pages(api: RestApi, path: str, names: tuple[str, str], *, short_is_last: bool) -> Iterator[Comment]:
    """List all pages, up to one that has nothing new, or one with fewer entries than were asked for."""
    seen: set[int] = set()
    for page in range(1, MOST_PAGES + 1):
        found = api.call("GET", f"{path}{page}")
        if not isinstance(found, list):
            raise Refused("the API's answer is not a list of comments")
        before = len(seen)
        for entry in found:
            number = entry.get("id") if isinstance(entry, Mapping) else None
            if not isinstance(number, int) or number in seen:
                continue
            seen.add(number)
            if (comment := _read(number, entry, *names)) is not None:
                yield comment
        if len(seen) == before or (short_is_last and len(found) < PER_PAGE):
            return


def _read(number: int, entry: Mapping[str, Any], author: str, name: str) -> Comment | None:
    """Read a comment; None for what isn't one, such as GitLab's notes about events."""
    body, who = entry.get("body"), entry.get(author)
    login = who.get(name) if isinstance(who, Mapping) else None
    if entry.get("system") or not isinstance(body, str) or not isinstance(login, str):
        return None
    return Comment(number, login, body)
