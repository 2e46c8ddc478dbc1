"""The operations that install and remove adapters. What is sent is executed by the conformance kit, in its sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from msgspec import Struct
from starlette.concurrency import run_in_threadpool

from verigate.errors import EvidenceError
from verigate.serve.installed_adapters import ForeignError, InstalledAdapters
from verigate.serve.live.runs import GateRun
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.api.changing import accept_run
from verigate.serve.web.api.operations import Call, DeniedError, Operation, RefusedError
from verigate.serve.web.api.uploads import TAR, check_size, receive_archive
from verigate.serve.web.site import Missing, site_of

_KIND = "install"
_PLACE = "server"
_CLASH = "it is being checked already"
_BY_HAND = "who put it there can remove it; give the adapter another name"


class RemovedAdapter(Struct, frozen=True):
    """An adapter that was removed."""

    adapter: str


class Installing:
    """Installs and removes adapters, one change at a time."""

    def __init__(self, installed: InstalledAdapters | None) -> None:
        self._installed = installed
        self._lock = asyncio.Lock()

    async def install(self, call: Call) -> object:
        """Take an adapter, and start to check it; it is installed when the run has ended with 0."""
        installed, name = self._folder(), call.request.path_params["adapter"]
        check_size(call.request)
        runs = site_of(call.request).gate_runs
        async with self._lock:
            there = runs.latest(_KIND, _PLACE, name)
            if there is not None and there.state != "ended":
                raise RefusedError(409, _CLASH, f"wait for the run {there.id}")
            with installed.receive() as folder:
                await receive_archive(call.request, folder / "archive.tar")
                try:
                    outer = await run_in_threadpool(installed.unpack, name, folder / "archive.tar")
                except ForeignError as problem:
                    raise RefusedError(409, str(problem), _BY_HAND) from problem
                except EvidenceError as problem:
                    raise RefusedError(422, f"{problem.message} ({problem.where})", problem.hint or "") from problem

            async def finish(run: GateRun) -> None:
                try:
                    if run.exit_code == 0:
                        await run_in_threadpool(installed.put, name, outer)
                    elif not run.problem:
                        run.problem = "not installed: it does not conform, or could not be checked in a sandbox"
                except OSError as problem:
                    run.problem = f"not installed: {problem.strerror}"
                except (EvidenceError, ForeignError) as problem:
                    run.problem = f"not installed: {problem}"
                finally:
                    await run_in_threadpool(installed.drop, outer)

            words = ("adapter", "check", "--require-sandbox", "--json", "--", name)
            place = ServedRepository(_PLACE, outer)
            try:
                run = runs.start(_KIND, place, words, task_id=name, when_ended=finish)
            except BaseException:  # a cancellation too: nobody else would remove it
                installed.drop(outer)
                raise
        return accept_run(run)

    async def remove(self, call: Call) -> RemovedAdapter:
        """Remove an adapter that was installed here."""
        name = call.request.path_params["adapter"]
        async with self._lock:
            try:
                found = await run_in_threadpool(self._folder().remove, name)
            except ForeignError as problem:
                raise RefusedError(409, str(problem), _BY_HAND) from problem
            if not found:
                raise Missing(f"no adapter {name} was installed here")
        return RemovedAdapter(name)

    def _folder(self) -> InstalledAdapters:
        if self._installed is None:
            raise DeniedError(403, "this server takes no adapters; it was started without --adapters")
        return self._installed


def list_installing(installing: Installing) -> Iterator[Operation]:
    """List the operations that install and remove adapters."""
    refuses = (401, 403, 408, 409, 413, 415, 422, 503)
    what = "Check an adapter, and install it if it conforms. Send the content of its folder."
    path = "/adapters/{adapter:name}"
    yield Operation(
        "installAdapter",
        "PUT",
        path,
        "adapters",
        what,
        installing.install,
        GateRun,
        status=202,
        refuses=refuses,
        body=TAR,
    )
    yield Operation(
        "removeAdapter",
        "DELETE",
        path,
        "adapters",
        "Remove one.",
        installing.remove,
        RemovedAdapter,
        refuses=(401, 403, 404, 409),
    )
