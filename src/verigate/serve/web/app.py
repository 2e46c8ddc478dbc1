"""The application: addresses, errors as pages, and what starts and ends with the server."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from verigate.domain.engine import AGENT_TOKEN, AGENT_URL
from verigate.errors import EvidenceError, UsageError
from verigate.reporting.html.style import STYLE
from verigate.serve.live.runs import GateRun, GateRuns
from verigate.serve.task_page.artifact import NotThereError
from verigate.serve.web import gate_pages, task_pages
from verigate.serve.web.adapter_listings import AdapterListings
from verigate.serve.web.address_names import register_names
from verigate.serve.web.api.app import make_api
from verigate.serve.web.changes import Refused
from verigate.serve.web.event_stream import send_events
from verigate.serve.web.false_block_form import NotTakenError, send_false_block
from verigate.serve.web.gatekeeper import Gatekeeper
from verigate.serve.web.problems import PREFIX
from verigate.serve.web.rendering import load_templates
from verigate.serve.web.site import Missing, Site, answer, site_of

_CLOSE = {"connection": "close"}
_STATIC = {"htmx.min.js": "text/javascript", "live.js": "text/javascript", "icon.png": "image/png"}


def make_app(site: Site) -> Starlette:
    """Make the application of a site. Its look at task folders begins and ends with it."""
    register_names()
    listings = AdapterListings(site.gate, site.environ)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        site.runs = GateRuns(site.gate, site.environ, site.events, partial(_lend_token, site))
        load_templates()
        site.watcher.start()
        try:
            yield
        finally:
            await site.runs.end_all()
            site.watcher.stop()
            site.clean()
            if site.pushed is not None:
                site.pushed.close()

    app = Starlette(
        routes=[
            Route("/", _go_to_tasks),
            Route("/login", _log_in),
            Route("/events", send_events),
            Route("/static/{name}", _send_static),
            *_page("/tasks", task_pages.show_tasks),
            *_page("/history", gate_pages.show_history),
            *_page("/adapters/{repository:name}", gate_pages.make_adapters_page(listings)),
            *_page("/doctor/{repository:name}", gate_pages.show_doctor),
            Route("/doctor/{repository:name}", gate_pages.examine, methods=["POST"]),
            *_page("/runs/{run:name}", task_pages.show_run),
            *_page("/t/{repository:name}/{task:name}", task_pages.show_task),
            Route("/t/{repository:name}/{task:name}/verify", task_pages.verify_task, methods=["POST"]),
            Route("/t/{repository:name}/{task:name}/false-block", send_false_block, methods=["POST"]),
            Route("/t/{repository:name}/{task:name}/artifact/{path:path}", task_pages.show_artifact),
            Route("/t/{repository:name}/{task:name}/raw/{path:path}", task_pages.send_artifact),
            Mount(PREFIX, make_api(site, listings)),
        ],
        middleware=[Middleware(Gatekeeper, access=site.access)],
        exception_handlers={
            Missing: _handler(404, "Not found"),
            NotThereError: _handler(404, "Not found"),
            Refused: _handler(403, "Refused"),
            ClientDisconnect: _show_unfinished,
            NotTakenError: _handler(400, "Not taken"),
            EvidenceError: _handler(409, "The seal is broken"),
            UsageError: _handler(503, "Not now"),
            # The next look at the task folders makes it again.
            sqlite3.Error: _handler(503, "The index can't be read"),
            HTTPException: _show_http_error,
            Exception: _show_fault,
        },
        lifespan=lifespan,
    )
    app.state.site = site
    return app


@contextlib.contextmanager
def _lend_token(site: Site, run: GateRun) -> Iterator[Mapping[str, str]]:
    """Let the agents of a verification read its task, until it has ended. An engine gets it if it declares that."""
    tokens = site.access.tokens
    if tokens is None or run.kind != "verify":
        yield {}
        return
    token, path = tokens.issue(run.repository, run.task_id)
    try:
        yield {AGENT_URL: f"{site.access.local_address}{path}", AGENT_TOKEN: token}
    finally:
        tokens.revoke(token)


def _page(path: str, endpoint: Callable[[Request], Any]) -> Iterator[Route]:
    yield Route(path, endpoint)
    yield Route(f"{path}.json", endpoint)


def _go_to_tasks(_request: Request) -> Response:
    return RedirectResponse("/tasks", 307)


def _log_in(request: Request) -> Response:
    """Give a browser that has the token its cookie, and take the token out of the address."""
    access = site_of(request).access
    if not access.is_token(request.query_params.get("token")):
        raise Refused("this is not the token of this server; it has another one each time that it starts")
    response = RedirectResponse("/tasks", 303)
    response.set_cookie(access.cookie, access.session, httponly=True, samesite="strict", path="/")
    return response


def _send_static(request: Request) -> Response:
    name = request.path_params["name"]
    folder = files("verigate.serve") / "static"
    if name == "style.css":
        text = f"{STYLE}\n{(folder / 'serve.css').read_text('utf-8')}"
        return Response(text, media_type="text/css", headers={"cache-control": "no-cache"})
    if name not in _STATIC:
        raise Missing("there is no such file")
    return Response((folder / name).read_bytes(), media_type=_STATIC[name], headers={"cache-control": "no-cache"})


def _handler(status: int, heading: str) -> Callable[[Request, Exception], Response]:
    def show(request: Request, problem: Exception) -> Response:
        return _show_error(request, status, heading, str(problem))

    return show


def _show_unfinished(_request: Request, _problem: Exception) -> Response:
    """Answer a request whose body did not come; nobody may be there any more to read that."""
    return PlainTextResponse("the body of the request did not come whole, and in time\n", 408, _CLOSE)


def _show_http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)  # noqa: S101 - it is the handler of that
    shown = _show_error(request, problem.status_code, str(problem.detail), "There is nothing to show here.")
    for name, value in (problem.headers or {}).items():
        shown.headers[name] = value
    return shown


def _show_error(request: Request, status: int, heading: str, text: str) -> Response:
    page = {"status": status, "error": text}
    return answer(request, "error.html", page, title=heading, status=status, heading=heading, text=text)


def _show_fault(_request: Request, problem: Exception) -> Response:
    """Say that something is wrong here, and nothing of what: that goes to the server's own output."""
    return PlainTextResponse(f"internal error: {type(problem).__name__}\n", 500)
