"""The operation by which a task that was verified elsewhere is sent here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from verigate.errors import EvidenceError
from verigate.serve.addresses import task_address
from verigate.serve.pushed import KeptTask, OlderError, PushedTasks, QuotaError
from verigate.serve.web.api.operations import Call, DeniedError, Operation, RefusedError
from verigate.serve.web.api.refusals import refuse_evidence
from verigate.serve.web.api.uploads import TAR, check_size, receive_archive
from verigate.serve.web.rendering import encode_page
from verigate.serve.web.site import Site, site_of

_AT_ONCE = 2


class PushedTask(Struct, frozen=True):
    """A task that was taken: who signed it, and the address of its page. ``is_new``: it wasn't there like this."""

    repository: str
    task_id: str
    status: str
    signers: tuple[str, ...]
    href: str
    is_new: bool


class Pushing:
    """Takes tasks, a few at a time."""

    def __init__(self, pushed: PushedTasks | None) -> None:
        self._pushed = pushed
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def push_task(self, call: Call) -> Response:
        """Take a task, if its seal and its signatures hold."""
        if self._pushed is None:
            raise DeniedError(403, "this server takes no tasks; it was started without --keys")
        task_id = call.request.path_params["task"]
        check_size(call.request)
        async with self._room:
            with self._pushed.receive() as folder:
                archive = folder / "archive.tar"
                await receive_archive(call.request, archive)
                kept = await run_in_threadpool(_keep, site_of(call.request), self._pushed, task_id, archive)
        href = task_address(kept.repository, kept.task_id)
        answer = PushedTask(kept.repository, kept.task_id, kept.status, kept.signers, href, kept.is_new)
        status = 201 if kept.is_new else 200
        return Response(encode_page(answer), status, media_type="application/json", headers={"location": href})


def _keep(site: Site, pushed: PushedTasks, task_id: str, archive: Path) -> KeptTask:
    try:
        kept = pushed.keep(task_id, archive)
    except EvidenceError as problem:
        raise refuse_evidence(problem, pushed.folder) from problem
    except QuotaError as problem:
        raise RefusedError(507, str(problem), "remove tasks there, or raise --quota") from problem
    except OlderError as problem:
        raise RefusedError(409, str(problem), "push the newest verdict") from problem
    if kept.is_new:
        site.watcher.find_again()
        repository = site.watcher.find_root(pushed.folder / kept.repository)
        if repository is not None:
            site.watcher.tell(site.refresher.refresh_task(repository, task_id))
            return KeptTask(repository.name, task_id, kept.status, kept.signers, kept.is_new)
    return kept


def list_pushing(pushing: Pushing) -> Iterator[Operation]:
    """List the operations that take tasks."""
    yield Operation(
        "pushTask",
        "PUT",
        "/pushed/{task:name}",
        "tasks",
        "Take a sealed and signed task, as `gate push` sends it. 200 if it was there already.",
        pushing.push_task,
        PushedTask,
        status=201,
        refuses=(401, 403, 408, 409, 413, 415, 422, 507),
        body=TAR,
    )
