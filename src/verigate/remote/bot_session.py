"""The session of a worker with a server, by the Remote Workers API: what it can do, and the action that it is leased.

The server believes a worker lost that doesn't report in time: while an action runs, a thread reports that it does.
Source: google/devtools/remoteworkers/v1test2/bots.proto.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from google.protobuf.message import DecodeError

from verigate.remote.action import from_message
from verigate.remote.blobs import Digest
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import bots, bots_grpc, reapi

_WAIT_S = 20.0
"""Seconds that one request may wait for work: the server answers earlier."""

_REPORT_S = 2.0
"""Seconds between two reports that an action still runs."""

_ANSWER_S = 5.0


class Ending(NamedTuple):
    """How an action ended: a status of gRPC with a message, and the result of one that ended well."""

    code: int
    message: str = ""
    result: reapi.ActionResult | None = None


class Lease(NamedTuple):
    """An action that this worker is to execute; None for what is none."""

    id: str
    action: Digest | None


class LeaseReport:
    """What the server says about a lease meanwhile. ``is_withdrawn``: nobody waits for it any more."""

    is_withdrawn = False


class BotSession:
    """One worker's session. ``properties`` are what the server may match actions with: names and values."""

    def __init__(self, server: RemoteServer, bot_id: str, properties: Iterable[tuple[str, str]]) -> None:
        self._server = server
        self._stub = bots_grpc.BotsStub(server.channel)
        self._lock = threading.Lock()
        self._session = bots.BotSession(bot_id=bot_id, status=bots.OK)
        device = self._session.worker.devices.add(handle=bot_id)
        for name, value in sorted(properties):
            device.properties.add(key=name, value=value)

    def open(self) -> None:
        """Begin the session, or a new one where the server has lost it. Raises RemoteFault."""
        self._session.ClearField("name")
        self._session.ClearField("version")
        del self._session.leases[:]
        request = bots.CreateBotSessionRequest(parent=self._server.instance, bot_session=self._session)
        self._session = self._server.ask(self._stub.CreateBotSession, request, _WAIT_S)

    def wait(self) -> Lease | None:
        """Wait for an action; None if none came for a while. Raises RemoteFault."""
        if not self._session.leases:
            self._update(_WAIT_S)
        for lease in self._session.leases:
            if lease.state in {bots.PENDING, bots.ACTIVE}:
                lease.state = bots.ACTIVE
                return Lease(lease.id, _read_payload(lease))
        return None

    @contextmanager
    def report(self, lease: Lease, withdraw: Callable[[], None]) -> Iterator[LeaseReport]:
        """Report meanwhile that the leased action runs; ``withdraw`` is called, in a thread, once it isn't wanted.

        A server that cancels a lease, or gives it to another worker, drops it from the session.
        """
        ended = threading.Event()
        found = LeaseReport()

        def keep() -> None:
            while not ended.wait(_REPORT_S):
                with self._lock:
                    if ended.is_set():
                        return
                    try:
                        self._update(_ANSWER_S)
                    except RemoteFault:
                        continue  # the next report, or the end, may reach it
                    if not any(each.id == lease.id and each.state == bots.ACTIVE for each in self._session.leases):
                        # No further report: the server would answer it with another lease.
                        found.is_withdrawn = True
                        withdraw()
                        return

        thread = threading.Thread(target=keep, name="bot session", daemon=True)
        thread.start()
        try:
            yield found
        finally:
            ended.set()
            thread.join()

    def end(self, lease: Lease, ending: Ending, *, is_last: bool = False) -> None:
        """Report how the leased action ended, and that this worker takes no more if ``is_last``. Raises RemoteFault."""
        if is_last:
            self._session.status = bots.BOT_TERMINATING
        for each in self._session.leases:
            if each.id == lease.id:
                each.state = bots.COMPLETED
                each.status.code = ending.code
                each.status.message = ending.message
                if ending.result is not None:
                    each.result.Pack(ending.result)
        self._update(_ANSWER_S)

    def close(self) -> None:
        """Report that this worker takes no more. Raises RemoteFault."""
        self._session.status = bots.BOT_TERMINATING
        self._update(_ANSWER_S)

    def _update(self, seconds: float) -> None:
        request = bots.UpdateBotSessionRequest(name=self._session.name, bot_session=self._session)
        found = self._server.ask(self._stub.UpdateBotSession, request, seconds)
        if found.name != self._session.name:
            raise RemoteFault(FaultKind.LIES, "it answered with another session")
        self._session = found


def _read_payload(lease: bots.Lease) -> Digest | None:
    """Return the digest of the leased action, which the API has as a digest or as the action itself."""
    try:
        digest, action = reapi.Digest(), reapi.Action()
        if lease.payload.Unpack(digest):
            return from_message(digest)
        if lease.payload.Unpack(action):
            return Digest.of(action.SerializeToString(deterministic=True))
    except DecodeError:
        return None
    return None
