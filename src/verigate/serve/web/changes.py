"""Requests that change something."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from verigate.serve.web.site import site_of

_LONGEST_FORM = 30_000
_MOST_FIELDS = 250


class Refused(Exception):  # noqa: N818 - an answer of HTTP, by its name there
    """A request may change nothing here; the message says why."""


async def check_change(request: Request) -> dict[str, list[str]]:
    """Return the form of a request that may change something. Raises Refused for any other."""
    access = site_of(request).access
    form = await _read_form(request)
    cookie = request.cookies.get(access.cookie)
    if (why := access.refuse_change(request.headers, cookie, next(iter(form.get("form_token", ())), None))) is not None:
        raise Refused(why)
    return form


async def _read_form(request: Request) -> dict[str, list[str]]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_FORM:
            raise Refused("the form is too long")
    try:
        return parse_qs(body.decode("utf-8", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError as problem:
        raise Refused(f"the form has more than {_MOST_FIELDS} fields") from problem
