"""Take from a remote cache what other machines found, and store there what this run found.

A result counts only if a key signed it that the trusted policy lists for the stage, for this very action, and every
byte has the digest that was signed. Whatever is wrong with the server or its answers is reported once; the capability
runs here then. What was taken is staged and validated like what an adapter writes, and decided on again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.execution import CapabilityRun
from verigate.domain.remote_call import CacheStage, RemoteCall, RemoteResult, RemoteUse
from verigate.domain.remote_server import CacheMode
from verigate.errors import GateError
from verigate.remote.action import BuiltAction, build_action, from_message, to_message
from verigate.remote.blobs import Digest
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.statement import VOID, Statement, compute_expiry, decode_statement, find_time_problem
from verigate.remote.stubs import reapi
from verigate.usecases.kept_evidence import EvidenceStore, digest_outcome

SIZE_LIMIT = 64 * 1_048_576
"""Bytes of one result; a larger one is neither taken nor stored."""

STATEMENT_PATH, SIGNATURE_PATH = "verigate/statement.json", "verigate/statement.sig"
ARTIFACTS = "task/"

_STATEMENT_LIMIT = 4 * 1_048_576

VerifySignature = Callable[[bytes, bytes, CacheStage], str]
"""Statement, signature and stage -> who signed. Raises ValueError with the reason why the signature doesn't count."""

SignStatement = Callable[[bytes, CacheStage], bytes]
"""Statement and stage -> its signature. Raises GateError."""


class RemoteTrust(Struct, frozen=True):
    """Whose results count. ``stages`` are those that serve this one, the best first; ``sign`` is None without a key."""

    stage: CacheStage
    stages: tuple[CacheStage, ...]
    verify: VerifySignature
    sign: SignStatement | None


class _Noted(Struct, frozen=True):
    call: RemoteCall
    run: CapabilityRun
    files: Mapping[str, bytes]
    out: bytes
    err: bytes


