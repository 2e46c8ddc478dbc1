"""What other commands of the gate say: history of all tasks, adapters and engines, doctor."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from verigate.errors import GateError
from verigate.integrations.mcp.gate_call import call_gate
from verigate.reporting.reasons import REASONS
from verigate.serve.index.history import History, read_history
from verigate.serve.live.watch import TASKS
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.changes import check_change
from verigate.serve.web.rendering import name_moment
from verigate.serve.web.site import Missing, Site, answer, find_repository, site_of

_KEPT_S = 30.0
"""How long what `gate adapters` said is shown."""


class HistoryPage(Struct, frozen=True):
    """The history of one repository, or of all where ``repository`` is empty; ``meanings`` by reason code."""

    repository: str
    repositories: tuple[str, ...]
    history: History
    meanings: Mapping[str, str]


class CapabilityRow(Struct, frozen=True):
    """A capability, the adapter that serves it, and those that could."""

    name: str
    served_by: str
    origin: str
    shadowed: tuple[str, ...]


class AdapterRow(Struct, frozen=True):
    """An adapter; ``flags`` are what its manifest asks of the sandbox."""

    name: str
    version: str
    description: str
    origin: str
    folder: str
    digest: str
    capabilities: tuple[str, ...]
    flags: tuple[str, ...]


class EngineRow(Struct, frozen=True):
    """An engine of verifiers, and the capability flags that it declares or that are derived."""

    name: str
    label: str
    origin: str
    flags: tuple[str, ...]


class AdaptersPage(Struct, frozen=True):
    """The adapters and engines of a repository. ``asked`` is when the gate was asked."""

    repository: str
    repositories: tuple[str, ...]
    asked: str
    problem: str
    warnings: tuple[str, ...] = ()
    capabilities: tuple[CapabilityRow, ...] = ()
    adapters: tuple[AdapterRow, ...] = ()
    engines: tuple[EngineRow, ...] = ()


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
    run_href: str
    problem: str
    level: str
    checks: tuple[DoctorRow, ...]


def show_history(request: Request) -> Response:
    """Show what all tasks show together."""
    site = site_of(request)
    after = site.events.last_id
    name = request.query_params.get("repository", "")
    if name and site.watcher.find_repository(name) is None:
        raise Missing(f"no repository is called {name[:100]}")
    with site.refresher.index.reading() as connection:
        history = read_history(connection, name or None)
    meanings = {
        reason.code: REASONS[reason.code].meaning.replace("`", "")
        for reason in history.reasons
        if reason.code in REASONS
    }
    page = HistoryPage(name, _names(site), history, meanings)
    return answer(request, "history.html", page, title="History", here="history", about=TASKS, after=after)


class AdapterListings:
    """What `gate adapters` said of each repository a moment ago: each is asked once at a time."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, AdaptersPage]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def show(self, request: Request) -> Response:
        """Show adapters and engines."""
        site, repository = site_of(request), find_repository(request)
        async with self._locks.setdefault(repository.name, asyncio.Lock()):
            asked, page = self._kept.get(repository.name, (0.0, None))
            if page is None or time.monotonic() - asked > _KEPT_S:
                page = await _ask_adapters(site, repository)
                self._kept[repository.name] = (time.monotonic(), page)
        return answer(request, "adapters.html", page, title=f"Adapters of {repository.name}", here="adapters")


async def _ask_adapters(site: Site, repository: ServedRepository) -> AdaptersPage:
    names, moment = _names(site), name_moment(int(time.time()))

    async def heard(_line: str) -> None:
        """Warnings are in the document as well."""

    try:
        done = await call_gate(
            (*site.gate, "adapters", "list", "--json"), repository.root, {**site.environ, "NO_COLOR": "1"}, heard
        )
        document = json.loads(done.out)
        if done.code != 0:
            return AdaptersPage(repository.name, names, moment, _read_error(document))
        return _read_adapters(document, repository.name, names, moment)
    except (GateError, AttributeError, LookupError, TypeError, ValueError) as problem:
        return AdaptersPage(repository.name, names, moment, f"gate adapters gave no answer: {problem}")


