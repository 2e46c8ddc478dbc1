"""Errors of the API: problem details (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

from msgspec import Struct
from starlette.responses import Response

from verigate.serve.web.rendering import encode_page

PREFIX = "/api/v1"
"""The API is below this path."""


class Problem(Struct, frozen=True):
    """Why a request was not done (RFC 9457). ``where`` is the place that is meant; ``hint`` what to try, or ""."""

    title: str
    status: int
    detail: str
    where: str
    hint: str
    type: str = "about:blank"


def make_problem(status: int, detail: str, *, where: str, hint: str = "") -> Response:
    """Make the answer to a request that was not done, as ``application/problem+json``."""
    problem = Problem(HTTPStatus(status).phrase, status, detail, where, hint)
    return Response(encode_page(problem), status, media_type="application/problem+json")
