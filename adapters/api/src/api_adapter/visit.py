"""One call of the adapter on its service: the service started, its description read, what may be called chosen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from api_adapter.client import Client
from api_adapter.document import Document, find_document
from api_adapter.generated import Input, NotGeneratedError, inputs
from api_adapter.operations import Operation, operations, path_prefix
from api_adapter.redaction import Redaction
from api_adapter.schemes import Scheme, schemes
from api_adapter.service import Running, running
from api_adapter.settings import Settings, read_settings
from verigate.sdk import Request, write_json


class Visit(Struct, frozen=True):
    """Everything that a capability needs; ``document`` is None where the API has no description."""

    request: Request
    settings: Settings
    service: Running
    client: Client
    document: Document | None
    operations: tuple[Operation, ...]
    schemes: Mapping[str, Scheme]
    redaction: Redaction


class Choice(Struct, frozen=True):
    """The documented endpoints that are called, each with its inputs, and those that are not, with the reason."""

    called: tuple[tuple[Operation, tuple[Input, ...]], ...]
    not_called: tuple[dict[str, str], ...]


@contextlib.contextmanager
def visit(request: Request) -> Iterator[Visit]:
    """The service, called by nobody else, for as long as the block runs. Raises AdapterError."""
    settings = read_settings(request)
    with running(settings, request) as service:
        client = Client(service.base_url, settings.timeout_s)
        try:
            document = find_document(request, settings, client)
            if document is not None and _doubled(service.base_url, document):
                client.close()
                parts = urlsplit(service.base_url)
                client = Client(f"{parts.scheme}://{parts.netloc}", settings.timeout_s)
            yield Visit(
                request,
                settings,
                service,
                client,
                document,
                operations(document, settings.base_path) if document else (),
                schemes(document) if document else {},
                Redaction.of(settings, request.environ),
            )
        finally:
            client.close()


def _doubled(base_url: str, document: Document) -> bool:
    """Whether the configured address ends with the path that the description's server has as well."""
    path = urlsplit(base_url).path.rstrip("/")
    return bool(path) and path == path_prefix(document)


def choose(here: Visit, count: int | None = None) -> Choice:
    """Which documented endpoints may be called: their method is allowed, nobody excluded them, and they have an input.

    ``count`` is how many inputs each gets, the setting if None.
    """
    called: list[tuple[Operation, tuple[Input, ...]]] = []
    left: list[dict[str, str]] = []
    settings = here.settings if count is None else _with_inputs(here.settings, count)
    for operation in here.operations:
        if why := refusal(operation.method, operation.id, settings):
            left.append({"endpoint": operation.id, "why": why})
            continue
        assert here.document is not None  # noqa: S101 - there are no operations without a description
        try:
            called.append((operation, inputs(here.document, operation, settings)))
        except NotGeneratedError as error:
            left.append({"endpoint": operation.id, "why": str(error)})
    return Choice(tuple(called), tuple(left))


def refusal(method: str, endpoint: str, settings: Settings) -> str | None:
    """Why an endpoint may not be called; None where it may."""
    if endpoint in settings.exclude:
        return "excluded by the configuration"
    if method not in settings.methods:
        return f"the method {method} is not among those allowed by the configuration"
    return None


def _with_inputs(settings: Settings, count: int) -> Settings:
    from msgspec.structs import replace

    return replace(settings, inputs=count)


def write_meta(here: Visit, name: str, facts: Mapping[str, Any], measured: Mapping[str, Any]) -> None:
    """``api/<name>.meta.json``: what was called and how; the service's log is below ``metadata``, which is volatile."""
    log = here.redaction.text(here.service.log.text()) if here.service.log is not None else None
    started = here.settings.service
    document = here.document
    write_json(
        here.request.task_dir,
        f"api/{name}.meta.json",
        {
            "service": "started" if started else "running",
            "command": list(started.command) if started else None,
            "document": document.place if document else None,
            "document_served": document.served if document else None,
            "methods": sorted(here.settings.methods),
            "seed": here.settings.seed,
            **facts,
            "metadata": {"base_url": here.service.base_url, "log": log, "start_ms": here.service.start_ms, **measured},
        },
    )


def names(found: Sequence[Operation]) -> list[str]:
    """Their ids, sorted."""
    return sorted(operation.id for operation in found)
