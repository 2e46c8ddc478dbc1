"""Send a task to a server: one request of HTTP, without redirections, whose token goes nowhere else."""

from __future__ import annotations

import http.client
import ipaddress
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import quote, urlsplit

from verigate.errors import EvidenceError, ExecutionError, UsageError

_TIMEOUT_S = 120
_MOST_BYTES = 1024 * 1024


def check_address(url: str) -> str:
    """Return the address of a server, without a slash at its end. Raises UsageError where the token could be read."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as problem:
        raise UsageError(f"this is not an address: {problem}", where=url) from problem
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment or parts.username:
        hint = "name the server as https://HOST"
        raise UsageError("this is not the address of a server", where=url, hint=hint)
    if parts.scheme == "http" and not _is_loopback(host):
        hint = "put a server that speaks TLS in front of it, and name it with https://"
        raise UsageError("the token would be sent without encryption", where=url, hint=hint)
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def send_task(url: str, token: str, task_id: str, archive: bytes) -> dict[str, Any]:
    """Send an archive; return what the server answers.

    Raises EvidenceError if the server refuses the task, ExecutionError if it can't be reached or gives no answer.
    """
    request = urllib.request.Request(  # noqa: S310 - check_address has looked at the scheme
        f"{url}/api/v1/pushed/{quote(task_id, safe='')}",
        data=archive,
        method="PUT",
        headers={
            "Accept": "application/json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-tar",
            "User-Agent": "verigate",
        },
    )
    try:
        with _build_opener(url).open(request, timeout=_TIMEOUT_S) as answer:
            found = json.loads(answer.read(_MOST_BYTES))
    except urllib.error.HTTPError as problem:
        with problem:
            raise _read_refusal(problem, url) from None
    except (OSError, http.client.HTTPException, ValueError) as problem:
        reason = getattr(problem, "reason", problem)
        hint = "check the address, and that `gate serve` runs there"
        raise ExecutionError(f"the server gives no answer: {reason}", where=url, hint=hint) from problem
    if not isinstance(found, dict) or not isinstance(found.get("href"), str):
        raise ExecutionError("this is no answer of `gate serve`", where=url, hint="check the address")
    return found


def _read_refusal(problem: urllib.error.HTTPError, url: str) -> EvidenceError | ExecutionError:
    try:
        document = json.loads(problem.read(_MOST_BYTES))
        message, hint = str(document["detail"]), str(document.get("hint") or "")
    except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError, AttributeError):
        where = f"{url} answers {problem.code}"
        return ExecutionError("this is no answer of `gate serve`", where=where, hint="check the address")
    return EvidenceError(f"not pushed: {message}", where=f"{url} answers {problem.code}", hint=hint or None)


def _build_opener(url: str) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    loopback = _is_loopback(urlsplit(url).hostname or "")
    for handler in (
        urllib.request.ProxyHandler({} if loopback else None),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
