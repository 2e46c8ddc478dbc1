"""The operations that change something. They need the token, and start the gate's own commands."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.responses import Response

from verigate.serve.live.runs import GateRun
from verigate.serve.web.api.operations import Call, Operation
from verigate.serve.web.api.reading import REPOSITORY, TASK, Listings
from verigate.serve.web.api.values import AdapterList
from verigate.serve.web.gate_pages import start_doctor
from verigate.serve.web.problems import PREFIX
from verigate.serve.web.rendering import encode_page
from verigate.serve.web.site import find_working_repository, site_of
from verigate.serve.web.task_pages import find_task, start_verification


async def verify_task(call: Call) -> Response:
    """Start to verify a task again."""
    repository = find_working_repository(call.request)
    task_id = find_task(repository, call.request.path_params["task"])
    return accept_run(start_verification(site_of(call.request), repository, task_id))


async def examine(call: Call) -> Response:
    """Ask the doctor about a repository."""
    return accept_run(start_doctor(site_of(call.request), find_working_repository(call.request)))


async def test_engine(call: Call) -> Response:
    """Start the environment test of an engine: its program or library, its version, the source of its credentials."""
    engine = call.request.path_params["engine"]
    words = ("doctor", "--json", "--", engine)
    return accept_run(
        site_of(call.request).gate_runs.start(f"test of {engine}", find_working_repository(call.request), words)
    )


def accept_run(run: GateRun) -> Response:
    """Answer that a run was started, and where it can be read."""
    headers = {"location": f"{PREFIX}/runs/{run.id}"}
    return Response(encode_page(run), 202, media_type="application/json", headers=headers)


def list_changing(listings: Listings) -> Iterator[Operation]:
    """List the operations that change something."""

    async def reload_adapters(call: Call) -> AdapterList:
        return listings.describe_adapters(await listings.ask(call, again=True))

    busy = (401, 403, 404, 503)
    yield Operation(
        "verifyTask",
        "POST",
        f"{TASK}/verify",
        "tasks",
        "Verify a task again.",
        verify_task,
        GateRun,
        status=202,
        refuses=busy,
    )
    yield Operation(
        "examine",
        "POST",
        f"{REPOSITORY}/doctor",
        "doctor",
        "Ask the doctor.",
        examine,
        GateRun,
        status=202,
        refuses=busy,
    )
    yield Operation(
        "reloadAdapters",
        "POST",
        f"{REPOSITORY}/adapters/reload",
        "adapters",
        "Look for adapters and engines again.",
        reload_adapters,
        AdapterList,
        refuses=busy,
    )
    yield Operation(
        "testEngine",
        "POST",
        f"{REPOSITORY}/engines/{{engine:name}}/test",
        "engines",
        "Test the environment of an engine.",
        test_engine,
        GateRun,
        status=202,
        refuses=busy,
    )
