"""Call the REST API of a forge with JSON."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_TIMEOUT_S = 30
_MOST_BYTES = 32 * 1024 * 1024


class Refused(Exception):  # noqa: N818 - the answer of the API, of which a notice is made
    """The API could not be reached or refused. ``status`` is that of its answer, None without one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class RestApi(Struct, frozen=True):
    """``url`` is what paths are added to. ``lacks`` says what a token needs that may not do something.

    ``headers`` hold the token: no message shows them.
    """

    url: str
    headers: Mapping[str, str]
    lacks: str

    def call(self, method: str, path: str, document: Mapping[str, str] | None = None) -> Any:
        """Return the JSON value of the answer, None for an empty one. Raises Refused."""
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked where the address is read
            self.url + path,
            data=None if document is None else json.dumps(document).encode(),
            method=method,
            headers={"Content-Type": "application/json", "User-Agent": "verigate", **self.headers},
        )
        try:
            with _build_opener(self.url).open(request, timeout=_TIMEOUT_S) as answer:
                text = answer.read(_MOST_BYTES)
                return json.loads(text) if text else None
        except urllib.error.HTTPError as problem:
            problem.close()
            said = f"the API answered {problem.code} to {method}; {self._hint(problem.code)}"
            raise Refused(said, problem.code) from None
        except (OSError, http.client.HTTPException, RecursionError, ValueError) as problem:
            raise Refused(f"can't reach the API: {type(problem).__name__}") from None

    def _hint(self, code: int) -> str:
        if code == 401:
            return "the token is not valid"
        return self.lacks if code in {403, 404} else "try again later, or see the status page of the forge"


def _build_opener(url: str) -> urllib.request.OpenerDirector:
    """Build an opener that follows no redirection, and asks no proxy without TLS: the token goes to no other host."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler() if url.startswith("https://") else urllib.request.ProxyHandler({}),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
