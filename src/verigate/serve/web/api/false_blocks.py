"""The operations about reports of false blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from verigate.errors import UsageError
from verigate.serve.false_blocks import FalseBlockList, FalseBlockView
from verigate.serve.web.api.operations import Call, Operation, RefusedError
from verigate.serve.web.api.reading import TASK
from verigate.serve.web.api.values import StatsQuery
from verigate.serve.web.false_block_form import keep_false_block
from verigate.serve.web.gate_pages import list_reported
from verigate.serve.web.rendering import encode_page
from verigate.serve.web.site import find_repository, site_of
from verigate.serve.web.task_pages import find_task


class FalseBlockWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A report. ``findings`` are ids of checks that held the verdict back; without one all of them are meant."""

    reason: Annotated[str, Meta(min_length=1, max_length=1000, description="Why it should have passed; one line.")]
    findings: Annotated[tuple[Annotated[str, Meta(max_length=2000)], ...], Meta(max_length=200)] = ()
    by: Annotated[str, Meta(max_length=100, description="Who reports it.")] = ""


def list_reports(call: Call) -> FalseBlockList:
    """List what was reported as false blocks."""
    query: StatsQuery = call.query
    return list_reported(site_of(call.request), query.repository if isinstance(query.repository, str) else "")


async def report(call: Call) -> Response:
    """Keep a report about the published verdict of a task."""
    wanted: FalseBlockWanted = call.sent
    repository = find_repository(call.request)
    task_id = find_task(repository, call.request.path_params["task"])
    try:
        view, is_new = await run_in_threadpool(
            keep_false_block,
            site_of(call.request),
            repository,
            task_id,
            findings=wanted.findings,
            reason=wanted.reason,
            by=wanted.by,
        )
    except UsageError as problem:
        raise RefusedError(422, f"{problem.message} ({problem.where})", problem.hint or "") from problem
    return Response(encode_page(view), 201 if is_new else 200, media_type="application/json")


def list_false_block_reading() -> Iterator[Operation]:
    """List the operation that reads."""
    what = "List what people reported as false blocks."
    yield Operation(
        "listFalseBlocks",
        "GET",
        "/false-blocks",
        "stats",
        what,
        list_reports,
        FalseBlockList,
        StatsQuery,
        refuses=(404,),
    )


def list_false_block_changing() -> Iterator[Operation]:
    """List the operation that takes a report. It changes no verdict."""
    yield Operation(
        "reportFalseBlock",
        "POST",
        f"{TASK}/false-blocks",
        "tasks",
        "Report that the verdict blocked what should have passed; it stays as it is. 200 if it was reported before.",
        report,
        FalseBlockView,
        status=201,
        refuses=(401, 403, 404, 409, 413, 415, 422),
        body="application/json",
        sends=FalseBlockWanted,
    )
