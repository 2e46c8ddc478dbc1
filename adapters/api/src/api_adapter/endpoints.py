"""``api:endpoints``: what is documented against what is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from api_adapter.client import Call
from api_adapter.comparison import Compared, alike, compare
from api_adapter.document import Document, find_document, reported
from api_adapter.operations import Operation, operations
from api_adapter.schemes import right
from api_adapter.settings import Settings, read_settings
from api_adapter.source_routes import Found, Routes, source_routes
from api_adapter.visit import Visit, choose, refusal, visit, write_meta
from api_adapter.wire import call_of
from verigate.sdk import AdapterUsageError, Request, write_json

ABSENT = frozenset({404, 405, 501})
"""Statuses with which a service says that it has no such endpoint, where no parameter could be the reason."""


class _Looked(Struct, frozen=True):
    """``answers`` are the outcomes of probing, by id; ``reported`` what the service says of itself."""

    document: Document | None
    documented: tuple[Operation, ...]
    reported: tuple[str, ...]
    answers: Mapping[str, int | str]
    not_probed: tuple[dict[str, str], ...]


def run(request: Request) -> None:
    """Write api/endpoints.json."""
    settings = read_settings(request)
    routes = source_routes(request, settings.sources)
    read = {"files": routes.files, "unreadable": list(routes.unreadable)}
    if settings.has_service:
        with visit(request) as here:
            looked = _probed(here, routes)
            write_meta(here, "endpoints", read, {})
    else:
        document = find_document(request, settings, None)
        if document is None and not routes.found:
            raise AdapterUsageError(
                "nothing to look at: no description, no service, and no route in the source",
                where="config/adapters.json",
                hint='"api": {"openapi": ..., "service": {"command": [...]}}; see docs/api-adapter.md',
            )
        documented = operations(document, settings.base_path) if document else ()
        looked = _Looked(document, documented, (), {}, ())
        meta = {"service": None, "document": document.place if document else None, **read, "metadata": {}}
        write_json(request.task_dir, "api/endpoints.meta.json", meta)
    write_json(request.task_dir, "api/endpoints.json", _facts(looked, routes, settings))


def _probed(here: Visit, routes: Routes) -> _Looked:
    choice = choose(here, 1)
    answers: dict[str, int | str] = {}
    for operation, given in choice.called:
        credentials = right(operation, here.schemes, here.settings, here.request.environ) or ()
        answers[operation.id] = here.client.call(call_of(operation, given[0], credentials)).outcome
    own = here.document if here.document is not None and here.document.served else reported(here.settings, here.client)
    said = tuple(operation.id for operation in operations(own, here.settings.base_path)) if own is not None else ()
    documented = [operation.id for operation in here.operations]
    compared = compare(documented, _with_reported(routes, said), routes.literals)
    for route in (*compared.unmatched, *compared.mounted):
        if route.method in {"GET", "ANY"} and not refusal("GET", route.id, here.settings) and not _varies(route.route):
            answers.setdefault(f"GET {route.route}", here.client.call(Call("GET", route.route)).outcome)
    return _Looked(here.document, here.operations, said, answers, choice.not_called)


def _with_reported(routes: Routes, said: Iterable[str]) -> list[Found]:
    parted = (id_.partition(" ") for id_ in said)
    return [*routes.found, *(Found(path, method, origin="reported") for method, _, path in parted)]


def _facts(looked: _Looked, routes: Routes, settings: Settings) -> dict[str, Any]:
    documented = sorted(operation.id for operation in looked.documented)
    found = [route for route in _with_reported(routes, looked.reported) if route.method != "WEBSOCKET"]
    compared = compare(documented, found, routes.literals)
    dead = _dead(looked, compared)
    answered = {id_ for id_ in documented if id_ in looked.answers and _is_there(looked.answers[id_])}
    present = answered | {id_ for _, ids in compared.matched for id_ in ids}
    discovered = {id_: _places(id_, compared) for id_ in sorted(present - dead)}
    undocumented = {route.id for route in compared.unmatched if route.id not in dead}
    # A mounted route that answers without its prefix as well is there twice, and documented once.
    bare = {f"GET {route.route}" for route in compared.mounted}
    undocumented |= {id_ for id_ in bare - set(documented) if _is_there(looked.answers.get(id_, "none"))}
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
        "dead": [{"endpoint": id_, "answer": looked.answers[id_]} for id_ in sorted(dead)],
        "places": discovered,
        "mounted": [{"route": route.id, **_place(route)} for route in compared.mounted],
        "websockets": sorted({route.route for route in routes.found if route.method == "WEBSOCKET"}),
        "answers": dict(sorted(looked.answers.items())),
        "not_probed": sorted(looked.not_probed, key=lambda entry: entry["endpoint"]) if settings.has_service else None,
        "document": looked.document.place if looked.document else None,
        "files": routes.files,
    }


def _dead(looked: _Looked, compared: Compared) -> set[str]:
    """What has no parameter that could be wrong, and yet isn't there."""
    routes = {route.id: route.route for route in compared.unmatched}
    paths = {operation.id: operation.path for operation in looked.documented} | routes
    gone = {
        id_ for id_, answer in looked.answers.items() if not _is_there(answer) and not _varies(paths.get(id_, "{}"))
    }
    return gone & paths.keys()


def _alike(id_: str) -> tuple[str, str]:
    method, _, path = id_.partition(" ")
    return method, alike(path)


def _is_there(answer: int | str) -> bool:
    return isinstance(answer, int) and answer not in ABSENT


def _varies(path: str) -> bool:
    return "{}" in alike(path) or bool(re.search(r"[*(\[]", path))


def _places(id_: str, compared: Compared) -> list[dict[str, Any]]:
    return [_place(route) for route, ids in compared.matched if id_ in ids and route.origin == "source"]


def _place(route: Found) -> dict[str, Any]:
    return {"path": route.path, "line": route.line}
