"""What an operation of the API is: its address, what it takes and gives, and how a request becomes a call of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from verigate.formats.near_names import suggest_nearest
from verigate.serve.web.api.values import NoQuery
from verigate.serve.web.problems import PREFIX
from verigate.serve.web.rendering import encode_page
from verigate.serve.web.site import site_of

DOCUMENT = f"{PREFIX}/openapi.json"
_LONGEST_BODY = 500_000
_CONVERTOR = re.compile(r"\{(\w+):\w+\}")


class Call(Struct, frozen=True):
    """A request whose query and body are as its operation wants them. ``sent`` is None where it takes no JSON."""

    request: Request
    query: Any
    sent: Any = None


class Operation(Struct, frozen=True):
    """An operation. ``path`` is below PREFIX; ``run`` gets a Call, and returns a value of ``gives``, or a Response.

    ``media_type`` is that of another answer than JSON, ``body`` that of what is sent; ``sends`` is its type if that is
    JSON. ``refuses`` are the statuses of problems that are its own.
    """

    name: str
    method: str
    path: str
    tag: str
    summary: str
    run: Callable[[Call], Any]
    gives: type[Struct] | None = None
    takes: type[Struct] = NoQuery
    status: int = 200
    media_type: str = "application/json"
    refuses: tuple[int, ...] = ()
    body: str = ""
    sends: type[Struct] | None = None

    @property
    def changes(self) -> bool:
        """Whether it does more than reading, which needs the token."""
        return self.method != "GET"

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return _CONVERTOR.sub(r"{\1}", self.path)


class QueryError(ValueError):
    """The query of a request isn't as its operation wants it; ``hint`` says what to try."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class RefusedError(Exception):
    """What was sent can't be taken: a status of HTTP, why, and what to try."""

    def __init__(self, status: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.status = status
        self.hint = hint


class DeniedError(Exception):
    """A request may change nothing here. ``status`` is 401 without the token, else 403."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def answer_call(operation: Operation, request: Request) -> Response:
    """Do what a request asks for. Raises QueryError and DeniedError, and what the operation raises."""
    if operation.changes:
        _check_bearer(request)
    query = read_query(request, operation.takes)
    sent = await read_body(request, operation.sends) if operation.sends is not None else None
    call = Call(request, query, sent)
    if inspect.iscoroutinefunction(operation.run):
        found = await operation.run(call)
    else:
        found = await run_in_threadpool(operation.run, call)
    if isinstance(found, Response):
        return found
    return Response(encode_page(found), operation.status, media_type=operation.media_type)


def _check_bearer(request: Request) -> None:
    """A cookie is not enough: another site's page can make a browser send it."""
    access = site_of(request).access
    if (why := access.refuse_program(request.headers)) is not None:
        raise DeniedError(*why)


def read_query(request: Request, wanted: type[Struct]) -> Any:
    """Read the query of a request as a Struct. Raises QueryError for what it doesn't know, and for what doesn't fit."""
    pairs = request.query_params.multi_items()
    known = wanted.__struct_fields__
    for name, _ in pairs:
        if name not in known:
            hint = suggest_nearest(name, known) or (f"known: {', '.join(known)}" if known else "leave the query out")
            raise QueryError(f"there is no parameter {name[:100]!r}", hint)
    if len(pairs) != len({name for name, _ in pairs}):
        raise QueryError("a parameter is there twice", "give each once")
    try:
        return msgspec.convert(dict(pairs), wanted, strict=False)
    except msgspec.ValidationError as problem:
        raise QueryError(str(problem), f"{DOCUMENT} says what each parameter may be") from problem


async def read_body(request: Request, wanted: type[Struct]) -> Any:
    """Read JSON as a Struct. Raises RefusedError for another type, for too much, and for what doesn't fit."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "its type is not application/json", "send JSON")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            raise RefusedError(413, f"it has more than {_LONGEST_BODY:,} bytes", "send less")
    try:
        return msgspec.json.decode(body, type=wanted)
    except (msgspec.DecodeError, RecursionError, ValueError) as problem:
        raise RefusedError(422, str(problem)[:500], f"{DOCUMENT} says what it may be") from problem
