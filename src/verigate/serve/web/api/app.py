"""The application of the API: its addresses, and errors as problems (RFC 9457)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from verigate.errors import EvidenceError, GateError, UsageError
from verigate.serve.task_page.artifact import NotThereError
from verigate.serve.web.adapter_listings import AdapterListings
from verigate.serve.web.api.changing import list_changing
from verigate.serve.web.api.document import make_document
from verigate.serve.web.api.false_blocks import list_false_block_changing, list_false_block_reading
from verigate.serve.web.api.installing import Installing, list_installing
from verigate.serve.web.api.operations import (
    DOCUMENT,
    DeniedError,
    Operation,
    QueryError,
    RefusedError,
    answer_call,
    read_query,
)
from verigate.serve.web.api.pushing import Pushing, list_pushing
from verigate.serve.web.api.reading import Listings, list_reading
from verigate.serve.web.api.values import NoQuery
from verigate.serve.web.problems import make_problem
from verigate.serve.web.rendering import encode_page
from verigate.serve.web.site import Missing, Site

_SEE = f"{DOCUMENT} lists what can be asked"


def make_api(site: Site, listings: AdapterListings) -> Starlette:
    """Make the application of the API of a site, to be mounted at PREFIX."""
    asked = Listings(listings)
    reading = (*list_reading(asked), *list_false_block_reading())
    changing = (*list_changing(asked), *list_false_block_changing())
    pushing = tuple(list_pushing(Pushing(site.pushed)))
    installing = tuple(list_installing(Installing(site.installed)))
    taking = (*(pushing if site.pushed else ()), *(installing if site.installed else ()))
    offered = reading if site.access.read_only else (*reading, *changing, *taking)
    document = encode_page(make_document(offered, reads_need_token=site.access.reads_need_token))

    def send_document(request: Request) -> Response:
        read_query(request, NoQuery)
        return Response(document, media_type="application/json")

    paths: dict[str, dict[str, Operation]] = {}
    for operation in (*reading, *changing, *pushing, *installing):
        paths.setdefault(operation.path, {})[operation.method] = operation
    api = Starlette(
        routes=[Route("/openapi.json", send_document), *(_make_route(path, found) for path, found in paths.items())],
        exception_handlers={
            Missing: _handler(404, _SEE),
            ClientDisconnect: _show_unfinished,
            NotThereError: _handler(404, _SEE),
            EvidenceError: _handler(409, "run `gate show` on the task where it lies"),
            UsageError: _handler(503, "try again later"),
            sqlite3.Error: _handler(503, "try again: the index is made again"),
            QueryError: _show_query_error,
            RefusedError: _show_refusal,
            DeniedError: _show_denied,
            HTTPException: _show_http_error,
            Exception: _show_fault,
        },
    )
    api.state.site = site
    return api


def _make_route(path: str, by_method: dict[str, Operation]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await answer_call(by_method["GET" if request.method == "HEAD" else request.method], request)

    return Route(path, endpoint, methods=list(by_method))


def _handler(status: int, hint: str) -> Callable[[Request, Exception], Response]:
    def show(request: Request, problem: Exception) -> Response:
        if isinstance(problem, GateError):
            where = problem.where or request.url.path
            return make_problem(status, problem.message, where=where, hint=problem.hint or hint)
        return make_problem(status, str(problem), where=request.url.path, hint=hint)

    return show


def _show_query_error(request: Request, problem: Exception) -> Response:
    return make_problem(400, str(problem), where=request.url.path, hint=getattr(problem, "hint", ""))


def _show_refusal(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RefusedError)  # noqa: S101 - it is the handler of that
    return make_problem(problem.status, str(problem), where=request.url.path, hint=problem.hint)


def _show_denied(request: Request, problem: Exception) -> Response:
    status = problem.status if isinstance(problem, DeniedError) else 403
    hint = "send the token that `gate serve` printed, as `Authorization: Bearer TOKEN`" if status == 401 else ""
    shown = make_problem(status, str(problem), where=request.url.path, hint=hint)
    if status == 401:
        shown.headers["www-authenticate"] = "Bearer"
    return shown


def _show_unfinished(request: Request, _problem: Exception) -> Response:
    """Answer a request whose body did not come; nobody may be there any more to read that."""
    text = "the body of the request did not come whole, and in time"
    shown = make_problem(408, text, where=request.url.path, hint="send it again")
    shown.headers["connection"] = "close"
    return shown


def _show_http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)  # noqa: S101 - it is the handler of that
    shown = make_problem(problem.status_code, str(problem.detail), where=request.url.path, hint=_SEE)
    for name, value in (problem.headers or {}).items():
        shown.headers[name] = value
    return shown


def _show_fault(request: Request, problem: Exception) -> Response:
    """Say that something is wrong here, and nothing of what: that goes to the server's own output."""
    hint = "see the output of `gate serve`"
    return make_problem(500, f"internal error: {type(problem).__name__}", where=request.url.path, hint=hint)
