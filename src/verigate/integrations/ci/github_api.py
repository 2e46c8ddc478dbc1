"""Call GitHub's REST API for one repository."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.errors import UsageError

_TIMEOUT_S = 30
_MOST_BYTES = 32 * 1024 * 1024
_LACKS = "give the job `permissions: pull-requests: {}`"


class Refused(Exception):  # noqa: N818 - the answer of the API, of which a notice is made
    """The API could not be reached or refused."""


class GithubApi(Struct, frozen=True):
    """``url`` is that of the repository in the API. ``needs`` is what the token must do with pull requests."""

    url: str
    token: str
    needs: str = "write"

    def call(self, method: str, path: str, document: Mapping[str, str] | None = None) -> Any:
        """Return the JSON value of the answer. Raises Refused."""
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
            raise Refused(f"the API answered {problem.code} to {method}; {self._hint(problem.code)}") from None
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise Refused(f"can't reach the API: {type(problem).__name__}") from None

    def _hint(self, code: int) -> str:
        if code == 401:
            return "the token is not valid"
        return _LACKS.format(self.needs) if code in {403, 404} else "see https://www.githubstatus.com"


def read_api_url(environ: Mapping[str, str]) -> str:
    """Return the address of the API. Raises UsageError for anything else."""
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
