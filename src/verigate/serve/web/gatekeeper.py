"""Let in what a server answers at all, and put on each answer what browsers are to hold it to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verigate.serve.web.access import Access
from verigate.serve.web.problems import PREFIX, make_problem

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy (CSP Level 3) of pages: what is served here, and nothing inline."""

RAW_POLICY = "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""That of artifacts: whatever they turn out to be, nothing in them runs, loads or is sent."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With no-referrer browsers send ``Origin: null`` with forms, by which nobody could tell them from another site's.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
BODY_S, UPLOAD_S = 30.0, 330.0
"""Seconds in which the body of a request has to be there; an archive has its own limits, which are shorter."""

_UPLOAD = "application/x-tar"
_OPEN = ("/login", "/static/")


class Gatekeeper:
    """The outermost part of the application. An answer's own headers come before HEADERS."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if not self._access.allows_host(hosts[0] if len(hosts) == 1 else None):
            text = "this server has another name; see --name in docs/serve.md"
            await _refuse(scope["path"], 421, text)(scope, receive, send_guarded)
            return
        receive = _bound(receive, _longest(headers))
        cookie = cookie_parser(headers.get("cookie", "")).get(self._access.cookie)
        scope["session"] = self._access.is_session(cookie, headers.get("authorization"))
        grant = self._access.find_grant(headers.get("authorization"))
        if grant is not None and not grant.allows(scope["method"], scope["path"]):
            text = "the token of an agent reads its own task, and nothing else"
            await _refuse(scope["path"], 403, text)(scope, receive, send_guarded)
            return
        if (
            self._access.reads_need_token
            and grant is None
            and not scope["session"]
            and not scope["path"].startswith(_OPEN)
        ):
            text = "this needs the token: open the address that `gate serve` printed when it started"
            await _refuse(scope["path"], 401, text)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)


def _longest(headers: Headers) -> float:
    return UPLOAD_S if headers.get("content-type", "").startswith(_UPLOAD) else BODY_S


def _bound(receive: Receive, seconds: float) -> Receive:
    """Receive the body of a request as long as it comes in time; after that it is one whose sender is gone."""
    began = time.monotonic()
    whole = False

    async def receive_in_time() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout(max(0.0, began + seconds - time.monotonic())):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return receive_in_time


def _refuse(path: str, status: int, text: str) -> Response:
    headers = {"www-authenticate": "Bearer"} if status == 401 else None
    if not path.startswith(f"{PREFIX}/"):
        return PlainTextResponse(f"{text}\n", status, headers=headers)
    problem = make_problem(
        status, text, where=path, hint="programs send `Authorization: Bearer TOKEN`" if headers else ""
    )
    problem.headers.update(headers or {})
    return problem
