"""Sign what a call found, and read what another machine signed.

A result counts only if a key signed it that the trusted policy lists for the stage, for this very action, and every
byte has the digest that was signed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.remote_call import CacheStage, RemoteResult
from verigate.errors import GateError
from verigate.remote.action import from_message, to_message
from verigate.remote.blobs import Digest
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.statement import VOID, Statement, compute_expiry, decode_statement, find_time_problem
from verigate.remote.stubs import reapi

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


class RefusedResultError(Exception):
    """A result that doesn't count. ``kind`` is that of the reason, so that each is reported once."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class SignedResult(Struct, frozen=True):
    """A result as a server keeps it, and the blobs that it names."""

    message: reapi.ActionResult
    blobs: Mapping[Digest, bytes]


def sign_result(
    action: Digest,
    capability: str,
    stage: CacheStage,
    outcome: str,
    result: RemoteResult,
    *,
    worker: Mapping[str, str],
    now: str,
    sign: SignStatement,
) -> SignedResult:
    """Make the signed result of an action; ``outcome`` is the digest of its facts, or VOID. Raises GateError."""
    files, out, err = result
    statement = Statement(
        action,
        capability,
        stage,
        outcome,
        now,
        compute_expiry(now, void=outcome == VOID),
        {path: Digest.of(content) for path, content in files.items()},
        Digest.of(out),
        Digest.of(err),
        worker,
    ).encode()
    outputs = {f"{ARTIFACTS}{path}": content for path, content in files.items()}
    outputs |= {STATEMENT_PATH: statement, SIGNATURE_PATH: sign(statement, stage)}
    message = reapi.ActionResult(
        stdout_digest=to_message(Digest.of(out)),
        stderr_digest=to_message(Digest.of(err)),
        execution_metadata=reapi.ExecutedActionMetadata(worker=worker.get("name", "")),
    )
    for path, content in sorted(outputs.items()):
        message.output_files.add(path=path, digest=to_message(Digest.of(content)))
    return SignedResult(message, {Digest.of(content): content for content in (*outputs.values(), out, err)})


def read_statement(
    server: RemoteServer,
    result: reapi.ActionResult,
    action: Digest,
    stage: CacheStage,
    *,
    verify: VerifySignature,
    now: str,
) -> Statement | None:
    """Return the statement of a result that counts; None if the server lost it.

    Raises RefusedResultError for one that doesn't count, RemoteFault.
    """
    places = {file.path: file for file in result.output_files if file.path in {STATEMENT_PATH, SIGNATURE_PATH}}
    if len(places) != 2:
        raise RefusedResultError("unsigned", "a result without a signed statement")
    digests = [from_message(places[path].digest) for path in (STATEMENT_PATH, SIGNATURE_PATH)]
    if not all(digest.is_valid and digest.size <= _STATEMENT_LIMIT for digest in digests):
        raise RemoteFault(FaultKind.LIES, "a result whose statement has no digest, or is too large")
    inline = {Digest.of(file.contents): file.contents for file in places.values() if file.contents}
    missing = [digest for digest in digests if digest not in inline]
    blobs = inline | (server.read(missing) if missing else {})
    if not all(digest in blobs for digest in digests):
        return None
    content, signature = (blobs[digest] for digest in digests)
    try:
        verify(content, signature, stage)
        statement = decode_statement(content)
    except (ValueError, GateError) as problem:
        raise RefusedResultError("signature", f"a result that doesn't count: {problem}") from problem
    if statement.action != action or statement.stage is not stage:
        raise RefusedResultError("action", f"a result that is of another action ({statement.action.hash[:12]})")
    if problem_of_time := find_time_problem(statement, now):
        raise RefusedResultError("time", f"a result that doesn't count: {problem_of_time}")
    return statement


def read_content(server: RemoteServer, statement: Statement) -> RemoteResult | None:
    """Read what a statement is about, each blob checked; None if it is too large, or the server lost some of it."""
    wanted = [*statement.files.values(), statement.out, statement.err]
    if sum(digest.size for digest in wanted) > SIZE_LIMIT:
        return None
    blobs = server.read(wanted)
    if not all(digest in blobs for digest in wanted):
        return None
    files = {path: blobs[digest] for path, digest in statement.files.items()}
    return RemoteResult(files, blobs[statement.out], blobs[statement.err])


def describe_worker(host: str, version: str, machine: Mapping[str, Any]) -> dict[str, str]:
    """Describe who found something, as a label."""
    return {"name": host, "gate": version, **{name: str(value) for name, value in machine.items()}}
