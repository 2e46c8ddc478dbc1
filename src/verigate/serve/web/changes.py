"""Requests that change something."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from verigate.serve.web.site import site_of

_LONGEST_FORM = 10_000


class Refused(Exception):  # noqa: N818 - an answer of HTTP, by its name there
    """A request may change nothing here; the message says why."""


async def check_change(request: Request) -> None:
    """Raise Refused unless a request may change something."""
    access = site_of(request).access
    form = await _read_form(request)
    cookie = request.cookies.get(access.cookie)
    if (why := access.refuse_change(request.headers, cookie, form.get("form_token"))) is not None:
        raise Refused(why)


async def _read_form(request: Request) -> dict[str, str]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_FORM:
            raise Refused("the form is too long")
    fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=20)
    return {name: values[0] for name, values in fields.items()}
