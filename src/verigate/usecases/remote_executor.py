"""Have workers make the calls of a run that no cache knows.

What a worker found counts as what a cache has: only with a signature that the trusted policy lists for the stage. A
call that ends without a result that counts is made here; what is wrong is reported once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from verigate.domain.remote_call import ExecutorUse, PendingCall, RemoteCall, RemoteResult
from verigate.errors import ExecutionError
from verigate.remote.action import BuiltAction, build_action
from verigate.remote.blobs import Digest
from verigate.remote.execution import ExecutionEndedError, PendingExecution, RemoteExecutor
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.statement import Statement
from verigate.remote.stubs import reapi
from verigate.usecases.signed_results import RefusedResultError, RemoteTrust, read_content, read_statement


class ExecutedCall(Struct, frozen=True):
    """What a worker found, and the statement that counts."""

    call: RemoteCall
    statement: Statement
    result: RemoteResult


class ClosedExecutor(Struct, frozen=True):
    """How a run used its executor; ``notes`` are for people."""

    use: ExecutorUse
    notes: tuple[str, ...]


class _Submitted(Struct, frozen=True):
    call: RemoteCall
    action: BuiltAction


class RunExecutor:
    """The workers of a server, as one run uses them. ``trust`` says whose results count.

    ``offers`` is what some of the workers are known to offer, as in ``worker_offer``.
    """

    def __init__(
        self,
        name: str,
        server: RemoteServer,
        executor: RemoteExecutor,
        trust: RemoteTrust,
        *,
        now: Callable[[], str],
        offers: frozenset[str] = frozenset(),
        objection: str = "",
    ) -> None:
        self.offers = offers
        self._name = name
        self._server = server
        self._executor = executor
        self._trust = trust
        self._now = now
        self._pending: dict[PendingCall, _Submitted] = {}
        self._executed: list[str] = []
        self._notes: dict[str, str] = {}
        self.is_usable = not objection
        if objection:
            self._notes["objection"] = f"remote executor {name}: nothing is sent: {objection}"

    def submit(self, call: RemoteCall, sources: Mapping[str, str], timeout_s: float) -> PendingCall | None:
        """Begin to have a call made; None if the server isn't used any more. As in the port."""
        if not self.is_usable:
            return None
        action = build_action(call, self._trust.stage)
        pending = PendingExecution(partial(self._execute, call, action, sources, timeout_s))
        self._pending[pending] = _Submitted(call, action)
        return pending

    def receive(self, pending: PendingCall) -> ExecutedCall | None:
        """Return what a worker found; None, and a note, if that doesn't count.

        Raises ExecutionError where server and client don't accept each other: that doesn't pass, and a run that names
        an executor isn't meant for this machine.
        """
        submitted = self._pending.pop(pending)
        if not isinstance(pending, PendingExecution):
            raise TypeError("it was submitted elsewhere")
        try:
            return self._read(submitted, pending.end())
        except ExecutionEndedError as problem:
            self._notes.setdefault("ended", f"remote executor {self._name}: a worker refused: {problem}; it runs here")
        except RefusedResultError as problem:
            self._notes.setdefault(problem.kind, f"remote executor {self._name}: it has {problem}; it runs here")
        except RemoteFault as fault:
            if fault.concerns_credentials:
                hint = "docs/remote.md, TLS and tokens; without an executor all runs here"
                raise ExecutionError(f"the executor {fault}", where=self._name, hint=hint) from fault
            self.is_usable = False
            self._notes.setdefault("fault", f"remote executor {self._name}: it {fault}; this run goes on without it")
        except OSError as problem:
            self._notes.setdefault("input", f"remote executor {self._name}: an input can't be sent: {problem}")
        return None

    def abandon(self) -> None:
        """Cancel what workers still execute."""
        self._executor.cancel_all()

    def close(self) -> ClosedExecutor:
        """Close the connection."""
        self._server.close()
        server = self._server
        use = ExecutorUse(self._name, server.sent, server.received, server.requests, tuple(self._executed))
        return ClosedExecutor(use, tuple(self._notes.values()))

    def _execute(
        self, call: RemoteCall, action: BuiltAction, sources: Mapping[str, str], timeout_s: float
    ) -> reapi.ActionResult:
        """Upload what the server lacks and execute the action; in a thread. The action itself comes last."""
        files = {
            Digest(file.sha256, file.size): sources[file.sha256] for file in call.files.values() if file.target is None
        }
        self._server.upload(files, lambda digest: _read_file(digest, files[digest]))
        self._server.write(action.blobs)
        return self._executor.execute(action.digest, timeout_s)

    def _read(self, submitted: _Submitted, found: reapi.ActionResult) -> ExecutedCall | None:
        call, digest = submitted.call, submitted.action.digest
        stage, verify = self._trust.stage, self._trust.verify
        statement = read_statement(self._server, found, digest, stage, verify=verify, now=self._now())
        result = None if statement is None or statement.is_void else read_content(self._server, statement)
        if statement is None or result is None or statement.capability != call.capability:
            raise RefusedResultError("content", "a result that is void, too large, or not there any more")
        self._executed.append(call.capability)
        return ExecutedCall(call, statement, result)


def _read_file(digest: Digest, path: str) -> bytes:
    """Read a file of the input root, which must be as it was when it was described."""
    with open(path, "rb") as file:  # noqa: PTH123 - as text: there may be 100,000 files
        content = file.read(digest.size + 1)
    if len(content) != digest.size or hashlib.sha256(content).hexdigest() != digest.hash:
        raise RemoteFault(FaultKind.REFUSES, f"{path} changed while it was sent")
    return content
