"""``api:endpoints``: compare documented endpoints with those in the source and the service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from api_adapter.client import ApiCall
from api_adapter.document import Document, find_document, find_served_document
from api_adapter.operations import Operation, read_operations
from api_adapter.request_encoding import encode_call
from api_adapter.route_matching import RouteMatches, match_routes, normalise_route
from api_adapter.schemes import choose_credentials
from api_adapter.session import Session, choose_endpoints, find_refusal, open_session, write_meta
from api_adapter.settings import Settings, read_settings
from api_adapter.source_routes import FoundRoute, Routes, find_source_routes
from verigate.sdk import AdapterUsageError, Request, write_json

ABSENT = frozenset({404, 405, 501})
"""Statuses of a missing endpoint, if no parameter can be the reason."""


class _Probes(Struct, frozen=True):
    """``answers`` are the outcomes of probing by id, ``reported`` the ids in the service's own description."""

    document: Document | None
    documented: tuple[Operation, ...]
    reported: tuple[str, ...]
    answers: Mapping[str, int | str]
    not_probed: tuple[dict[str, str], ...]


def run(request: Request) -> None:
    """Write api/endpoints.json."""
    settings = read_settings(request)
    routes = find_source_routes(request, settings.sources)
    read = {"files": routes.files, "unreadable": list(routes.unreadable)}
    if settings.has_service:
        with open_session(request) as here:
            probes = _probe(here, routes)
            write_meta(here, "endpoints", read, {})
    else:
        document = find_document(request, settings, None)
        if document is None and not routes.found:
            raise AdapterUsageError(
                "nothing to check: no description, no service, and no route in the source",
                where="config/adapters.json",
                hint='configure "api": {"openapi": ..., "service": {"command": [...]}}; see docs/api-adapter.md',
            )
        documented = read_operations(document, settings.base_path) if document else ()
        probes = _Probes(document, documented, (), {}, ())
        meta = {"service": None, "document": document.place if document else None, **read, "metadata": {}}
        write_json(request.task_dir, "api/endpoints.meta.json", meta)
    write_json(request.task_dir, "api/endpoints.json", _facts(probes, routes, settings))


def _probe(here: Session, routes: Routes) -> _Probes:
    choice = choose_endpoints(here, 1)
    answers: dict[str, int | str] = {}
    for operation, given in choice.called:
        credentials = choose_credentials(operation, here.schemes, here.settings, here.request.environ) or ()
        answers[operation.id] = here.client.call(encode_call(operation, given[0], credentials)).outcome
    own = (
        here.document
        if here.document is not None and here.document.served
        else find_served_document(here.settings, here.client)
    )
    own_ids = (
        tuple(operation.id for operation in read_operations(own, here.settings.base_path)) if own is not None else ()
    )
    documented = [operation.id for operation in here.operations]
    compared = match_routes(documented, _add_reported(routes, own_ids), routes.literals)
    for route in (*compared.unmatched, *compared.mounted):
        if (
            route.method in {"GET", "ANY"}
            and not find_refusal("GET", route.id, here.settings)
            and not _varies(route.route)
        ):
            answers.setdefault(f"GET {route.route}", here.client.call(ApiCall("GET", route.route)).outcome)
    return _Probes(here.document, here.operations, own_ids, answers, choice.not_called)


def _add_reported(routes: Routes, own_ids: Iterable[str]) -> list[FoundRoute]:
    parted = (id_.partition(" ") for id_ in own_ids)
    return [*routes.found, *(FoundRoute(path, method, origin="reported") for method, _, path in parted)]


def _facts(probes: _Probes, routes: Routes, settings: Settings) -> dict[str, Any]:
    documented = sorted(operation.id for operation in probes.documented)
    found = [route for route in _add_reported(routes, probes.reported) if route.method != "WEBSOCKET"]
    compared = match_routes(documented, found, routes.literals)
    dead = _find_dead(probes, compared)
    answered = {id_ for id_ in documented if id_ in probes.answers and _exists(probes.answers[id_])}
    present = answered | {id_ for _, ids in compared.matched for id_ in ids}
    discovered = {id_: _places(id_, compared) for id_ in sorted(present - dead)}
    undocumented = {route.id for route in compared.unmatched if route.id not in dead}
    # A mounted route that also responds without its prefix exists twice, but is documented once.
    bare = {f"GET {route.route}" for route in compared.mounted}
    undocumented |= {id_ for id_ in bare - set(documented) if _exists(probes.answers.get(id_, "none"))}
    allowed = {_alike(id_) for id_ in settings.internal}
    internal = {id_ for id_ in undocumented if _alike(id_) in allowed}
    for id_ in sorted(undocumented):
        discovered[id_] = [_place(route) for route in routes.found if route.id == id_]
    return {
        "discovered": sorted(discovered),
        "documented": documented,
        "undocumented": sorted(undocumented - internal),
        "internal": sorted(internal),
        "unimplemented": sorted(set(documented) - set(discovered)),
        "dead": [{"endpoint": id_, "answer": probes.answers[id_]} for id_ in sorted(dead)],
        "places": discovered,
        "mounted": [{"route": route.id, **_place(route)} for route in compared.mounted],
        "websockets": sorted({route.route for route in routes.found if route.method == "WEBSOCKET"}),
        "answers": dict(sorted(probes.answers.items())),
        "not_probed": sorted(probes.not_probed, key=lambda entry: entry["endpoint"]) if settings.has_service else None,
        "document": probes.document.place if probes.document else None,
        "files": routes.files,
    }


def _find_dead(probes: _Probes, compared: RouteMatches) -> set[str]:
    """Find documented endpoints without parameters that the service doesn't have."""
    routes = {route.id: route.route for route in compared.unmatched}
    paths = {operation.id: operation.path for operation in probes.documented} | routes
    # The body of a call may name something that isn't there.
    bodies = {operation.id for operation in probes.documented if operation.body is not None}
    answers = {id_: answer for id_, answer in probes.answers.items() if answer != 404 or id_ not in bodies}
    gone = {id_ for id_, answer in answers.items() if not _exists(answer) and not _varies(paths.get(id_, "{}"))}
    return gone & paths.keys()


def _alike(id_: str) -> tuple[str, str]:
    method, _, path = id_.partition(" ")
    return method, normalise_route(path)


def _exists(answer: int | str) -> bool:
    return isinstance(answer, int) and answer not in ABSENT


def _varies(path: str) -> bool:
    return "{}" in normalise_route(path) or bool(re.search(r"[*(\[]", path))


def _places(id_: str, compared: RouteMatches) -> list[dict[str, Any]]:
    return [_place(route) for route, ids in compared.matched if id_ in ids and route.origin == "source"]


def _place(route: FoundRoute) -> dict[str, Any]:
    return {"path": route.path, "line": route.line}
