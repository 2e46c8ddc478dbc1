"""Find the pull request of a CI job, and what its comments are written with.

The token is only read from the environment and only sent to a host that is known or was named on the command line: what
ran before in a job may have set the variable with the API's address.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlsplit

from msgspec import Struct

from verigate.errors import UsageError
from verigate.integrations.ci.comment import Conversation
from verigate.integrations.ci.forges import IssueComments, MergeRequestNotes
from verigate.integrations.ci.github_api import read_api_url
from verigate.integrations.ci.github_event import Event, read_event
from verigate.integrations.ci.rest_api import Refused, RestApi

KNOWN = ("https://api.github.com", "https://gitlab.com", "https://codeberg.org", "https://gitea.com")
"""Where a token may go without being named."""

_GITHUB_LACKS = "give the job `permissions: pull-requests: write`"
_GITEA_LACKS = "the token needs the scope `write:issue`"
_GITLAB_LACKS = "the token needs the scope `api` and the role Reporter; CI_JOB_TOKEN can't write notes"
_OF_FORGE = {"GITEA_ACTIONS": "gitea-actions", "FORGEJO_ACTIONS": "forgejo-actions"}
"""The variable that a runner sets, and the login that the token of its jobs writes as."""


class Place(Struct, frozen=True):
    """Where the comment of a job belongs, and the last line of it."""

    conversation: Conversation
    link: str


def find_place(environ: Mapping[str, str], hosts: Sequence[str], author: str = "") -> Place | None:
    """Return the place of the comment; None for a job without a pull request.

    ``hosts`` may get the token besides KNOWN: ``HOST``, ``HOST:PORT`` or an origin. ``author`` is the token's login, ""
    for that of the job's own token, and on GitLab for the one that the API names. Raises UsageError, and Refused.
    """
    allowed = {*KNOWN, *(host if "://" in host else f"https://{host}" for host in hosts)}
    if environ.get("GITHUB_ACTIONS"):
        return _find_on_github(environ, allowed, author)
    if environ.get("GITLAB_CI"):
        return _find_on_gitlab(environ, allowed, author)
    hint = "run it in a job of GitHub, GitLab, Gitea or Forgejo"
    raise UsageError("this is no job of a forge that is known", where="comment", hint=hint)


def _find_on_github(environ: Mapping[str, str], allowed: set[str], author: str) -> Place | None:
    event = read_event(environ)
    if event.number is None:
        return None
    own = next((login for name, login in _OF_FORGE.items() if environ.get(name)), None)
    token = _read_token(environ, "GITHUB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN")
    url = _allow(read_api_url(environ), allowed, "GITHUB_API_URL")
    headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}
    if own is None:
        headers |= {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
    repository = quote(environ.get("GITHUB_REPOSITORY", ""))
    api = RestApi(f"{url}/repos/{repository}", headers, _GITHUB_LACKS if own is None else _GITEA_LACKS)
    comments = IssueComments(api, event.number, short_is_last=own is None)
    conversation = Conversation(comments, author or own or "github-actions[bot]")
    return Place(
        conversation, _link_github_run(environ, event, "GITHUB_RUN_ID" if own is None else "GITHUB_RUN_NUMBER")
    )


def _link_github_run(environ: Mapping[str, str], event: Event, number: str) -> str:
    server, repository = (environ.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"))
    # What a page of Gitea's is called by is the number, and of GitHub's the id.
    run, address = environ.get("GITHUB_RUN_ID", ""), environ.get(number, "")
    commit = event.text("pull_request", "head", "sha") or ""
    return f"[Run {run}]({server}/{repository}/actions/runs/{address}) {commit}"


def _find_on_gitlab(environ: Mapping[str, str], allowed: set[str], author: str) -> Place | None:
    # https://docs.gitlab.com/ci/variables/predefined_variables/
    request = environ.get("CI_MERGE_REQUEST_IID", "")
    if not request.isdecimal():
        return None
    url = _allow(environ.get("CI_API_V4_URL", "").rstrip("/"), allowed, "CI_API_V4_URL")
    headers = {"PRIVATE-TOKEN": _read_token(environ, "GITLAB_TOKEN")}
    login = author or _ask_login(RestApi(url, headers, _GITLAB_LACKS))
    project = quote(environ.get("CI_PROJECT_ID", ""), safe="")
    api = RestApi(f"{url}/projects/{project}/merge_requests/{request}", headers, _GITLAB_LACKS)
    commit = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or environ.get("CI_COMMIT_SHA", "")
    link = f"[Pipeline {environ.get('CI_PIPELINE_ID', '')}]({environ.get('CI_PIPELINE_URL', '')}) {commit}"
    return Place(Conversation(MergeRequestNotes(api), login), link)


def _ask_login(api: RestApi) -> str:
    found = api.call("GET", "/user")
    login = found.get("username") if isinstance(found, dict) else None
    if not isinstance(login, str):
        raise Refused("the API doesn't say whose token this is")
    return login


def _read_token(environ: Mapping[str, str], *names: str) -> str:
    wanted = ("GATE_COMMENT_TOKEN", *names)
    token = next((environ[name] for name in wanted if environ.get(name)), "")
    if not token or not token.isprintable() or not token.isascii():
        raise Refused(f"there is no token in {', '.join(wanted)}")
    return token


def _allow(url: str, allowed: set[str], where: str) -> str:
    """Return the address of an API if its origin may get the token."""
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    if origin not in allowed or "@" in parts.netloc:
        hint = f"name it, if it is yours: --host {origin if parts.scheme == 'http' else parts.netloc or 'HOST'}"
        raise UsageError(f"the token isn't sent to {origin!a}, which isn't known", where=where, hint=hint)
    return url
