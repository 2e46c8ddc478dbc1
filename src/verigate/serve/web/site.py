"""What every page function needs, and what every page shows around its own content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from verigate import __version__
from verigate.serve.index.refresh import IndexRefresher
from verigate.serve.installed_adapters import InstalledAdapters
from verigate.serve.live.events import EventLog
from verigate.serve.live.runs import GateRuns
from verigate.serve.live.watch import Watcher
from verigate.serve.pushed import PushedTasks
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.access import Access
from verigate.serve.web.rendering import encode_page, render_page


class Site(Struct):
    """The parts of one server. ``gate`` starts the gate's own commands, as an argument vector.

    ``pushed`` takes tasks that are pushed, ``installed`` adapters, if any are. ``clean`` removes what the server
    doesn't keep. ``runs`` is made when the server starts, in its event loop.
    """

    access: Access
    environ: Mapping[str, str]
    gate: tuple[str, ...]
    events: EventLog
    refresher: IndexRefresher
    watcher: Watcher
    pushed: PushedTasks | None
    installed: InstalledAdapters | None
    clean: Callable[[], object]
    runs: GateRuns | None = None

    @property
    def gate_runs(self) -> GateRuns:
        """The runs; the server has started."""
        if self.runs is None:
            raise RuntimeError("the server has not started")
        return self.runs

    @property
    def repository_names(self) -> tuple[str, ...]:
        """The names of the repositories that are served now."""
        return tuple(repository.name for repository in self.watcher.repositories)

    @property
    def working_names(self) -> tuple[str, ...]:
        """The names of those that commands can run in."""
        return tuple(repository.name for repository in self.watcher.repositories if not repository.pushed)


class Missing(Exception):  # noqa: N818 - an answer of HTTP, by its name there
    """There is nothing at this address; the message says what is missing."""


def site_of(request: Request) -> Site:
    """Return the site that a request is answered by."""
    found: Site = request.app.state.site
    return found


def find_repository(request: Request) -> ServedRepository:
    """Return the repository that the address names. Raises Missing."""
    name = request.path_params["repository"]
    found = site_of(request).watcher.find_repository(name)
    if found is None:
        raise Missing(f"no repository is called {name}")
    return found


def find_working_repository(request: Request) -> ServedRepository:
    """Return the repository that the address names, in which a command can run. Raises Missing."""
    repository = find_repository(request)
    if repository.pushed:
        raise Missing(f"the tasks of {repository.name} were pushed: nothing else of it is here, and nothing can run")
    return repository


class _Around(Struct, frozen=True):
    """What is around each page's content."""

    version: str
    read_only: bool
    can_change: bool
    form_token: str
    links: tuple[tuple[str, str], ...]


def answer(
    request: Request,
    template: str,
    page: Any,
    *,
    title: str,
    here: str = "",
    about: str = "",
    watched: str = "",
    after: str = "",
    status: int = 200,
    json_page: Any = None,
    **more: Any,
) -> Response:
    """Answer with a page: as JSON if the address ends in ``.json``, else as HTML.

    ``about`` is the topic of events that the open page follows, from the event ``after`` on: one from before the page
    was read, so that nothing is missed.
    """
    if request.url.path.endswith(".json") and request.scope.get("as_json", True):
        body = encode_page(page if json_page is None else json_page)
        return Response(body, status, media_type="application/json")
    site = site_of(request)
    can_change = bool(request.scope.get("session")) and not site.access.read_only
    first = next(iter(site.working_names), "")
    links = [("tasks", "/tasks"), ("history", "/history")]
    links += [("adapters", f"/adapters/{first}"), ("doctor", f"/doctor/{first}")] if first else []
    around = _Around(
        __version__, site.access.read_only, can_change, site.access.form_token if can_change else "", tuple(links)
    )
    query = f"?{request.url.query}" if request.url.query else ""
    has_json = status == 200
    content = render_page(
        template,
        page=page,
        site=around,
        title=title,
        here=here,
        about=about,
        watched=watched,
        after=after,
        json_href=f"{request.url.path}.json{query}" if has_json else "",
        **more,
    )
    return Response(content, status, media_type="text/html; charset=utf-8")
