"""The one comment on a pull request, updated with every run.

https://docs.github.com/en/rest/issues/comments; a pull request's conversation is that of an issue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.integrations.ci.github_api import GithubApi, Refused, read_api_url
from verigate.integrations.ci.github_event import Event, read_event
from verigate.integrations.ci.github_verify import MARK

PER_PAGE = 100
MOST_PAGES = 100
"""Pages of comments to search, 10,000 comments."""


class Conversation(Struct, frozen=True):
    """The comments of one pull request. ``author`` is the login of ours."""

    api: GithubApi
    number: int
    author: str

    def put(self, body: str) -> str:
        """Write ``body`` into our comment or a new one; return which of both. Raises Refused.

        Ours is the first that has MARK as its first line and was written by ``author``: somebody else could change a
        comment of their own.
        """
        mine = next((comment for comment in self._comments() if self._is_mine(comment)), None)
        if mine is None:
            self.api.call("POST", f"/issues/{self.number}/comments", {"body": body})
            return "created"
        self.api.call("PATCH", f"/issues/comments/{int(mine['id'])}", {"body": body})
        return "updated"

    def _comments(self) -> Iterator[Mapping[str, Any]]:
        for page in range(1, MOST_PAGES + 1):
            found = self.api.call("GET", f"/issues/{self.number}/comments?per_page={PER_PAGE}&page={page}")
            if not isinstance(found, list):
                raise Refused("the API's answer is not a list of comments")
            yield from (comment for comment in found if isinstance(comment, dict))
            if len(found) < PER_PAGE:
                return

    def _is_mine(self, comment: Mapping[str, Any]) -> bool:
        user, body = comment.get("user"), comment.get("body")
        if not isinstance(user, dict) or not isinstance(body, str) or not isinstance(comment.get("id"), int):
            return False
        # GitHub stores line ends unchanged; its own editor sends CR LF.
        return user.get("login") == self.author and body.split("\n", 1)[0].rstrip("\r") == MARK


def write_comment(environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Put the Markdown report of this run on the pull request; return 0, also if that is refused, with a notice.

    Takes INPUT_REPORTS, INPUT_TOKEN and INPUT_COMMENT_AUTHOR. Raises UsageError where the event can't be read.
    """
    event = read_event(environ)
    if event.number is None:
        return 0
    api = GithubApi(f"{read_api_url(environ)}/repos/{environ['GITHUB_REPOSITORY']}", environ.get("INPUT_TOKEN", ""))
    conversation = Conversation(api, event.number, environ.get("INPUT_COMMENT_AUTHOR", ""))
    body = Path(environ["INPUT_REPORTS"], "gate.md").read_text("utf-8")
    try:
        say(f"gate: the comment is {conversation.put(body + _link_run(environ, event))}")
    except Refused as refused:
        say(f"::notice title=gate::no comment: {refused}. The verdict is the same, and the job summary has the report.")
    return 0


def _link_run(environ: Mapping[str, str], event: Event) -> str:
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (environ[name] for name in names)
    commit = event.text("pull_request", "head", "sha") or ""
    return f"\n[Run {run}]({server}/{repository}/actions/runs/{run}) {commit}\n"
