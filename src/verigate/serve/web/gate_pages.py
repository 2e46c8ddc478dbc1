"""What other commands of the gate say: history of all tasks, adapters and engines, doctor."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from verigate.reporting.reasons import REASONS
from verigate.serve.false_blocks import FalseBlockList, list_false_blocks
from verigate.serve.index.history import History, read_history
from verigate.serve.live.runs import GateRun
from verigate.serve.live.watch import TASKS
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.adapter_listings import AdapterListings, read_error
from verigate.serve.web.changes import check_change
from verigate.serve.web.site import Missing, Site, answer, find_working_repository, site_of


class HistoryPage(Struct, frozen=True):
    """The history of one repository, or of all where ``repository`` is empty; ``meanings`` by reason code."""

    repository: str
    repositories: tuple[str, ...]
    history: History
    meanings: Mapping[str, str]
    false_blocks: FalseBlockList


class DoctorRow(Struct, frozen=True):
    """A finding of the doctor."""

    code: str
    level: str
    message: str
    hint: str


class DoctorPage(Struct, frozen=True):
    """What the doctor found last. ``state`` is none, or that of its run, which is at ``run_href``."""

    repository: str
    repositories: tuple[str, ...]
    state: str
    run_href: str = ""
    problem: str = ""
    level: str = ""
    checks: tuple[DoctorRow, ...] = ()


def show_history(request: Request) -> Response:
    """Show what all tasks show together."""
    site = site_of(request)
    after = site.events.last_id
    page = build_history_page(site, request.query_params.get("repository", ""))
    return answer(request, "history.html", page, title="History", here="history", about=TASKS, after=after)


def build_history_page(site: Site, name: str) -> HistoryPage:
    """Read the history of the repository of this name, of all if it is empty. Raises Missing."""
    reported = list_reported(site, name)
    with site.refresher.index.reading() as connection:
        history = read_history(connection, name or None)
    meanings = {
        code: REASONS[code].meaning.replace("`", "")
        for code in (*(each.code for each in history.reasons), *(code for code, _ in reported.codes))
        if code in REASONS
    }
    return HistoryPage(name, site.repository_names, history, meanings, reported)


def list_reported(site: Site, name: str) -> FalseBlockList:
    """List the false blocks that were reported of one repository, of all if the name is empty. Raises Missing."""
    repositories = site.watcher.repositories
    if name:
        repositories = tuple(each for each in repositories if each.name == name)
        if not repositories:
            raise Missing(f"no repository is called {name[:100]}")
    return list_false_blocks(repositories, site.environ)


def make_adapters_page(listings: AdapterListings) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Make the function that shows adapters and engines."""

    async def show_adapters(request: Request) -> Response:
        repository = find_working_repository(request)
        page = await listings.find(repository, site_of(request).working_names)
        return answer(request, "adapters.html", page, title=f"Adapters of {repository.name}", here="adapters")

    return show_adapters


def show_doctor(request: Request) -> Response:
    """Show what the doctor found last; nothing is asked by reading."""
    site, repository = site_of(request), find_working_repository(request)
    after = site.events.last_id
    page, run = build_doctor_page(site, repository)
    about = run.about if run is not None and run.state != "ended" else ""
    return answer(
        request, "doctor.html", page, title=f"Doctor: {repository.name}", here="doctor", about=about, after=after
    )


def build_doctor_page(site: Site, repository: ServedRepository) -> tuple[DoctorPage, GateRun | None]:
    """Return what the doctor found last, and the run that found it, if there is one."""
    run = site.gate_runs.latest("doctor", repository.name)
    page = DoctorPage(repository.name, site.working_names, "none")
    if run is None:
        return page, None
    page = replace(page, state=run.state, run_href=f"/runs/{run.id}", problem=run.problem)
    return (_read_doctor(page, run.output) if run.state == "ended" and not run.problem else page), run


def _read_doctor(page: DoctorPage, output: str) -> DoctorPage:
    try:
        document = json.loads(output)
        if "checks" not in document:
            return replace(page, problem=read_error(document))
        rows = tuple(
            DoctorRow(str(item["code"]), str(item["level"]), str(item["message"]), str(item["hint"]))
            for item in document["checks"]
        )
        return replace(page, level=str(document["level"]), checks=rows)
    except (AttributeError, LookupError, TypeError, ValueError) as problem:
        return replace(page, problem=f"gate doctor gave no answer: {problem}")


async def examine(request: Request) -> Response:
    """Ask the doctor about a repository."""
    await check_change(request)
    run = start_doctor(site_of(request), find_working_repository(request))
    return RedirectResponse(f"/runs/{run.id}", 303)


def start_doctor(site: Site, repository: ServedRepository) -> GateRun:
    """Start the doctor about a repository, or return its run that hasn't ended. Raises UsageError if too many wait."""
    return site.gate_runs.start("doctor", repository, ("doctor", "--json"))
