"""Execute the actions that a server leases, one after the other: a thin worker around the runner and its sandbox."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from verigate.errors import GateError, Interrupted
from verigate.processes.stop_request import StoppedError, StopRequest
from verigate.remote.blobs import Digest
from verigate.remote.bot_session import BotSession, Ending, Lease
from verigate.remote.fault import RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import grpc
from verigate.usecases.leased_call import FoundByLease, LeaseRefusedError
from verigate.usecases.signed_results import SIZE_LIMIT, SignStatement, sign_result

_OK, _REFUSED, _BROKEN = (
    code.value[0] for code in (grpc.StatusCode.OK, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNAVAILABLE)
)
_LONGEST_MESSAGE = 500
_LONGEST_PAUSE_S = 30.0
_MOST_FAULTS = 20
"""Faults one after the other, some eight minutes, after which a worker ends."""


class WorkerServices(Struct, frozen=True):
    """What a worker has. ``call`` executes an action in a private folder; ``tell`` shows a line to people.

    ``check_installation`` raises GateError where the gate isn't any more what it was when the worker began. ``stop``
    ends the call that runs.
    """

    call: Callable[[Digest, Path], FoundByLease]
    sign: SignStatement
    now: Callable[[], str]
    worker: Mapping[str, str]
    tell: Callable[[str], None]
    check_installation: Callable[[], None]
    stop: StopRequest


def work(server: RemoteServer, session: BotSession, services: WorkerServices, *, actions: int | None) -> None:
    """Execute actions, until ``actions`` of them have ended.

    A server that is gone for a while, or has lost the session, gets a new one. Raises RemoteFault where it can't be
    used, GateError, Interrupted.
    """
    session.open()
    done = faults = 0
    while actions is None or done < actions:
        try:
            if faults:
                session.open()
            done += _work_once(server, session, services)
            faults = 0
        except RemoteFault as fault:
            faults += 1
            if faults > _MOST_FAULTS:
                raise
            services.tell(f"the server {fault}; trying again")
            time.sleep(min(_LONGEST_PAUSE_S, 2.0 ** (faults - 1)))
    session.close()


def _work_once(server: RemoteServer, session: BotSession, services: WorkerServices) -> int:
    """Wait for an action and execute it; return how many have ended."""
    try:
        lease = session.wait()
    except KeyboardInterrupt:
        with suppress(RemoteFault):
            session.close()
        raise
    if lease is None:
        return 0
    services.check_installation()
    services.stop.clear()
    try:
        with session.report(lease, services.stop.set) as report:
            ending = _execute(server, lease, services)
    except StoppedError:
        services.tell(f"{_name(lease)}: it was cancelled")
        return 1
    except (KeyboardInterrupt, Interrupted):
        # Another worker may take it at once.
        with suppress(RemoteFault):
            session.end(lease, Ending(_BROKEN, "the worker was stopped"), is_last=True)
        raise
    if not report.is_withdrawn:
        session.end(lease, ending)
    return 1


def _execute(server: RemoteServer, lease: Lease, services: WorkerServices) -> Ending:
    """Execute a leased action; return how it ended. What it found is stored, and signed, before that is reported."""
    name = _name(lease)
    try:
        if lease.action is None:
            raise LeaseRefusedError("it isn't an Action of the Remote Execution API")
        with tempfile.TemporaryDirectory(prefix="verigate-lease-") as folder:
            found = services.call(lease.action, Path(folder))
        ending = _store(server, lease.action, found, services)
        services.tell(f"{name}: {found.capability}")
    except RemoteFault as fault:
        ending = Ending(_BROKEN, f"the server {fault}")
    except OSError as problem:
        ending = Ending(_BROKEN, f"operating system error: {problem.strerror}")
    except Interrupted:
        raise
    except (GateError, ValueError) as problem:
        ending = Ending(_REFUSED, " ".join(str(problem).split())[:_LONGEST_MESSAGE])
    if ending.code:
        services.tell(f"{name}: {ending.message}")
    return ending


def _name(lease: Lease) -> str:
    return "an action" if lease.action is None else lease.action.hash[:12]


def _store(server: RemoteServer, action: Digest, found: FoundByLease, services: WorkerServices) -> Ending:
    files, out, err = found.result
    if sum(map(len, files.values())) + len(out) + len(err) > SIZE_LIMIT:
        raise LeaseRefusedError(f"its result is larger than {SIZE_LIMIT >> 20} MiB")
    signed = sign_result(
        action, found.capability, found.stage, found.outcome, found.result,
        worker=services.worker, now=services.now(), sign=services.sign,
    )  # fmt: skip
    server.write(signed.blobs)
    return Ending(_OK, "", signed.message)
