"""Prepare a call of the adapter: start the service, read its description, choose the endpoints to call."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from api_adapter.client import ApiClient
from api_adapter.document import Document, find_document
from api_adapter.operations import Operation, path_prefix, read_operations
from api_adapter.redaction import Redaction
from api_adapter.request_inputs import Input, NotGeneratedError, generate_inputs
from api_adapter.schemes import Scheme, read_schemes
from api_adapter.service import Running, run_service
from api_adapter.settings import SAFE_METHODS, Settings, read_settings
from verigate.sdk import Request, write_json


class Session(Struct, frozen=True):
    """Everything that a capability needs; ``document`` is None if the API has no description."""

    request: Request
    settings: Settings
    service: Running
    client: ApiClient
    document: Document | None
    operations: tuple[Operation, ...]
    schemes: Mapping[str, Scheme]
    redaction: Redaction


class Choice(Struct, frozen=True):
    """The documented endpoints to call, each with its inputs, and the others with the reason."""

    called: tuple[tuple[Operation, tuple[Input, ...]], ...]
    not_called: tuple[dict[str, str], ...]


@contextlib.contextmanager
def open_session(request: Request) -> Iterator[Session]:
    """Run the service during this context, for this call only. Raises AdapterError."""
    settings = read_settings(request)
    with run_service(settings, request) as service:
        client = ApiClient(service.base_url, settings.timeout_s)
        try:
            document = find_document(request, settings, client)
            if document is not None and _has_server_path(service.base_url, document):
                client.close()
                parts = urlsplit(service.base_url)
                client = ApiClient(f"{parts.scheme}://{parts.netloc}", settings.timeout_s)
            yield Session(
                request,
                settings,
                service,
                client,
                document,
                read_operations(document, settings.base_path) if document else (),
                read_schemes(document) if document else {},
                Redaction.of(settings, request.environ),
            )
        finally:
            client.close()


def _has_server_path(base_url: str, document: Document) -> bool:
    """Whether the configured URL already ends with the path of the description's server."""
    path = urlsplit(base_url).path.rstrip("/")
    return bool(path) and path == path_prefix(document)


def choose_endpoints(here: Session, count: int | None = None) -> Choice:
    """Choose the documented endpoints to call: the method is allowed, they aren't excluded, and input can be generated.

    ``count`` is the number of inputs per endpoint, by default that of the settings.
    """
    called: list[tuple[Operation, tuple[Input, ...]]] = []
    left: list[dict[str, str]] = []
    settings = here.settings if count is None else _with_inputs(here.settings, count)
    # What is safe comes first, and what deletes last: the others need what is there.
    for operation in sorted(
        here.operations, key=lambda found: (found.method not in SAFE_METHODS, found.method == "DELETE")
    ):
        if why := find_refusal(operation.method, operation.id, settings):
            left.append({"endpoint": operation.id, "why": why})
            continue
        assert here.document is not None  # noqa: S101 - there are no operations without a description
        try:
            called.append((operation, generate_inputs(here.document, operation, settings)))
        except NotGeneratedError as error:
            left.append({"endpoint": operation.id, "why": str(error)})
    return Choice(tuple(called), tuple(left))


def find_refusal(method: str, endpoint: str, settings: Settings) -> str | None:
    """Return the reason not to call an endpoint, or None."""
    if endpoint in settings.exclude:
        return "excluded by the configuration"
    if method not in settings.callable_methods:
        if settings.methods is None:
            return f"the method {method} isn't called by default"
        return f"the configuration doesn't allow the method {method}"
    return None


def _with_inputs(settings: Settings, count: int) -> Settings:
    from msgspec.structs import replace

    return replace(settings, inputs=count)


def write_meta(here: Session, name: str, facts: Mapping[str, Any], measured: Mapping[str, Any]) -> None:
    """Write ``api/<name>.meta.json``; the service's log is below ``metadata``, which is volatile."""
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
            "methods": sorted(here.settings.callable_methods),
            "seed": here.settings.seed,
            **facts,
            "metadata": {"base_url": here.service.base_url, "log": log, "start_ms": here.service.start_ms, **measured},
        },
    )


def list_ids(found: Sequence[Operation]) -> list[str]:
    """Return the sorted ids of operations."""
    return sorted(operation.id for operation in found)
