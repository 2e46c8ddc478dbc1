"""The one comment on a pull request, updated with every run.

https://docs.github.com/en/rest/issues/comments; a pull request's conversation is that of an issue.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.errors import UsageError
from verigate.integrations.ci.github_event import Event, read_event
from verigate.integrations.ci.github_verify import MARK

PER_PAGE = 100
MOST_PAGES = 100
"""Pages of comments to search, 10,000 comments."""

_TIMEOUT_S = 30
_MOST_BYTES = 32 * 1024 * 1024
_HINTS = {
    401: "the token is not valid",
    403: "give the job `permissions: pull-requests: write`",
    404: "give the job `permissions: pull-requests: write`",
}


class Refused(Exception):  # noqa: N818 - the answer of the API, of which a notice is made
    """The API could not be reached or refused."""


class Conversation(Struct, frozen=True):
    """The comments of one pull request. ``url`` is that of the repository in the API; ``author`` the login of ours."""

    url: str
    number: int
    token: str
    author: str

    def put(self, body: str) -> str:
        """Write ``body`` into our comment or a new one; return which of both. Raises Refused.

        Ours is the first that has MARK as its first line and was written by ``author``: somebody else could change a
        comment of their own.
        """
        mine = next((comment for comment in self._comments() if self._is_mine(comment)), None)
        if mine is None:
            self._call("POST", f"/issues/{self.number}/comments", {"body": body})
            return "created"
        self._call("PATCH", f"/issues/comments/{int(mine['id'])}", {"body": body})
        return "updated"

    def _comments(self) -> Iterator[Mapping[str, Any]]:
        for page in range(1, MOST_PAGES + 1):
            found = self._call("GET", f"/issues/{self.number}/comments?per_page={PER_PAGE}&page={page}")
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

    def _call(self, method: str, path: str, document: Mapping[str, str] | None = None) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked where the address is read
            self.url + path,
            data=None if document is None else json.dumps(document).encode(),
            method=method,
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
                "User-Agent": "verigate",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        try:
            with _build_opener().open(request, timeout=_TIMEOUT_S) as answer:
                return json.loads(answer.read(_MOST_BYTES))
        except urllib.error.HTTPError as problem:
            problem.close()
            hint = _HINTS.get(problem.code, "see https://www.githubstatus.com")
            raise Refused(f"the API answered {problem.code} to {method}; {hint}") from None
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise Refused(f"can't reach the API: {type(problem).__name__}") from None


def write_comment(environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Put the Markdown report of this run on the pull request; return 0, also if that is refused, with a notice.

    Takes INPUT_REPORTS, INPUT_TOKEN and INPUT_COMMENT_AUTHOR. Raises UsageError where the event can't be read.
    """
    event = read_event(environ)
    if event.number is None:
        return 0
    conversation = Conversation(
        f"{_read_api_url(environ)}/repos/{environ['GITHUB_REPOSITORY']}",
        event.number,
        environ.get("INPUT_TOKEN", ""),
        environ.get("INPUT_COMMENT_AUTHOR", ""),
    )
    body = Path(environ["INPUT_REPORTS"], "gate.md").read_text("utf-8")
    try:
        say(f"gate: the comment is {conversation.put(body + _link_run(environ, event))}")
    except Refused as refused:
        say(f"::notice title=gate::no comment: {refused}. The verdict is the same, and the job summary has the report.")
    return 0


def _read_api_url(environ: Mapping[str, str]) -> str:
    url = environ.get("GITHUB_API_URL", "").rstrip("/")
    if not url.startswith(("https://", "http://")):
        raise UsageError(f"{url!a} is not the address of an API", where="GITHUB_API_URL", hint="the runner sets it")
    return url


def _build_opener() -> urllib.request.OpenerDirector:
    """Build an opener that follows no redirection: the token goes to no other host."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _link_run(environ: Mapping[str, str], event: Event) -> str:
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (environ[name] for name in names)
    commit = event.text("pull_request", "head", "sha") or ""
    return f"\n[Run {run}]({server}/{repository}/actions/runs/{run}) {commit}\n"
