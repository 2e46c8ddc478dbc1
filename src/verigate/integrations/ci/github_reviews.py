"""Read the reviews of the pull request of a job of GitHub Actions, for ``gate verify --reviews``.

They come from the API, by the job's token. The event has no list of them, and what a job ran before this can write its
file. https://docs.github.com/en/rest/pulls/reviews
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

from verigate.domain.review import REVIEWS_SCHEMA
from verigate.errors import GateError, UsageError
from verigate.integrations.ci.base import find_proposed
from verigate.integrations.ci.change import read_change
from verigate.integrations.ci.github_api import GithubApi, Refused, read_api_url
from verigate.integrations.ci.github_event import read_event
from verigate.integrations.ci.history import History

PER_PAGE = 100
MOST_PAGES = 20
"""Pages of reviews to read, 2,000 reviews."""


def read_reviews(environ: Mapping[str, str], folder: Path) -> str:
    """Return the reviews as JSON (``domain.review.Reviews``); "" for a job without a pull request.

    ``folder`` is the clone whose HEAD the job verifies. Raises UsageError where they can't be read.
    """
    if not environ.get("GITHUB_ACTIONS"):
        raise UsageError("only jobs of GitHub Actions have reviews", where="reviews", hint="leave --reviews out")
    event = read_event(environ)
    if event.number is None:
        return ""
    api = GithubApi(
        f"{read_api_url(environ)}/repos/{environ.get('GITHUB_REPOSITORY', '')}", environ.get("GITHUB_TOKEN", ""), "read"
    )
    history = History(folder, environ)
    commit = history.commit("HEAD")
    try:
        author = _login(api.call("GET", f"/pulls/{event.number}"))
        reviews = [each for each in map(_describe, _list(api, event.number)) if each is not None]
    except Refused as refused:
        raise UsageError(f"the reviews can't be read: {refused}", where="reviews") from None
    return json.dumps(
        {
            "schema": REVIEWS_SCHEMA,
            "forge": urlsplit(environ.get("GITHUB_SERVER_URL", "https://github.com")).hostname or "github.com",
            "pull_request": event.number,
            "commit": commit,
            "head": find_proposed(read_change(environ), history) or commit,
            "author": author or "",
            "reviews": reviews,
        }
    )


def write_reviews(environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Write the reviews for the step that verifies, if INPUT_REVIEWS is true; return 0, also if they can't be read.

    Without them less is approved, so that is a warning. The output ``file`` is their file, empty without any. Raises
    UsageError where INPUT_REVIEWS is neither true nor false.
    """
    wanted, file = environ.get("INPUT_REVIEWS", ""), ""
    if wanted not in {"true", "false"}:
        raise UsageError(f"{wanted!a} is neither true nor false", where="reviews", hint="write true or false")
    if wanted == "true":
        root = Path(environ["GITHUB_WORKSPACE"], environ.get("INPUT_WORKING_DIRECTORY") or ".")
        try:
            content = read_reviews(environ, root)
        except GateError as problem:
            content = ""
            said = str(problem.faults[0]).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            say(f"::warning title=gate::no review approves: {said}")
        if content:
            made = Path(mkdtemp(prefix="verigate-reviews-", dir=environ["RUNNER_TEMP"]), "reviews.json")
            made.write_text(content, "utf-8")
            file = str(made)
    with Path(environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as output:
        output.write(f"file={file}\n")
    return 0


def _list(api: GithubApi, number: int) -> Iterator[Any]:
    """List the reviews, the oldest first. Raises Refused, also for more than can be read: the last ones count."""
    for page in range(1, MOST_PAGES + 1):
        found = api.call("GET", f"/pulls/{number}/reviews?per_page={PER_PAGE}&page={page}")
        if not isinstance(found, list):
            raise Refused("the API's answer is not a list of reviews")
        yield from found
        if len(found) < PER_PAGE:
            return
    raise Refused(f"there are more than {PER_PAGE * MOST_PAGES} reviews")


def _describe(review: Any) -> dict[str, str] | None:
    """Return a review by a person; None for one by a bot or without a commit."""
    if not isinstance(review, dict):
        return None
    login, user = _login(review), review.get("user")
    wanted = {"state": "state", "commit": "commit_id", "submitted": "submitted_at"}
    found: dict[str, Any] = {name: review.get(key) for name, key in wanted.items()}
    if login is None or not isinstance(user, dict) or user.get("type") != "User":
        return None
    return {"login": login, **found} if all(isinstance(value, str) for value in found.values()) else None


def _login(document: Any) -> str | None:
    user = document.get("user") if isinstance(document, dict) else None
    login = user.get("login") if isinstance(user, dict) else None
    return login if isinstance(login, str) else None