def _read_adapters(document: Mapping[str, Any], name: str, names: tuple[str, ...], moment: str) -> AdaptersPage:
    capabilities = tuple(
        CapabilityRow(each, found["served_by"], found["origin"], tuple(item["name"] for item in found["shadowed"]))
        for each, found in document["capabilities"].items()
    )
    return AdaptersPage(
        name,
        names,
        moment,
        "",
        tuple(map(str, document["warnings"])),
        capabilities,
        tuple(map(_read_adapter, document["adapters"])),
        tuple(map(_read_engine, document.get("engines", ()))),
    )


def _read_adapter(document: Mapping[str, Any]) -> AdapterRow:
    sandbox = document["sandbox"]
    flags = (
        "network" if sandbox["network"] else "no network",
        f"subject {sandbox['filesystem']}",
        f"at most {sandbox['timeout']:g} s",
        *((f"at most {sandbox['memory_mb']} MB",) if sandbox["memory_mb"] else ()),
        *((f"tools {', '.join(sandbox['tools'])}",) if sandbox["tools"] else ()),
    )
    texts = (str(document[key] or "") for key in ("name", "version", "description", "origin", "folder", "digest"))
    name, version, description, origin, folder, digest = texts
    return AdapterRow(name, version, description, origin, folder, digest, tuple(document["capabilities"]), flags)


def _read_engine(document: Mapping[str, Any]) -> EngineRow:
    label = str(document.get("label") or f"unusable: {document.get('problem', '')}")
    flags = tuple(sorted(flag for flag, value in document.get("capabilities", {}).items() if value is True))
    origin = f"{document['origin']}{', in place of another' if document['overrides'] else ''}"
    return EngineRow(str(document["type"]).replace("_", "-"), label, origin, flags)


def show_doctor(request: Request) -> Response:
    """Show what the doctor found last; nothing is asked by reading."""
    site, repository = site_of(request), find_repository(request)
    after = site.events.last_id
    run = site.gate_runs.latest("doctor", repository.name)
    page = DoctorPage(repository.name, _names(site), "none", "", "", "", ())
    if run is not None:
        href = f"/runs/{run.id}"
        page = DoctorPage(repository.name, _names(site), run.state, href, run.problem, "", ())
        if run.state == "ended" and not run.problem:
            page = _read_doctor(page, run.output)
    about = run.about if run is not None and run.state != "ended" else ""
    return answer(
        request, "doctor.html", page, title=f"Doctor: {repository.name}", here="doctor", about=about, after=after
    )


def _read_doctor(page: DoctorPage, output: str) -> DoctorPage:
    try:
        document = json.loads(output)
        if "checks" not in document:
            return DoctorPage(
                page.repository, page.repositories, page.state, page.run_href, _read_error(document), "", ()
            )
        rows = tuple(
            DoctorRow(str(item["code"]), str(item["level"]), str(item["message"]), str(item["hint"]))
            for item in document["checks"]
        )
        level = str(document["level"])
    except (AttributeError, LookupError, TypeError, ValueError) as problem:
        why = f"gate doctor gave no answer: {problem}"
        return DoctorPage(page.repository, page.repositories, page.state, page.run_href, why, "", ())
    return DoctorPage(page.repository, page.repositories, page.state, page.run_href, "", level, rows)


def _read_error(document: Mapping[str, Any]) -> str:
    errors = document.get("errors") or [document.get("error") or {}]
    return "; ".join(str(each.get("message", each)) for each in errors) or "it failed"


async def examine(request: Request) -> Response:
    """Ask the doctor about a repository."""
    await check_change(request)
    site, repository = site_of(request), find_repository(request)
    run = site.gate_runs.start("doctor", repository, ("doctor", "--json"))
    return RedirectResponse(f"/runs/{run.id}", 303)


def _names(site: Site) -> tuple[str, ...]:
    return tuple(repository.name for repository in site.watcher.repositories)
