"""Take from a remote cache what other machines found, have workers find the rest, and store what this run found.

Whatever is wrong with a server or its answers is reported once; the capability runs here then. What was taken is staged
and validated like what an adapter writes, and decided on again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.execution import CapabilityRun
from verigate.domain.remote_call import CacheStage, PendingCall, RemoteCall, RemoteResult, RemoteUse
from verigate.domain.remote_server import CacheMode
from verigate.errors import GateError
from verigate.remote.action import BuiltAction, build_action
from verigate.remote.fault import RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.statement import VOID, Statement
from verigate.usecases.kept_evidence import EvidenceStore, digest_outcome
from verigate.usecases.signed_results import (
    SIGNATURE_PATH,
    SIZE_LIMIT,
    STATEMENT_PATH,
    RefusedResultError,
    RemoteTrust,
    read_content,
    read_statement,
    sign_result,
)

if TYPE_CHECKING:
    from verigate.usecases.remote_executor import RunExecutor


class _Noted(Struct, frozen=True):
    call: RemoteCall
    run: CapabilityRun
    files: Mapping[str, bytes]
    out: bytes
    err: bytes


class RunRemote:
    """The remote cache as one run uses it: the ``RemoteEvidence`` of the ports. ``takes``: results may be used.

    ``executor`` has workers make the calls that the cache lacks; None where there is none. ``note`` is for people.
    """

    def __init__(
        self,
        name: str,
        mode: CacheMode,
        server: RemoteServer,
        trust: RemoteTrust,
        *,
        outcomes: EvidenceStore | None,
        worker: Mapping[str, str],
        now: Callable[[], str],
        takes: bool,
        executor: RunExecutor | None = None,
        note: str = "",
    ) -> None:
        self._name = name
        self._mode = mode
        self._server = server
        self._trust = trust
        self._outcomes = outcomes
        self._worker = worker
        self._now = now
        self._takes = takes
        self._executor = executor if takes else None
        self._usable = True
        self._notes: dict[str, str] = {"credentials": f"remote cache {name}: {note}"} if note else {}
        self._local: dict[str, str] = {}
        self._noted: list[_Noted] = []
        self._taken: list[str] = []
        self._stored: list[str] = []
        self._void: set[str] = set()

    @property
    def executes(self) -> bool:
        """As in the port."""
        return self._executor is not None and self._executor.is_usable

    @property
    def offers(self) -> frozenset[str]:
        """As in the port."""
        return self._executor.offers if self._executor is not None and self.executes else frozenset()

    def take(self, call: RemoteCall) -> RemoteResult | None:
        """As in the port."""
        if not self._takes or call.needs:
            return None
        for stage in self._trust.stages:
            found = self._find(call, build_action(call, stage), stage)
            if found is None:
                continue
            statement, result = found
            if statement.is_void or not self._agrees(call, statement):
                self._void.add(call.capability)
                return None
            if result is not None:
                self._taken.append(call.capability)
                return result
        return None

    def submit(self, call: RemoteCall, sources: Mapping[str, str], timeout_s: float) -> PendingCall | None:
        """As in the port."""
        if self._executor is None or call.capability in self._void:
            return None
        return self._executor.submit(call, sources, timeout_s)

    def receive(self, pending: PendingCall) -> RemoteResult | None:
        """As in the port."""
        found = None if self._executor is None else self._executor.receive(pending)
        if found is None or not (found.call.needs or self._agrees(found.call, found.statement)):
            return None
        return found.result

    def note(self, call: RemoteCall, run: CapabilityRun, files: Mapping[str, bytes], out: bytes, err: bytes) -> None:
        """As in the port."""
        if call.needs:
            return
        if self._outcomes is not None:
            self._outcomes.observe(_outcome_key(call), digest_outcome(run))
        self._noted.append(_Noted(call, run, files, out, err))

    def stays_local(self, capability: str, reason: str) -> None:
        """As in the port."""
        self._local[capability] = reason

    def store(self, refused: Collection[str] | None) -> None:
        """Store what ran here, and void what differs from it.

        Not stored are failures and what a check refused (``refused``: paths of artifacts; None: nothing is stored).
        """
        if self._mode is CacheMode.READ_WRITE and self._trust.sign is not None:
            for noted in self._noted:
                if self._usable:
                    self._store_one(noted, refused)

    def abandon(self) -> None:
        """End the use of the servers by a run that doesn't come to its end."""
        if self._executor is not None:
            self._executor.abandon()

    def close(self) -> RemoteUse:
        """Close the connections; return how the run used the servers."""
        executed = None if self._executor is None else self._executor.close()
        self._server.close()
        notes = tuple(self._notes.values()) + (() if executed is None else executed.notes)
        return RemoteUse(
            self._name,
            self._mode.value,
            self._trust.stage.value,
            self._server.sent,
            self._server.received,
            self._server.requests,
            tuple(self._taken),
            tuple(self._stored),
            self._local,
            notes,
            None if executed is None else executed.use,
        )

    def _find(
        self, call: RemoteCall, action: BuiltAction, stage: CacheStage, *, content: bool = True
    ) -> tuple[Statement, RemoteResult | None] | None:
        """Return the statement that counts for an action, with what it is about if ``content`` is asked for."""
        if not self._usable:
            return None
        server = self._server
        try:
            result = server.get_result(action.digest, (STATEMENT_PATH, SIGNATURE_PATH))
            if result is None:
                return None
            statement = read_statement(server, result, action.digest, stage, verify=self._trust.verify, now=self._now())
            if statement is None or statement.capability != call.capability:
                return None
            read = content and not statement.is_void
            return statement, read_content(server, statement) if read else None
        except RefusedResultError as problem:
            self._refuse(problem.kind, str(problem))
        except RemoteFault as fault:
            self._give_up(fault)
        return None

    def _agrees(self, call: RemoteCall, statement: Statement) -> bool:
        """Whether the same was found here, if the call ever ran here; where it wasn't, the call is void from now on."""
        if self._outcomes is None:
            return True
        key = _outcome_key(call)
        self._outcomes.observe(key, statement.outcome.encode("ascii", "replace"))
        if not self._outcomes.is_void(key):
            return True
        self._refuse("differs", f"a result of {call.capability} that differs from what was found before: it runs here")
        return False

    def _store_one(self, noted: _Noted, refused: Collection[str] | None) -> None:
        call, run = noted.call, noted.run
        action = build_action(call, self._trust.stage)
        outcome = digest_outcome(run).decode("ascii")
        found = self._find(call, action, self._trust.stage, content=False)
        if found is not None:
            known = found[0]
            if not known.is_void and known.outcome != outcome:
                self._write(call, action, VOID, RemoteResult({}, b"", b""))
            return
        void = self._outcomes is not None and self._outcomes.is_void(_outcome_key(call))
        paths = {artifact.path for artifact in run.artifacts}
        good = run.failure is None and paths and paths <= noted.files.keys() and refused is not None
        if void or not good or not paths.isdisjoint(refused or ()):
            return
        files = {path: noted.files[path] for path in paths}
        if sum(map(len, files.values())) + len(noted.out) + len(noted.err) <= SIZE_LIMIT:
            self._write(call, action, outcome, RemoteResult(files, noted.out, noted.err))

    def _write(self, call: RemoteCall, action: BuiltAction, outcome: str, result: RemoteResult) -> None:
        """Write a signed result: first all that it names, the result itself last."""
        sign = self._trust.sign
        if sign is None or not self._usable:
            return
        try:
            signed = sign_result(
                action.digest, call.capability, self._trust.stage, outcome, result,
                worker=self._worker, now=self._now(), sign=sign,
            )  # fmt: skip
        except GateError as problem:
            self._usable = False
            self._notes.setdefault("key", f"remote cache {self._name}: nothing is stored: {problem}")
            return
        try:
            self._server.write({**signed.blobs, **action.blobs})
            self._server.set_result(action.digest, signed.message)
        except RemoteFault as fault:
            self._give_up(fault)
            return
        self._stored.append(call.capability)

    def _refuse(self, kind: str, what: str) -> None:
        self._notes.setdefault(kind, f"remote cache {self._name}: it has {what}")

    def _give_up(self, fault: RemoteFault) -> None:
        """Leave the server alone for the rest of the run."""
        self._usable = False
        self._notes.setdefault("fault", f"remote cache {self._name}: it {fault}; this run goes on without it")


def _outcome_key(call: RemoteCall) -> str:
    """Return the key of what was found by a call, whatever the stage."""
    return build_action(call, None).digest.hash