class RunRemote:
    """The remote cache as one run uses it: the ``RemoteEvidence`` of the ports. ``takes``: results may be used."""

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
    ) -> None:
        self._name = name
        self._mode = mode
        self._server = server
        self._trust = trust
        self._outcomes = outcomes
        self._worker = worker
        self._now = now
        self._takes = takes
        self._usable = True
        self._notes: dict[str, str] = {}
        self._local: dict[str, str] = {}
        self._noted: list[_Noted] = []
        self._taken: list[str] = []
        self._stored: list[str] = []

    def take(self, call: RemoteCall) -> RemoteResult | None:
        """As in the port."""
        if not self._takes:
            return None
        for stage in self._trust.stages:
            found = self._find(call, build_action(call, stage), stage)
            if found is None:
                continue
            statement, result = found
            if statement.is_void or not self._agrees(call, statement):
                return None
            if result is not None:
                self._taken.append(call.capability)
                return result
        return None

    def note(self, call: RemoteCall, run: CapabilityRun, files: Mapping[str, bytes], out: bytes, err: bytes) -> None:
        """As in the port."""
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

    def close(self) -> RemoteUse:
        """Close the connection; return how the run used the server."""
        self._server.close()
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
            tuple(self._notes.values()),
        )

    def _find(
        self, call: RemoteCall, action: BuiltAction, stage: CacheStage, *, content: bool = True
    ) -> tuple[Statement, RemoteResult | None] | None:
        """Return the statement that counts for an action, with what it is about if ``content`` is asked for."""
        if not self._usable:
            return None
        try:
            result = self._server.get_result(action.digest, (STATEMENT_PATH, SIGNATURE_PATH))
            statement = None if result is None else self._read_statement(result, action.digest, stage)
            if statement is None or statement.capability != call.capability:
                return None
            read = content and not statement.is_void
            return statement, self._read_content(statement) if read else None
        except RemoteFault as fault:
            self._give_up(fault)
            return None

    def _read_statement(self, result: reapi.ActionResult, action: Digest, stage: CacheStage) -> Statement | None:
        """Return the statement of a result if it counts here; a result that doesn't is none, and noted once."""
        places = {file.path: file for file in result.output_files if file.path in {STATEMENT_PATH, SIGNATURE_PATH}}
        if len(places) != 2:
            self._refuse("unsigned", "a result without a signed statement")
            return None
        digests = [from_message(places[path].digest) for path in (STATEMENT_PATH, SIGNATURE_PATH)]
        if not all(digest.is_valid and digest.size <= _STATEMENT_LIMIT for digest in digests):
            raise RemoteFault(FaultKind.LIES, "a result whose statement has no digest, or is too large")
        inline = {Digest.of(file.contents): file.contents for file in places.values() if file.contents}
        missing = [digest for digest in digests if digest not in inline]
        blobs = inline | (self._server.read(missing) if missing else {})
        if not all(digest in blobs for digest in digests):
            return None
        content, signature = (blobs[digest] for digest in digests)
        try:
            self._trust.verify(content, signature, stage)
            statement = decode_statement(content)
        except (ValueError, GateError) as problem:
            self._refuse("signature", f"a result that doesn't count: {problem}")
            return None
        if statement.action != action or statement.stage is not stage:
            self._refuse("action", f"a result that is of another action ({statement.action.hash[:12]})")
            return None
        if problem_of_time := find_time_problem(statement, self._now()):
            self._refuse("time", f"a result that doesn't count: {problem_of_time}")
            return None
        return statement

    def _read_content(self, statement: Statement) -> RemoteResult | None:
        wanted = [*statement.files.values(), statement.out, statement.err]
        if sum(digest.size for digest in wanted) > SIZE_LIMIT:
            return None
        blobs = self._server.read(wanted)
        if not all(digest in blobs for digest in wanted):
            return None
        files = {path: blobs[digest] for path, digest in statement.files.items()}
        return RemoteResult(files, blobs[statement.out], blobs[statement.err])

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
        stage = self._trust.stage
        action = build_action(call, stage)
        outcome = digest_outcome(run).decode("ascii")
        found = self._find(call, action, stage, content=False)
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
        files, out, err = result
        now = self._now()
        statement = Statement(
            action.digest,
            call.capability,
            self._trust.stage,
            outcome,
            now,
            compute_expiry(now, void=outcome == VOID),
            {path: Digest.of(content) for path, content in files.items()},
            Digest.of(out),
            Digest.of(err),
            self._worker,
        ).encode()
        outputs = {f"{ARTIFACTS}{path}": content for path, content in files.items()}
        try:
            outputs |= {STATEMENT_PATH: statement, SIGNATURE_PATH: sign(statement, self._trust.stage)}
        except GateError as problem:
            self._usable = False
            self._notes.setdefault("key", f"remote cache {self._name}: nothing is stored: {problem}")
            return
        blobs = {Digest.of(content): content for content in (*outputs.values(), out, err)} | dict(action.blobs)
        try:
            self._server.write(blobs)
            self._server.set_result(action.digest, _build_result(outputs, out, err, self._worker))
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


def _build_result(
    outputs: Mapping[str, bytes], out: bytes, err: bytes, worker: Mapping[str, str]
) -> reapi.ActionResult:
    result = reapi.ActionResult(
        stdout_digest=to_message(Digest.of(out)),
        stderr_digest=to_message(Digest.of(err)),
        execution_metadata=reapi.ExecutedActionMetadata(worker=worker.get("name", "")),
    )
    for path, content in sorted(outputs.items()):
        result.output_files.add(path=path, digest=to_message(Digest.of(content)))
    return result


def _outcome_key(call: RemoteCall) -> str:
    """Return the key of what was found by a call, whatever the stage."""
    return build_action(call, None).digest.hash


def describe_worker(host: str, version: str, machine: Mapping[str, Any]) -> dict[str, str]:
    """Describe who found something, as a label."""
    return {"name": host, "gate": version, **{name: str(value) for name, value in machine.items()}}
