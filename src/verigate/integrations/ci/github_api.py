"""Call GitHub's REST API for one repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.errors import UsageError
from verigate.integrations.ci.rest_api import Refused, RestApi

__all__ = ["GithubApi", "Refused", "read_api_url"]

_LACKS = "give the job `permissions: pull-requests: {}`"


class GithubApi(Struct, frozen=True):
    """``url`` is that of the repository in the API. ``needs`` is what the token must do with pull requests."""

    url: str
    token: str
    needs: str = "write"

    def call(self, method: str, path: str, document: Mapping[str, str] | None = None) -> Any:
        """Return the JSON value of the answer. Raises Refused."""
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        return RestApi(self.url, headers, _LACKS.format(self.needs)).call(method, path, document)


def read_api_url(environ: Mapping[str, str]) -> str:
    """Return the address of the API. Raises UsageError for anything else."""
    url = environ.get("GITHUB_API_URL", "").rstrip("/")
    if not url.startswith(("https://", "http://")):
        raise UsageError(f"{url!a} is not the address of an API", where="GITHUB_API_URL", hint="the runner sets it")
    return url
