"""A call of a capability as another machine could make it, what it found there, and whose results count where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from verigate.domain.execution import CapabilityRun

_NOTE_OF_SERVERS = ("remote cache ", "remote executor ")
"""How warnings begin that are about servers."""

INPUT_ROOT = ("subject", "adapter", "task", "profile.json")
"""The entries of an input root: declared files, the adapter's folder, what it sees of the task, its profile."""


class CacheStage(StrEnum):
    """Where a result was found. What counts in CI is signed by a key that may sign for CI."""

    CI = "ci"
    LOCAL = "local"

    @property
    def namespace(self) -> str:
        """The namespace of ssh-keygen's signatures, which an allowed-signers line must list."""
        return f"cache-{self.value}@verigate"


class InputFile(NamedTuple):
    """A file of the input root: its SHA-256 in hex and its size, or the ``target`` of a symbolic link."""

    sha256: str
    size: int
    executable: bool = False
    target: str | None = None


class RemoteCall(Struct, frozen=True):
    """All that a capability's facts may depend on, without paths of this machine.

    ``files`` is the input root by relative path, ``outputs`` the paths that the call writes below it, and
    ``properties`` what the machine must have. ``needs`` are things of the machine that no digest describes, as in
    ``worker_offer``: what a call with such found is for nobody else. Its ``nonce`` makes it another call than any
    before, so that nobody can answer it with what was found earlier.
    """

    capability: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    files: Mapping[str, InputFile]
    outputs: tuple[str, ...]
    properties: Mapping[str, str]
    needs: tuple[str, ...] = ()
    nonce: str = ""


class RemoteResult(NamedTuple):
    """What another call of the same kind found: its artifacts by task-relative path, and its output."""

    files: Mapping[str, bytes]
    out: bytes
    err: bytes


class PendingCall(Protocol):
    """A call that another machine makes. What ``fileno`` returns can be read once it has ended."""

    def fileno(self) -> int:
        """Return the descriptor to wait for."""


class ExecutorUse(Struct, frozen=True):
    """How a run used a remote executor: its server, the bytes of messages, and the capabilities that workers ran."""

    server: str
    sent: int
    received: int
    requests: int
    executed: tuple[str, ...] = ()

    def document(self) -> dict[str, object]:
        """Return the part of run.json."""
        return {
            "server": self.server,
            "sent_bytes": self.sent,
            "received_bytes": self.received,
            "requests": self.requests,
            "executed": list(self.executed),
        }


class RemoteUse(Struct, frozen=True):
    """How a run used the remote cache: bytes ``sent`` and ``received`` in messages, and why calls stayed ``local``.

    ``notes`` are for people, each once. ``executor`` is None where no workers are used.
    """

    server: str
    mode: str
    stage: str
    sent: int
    received: int
    requests: int
    taken: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    local: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    executor: ExecutorUse | None = None

    def document(self) -> dict[str, object]:
        """Return the part of run.json."""
        return {
            "server": self.server,
            "mode": self.mode,
            "stage": self.stage,
            "sent_bytes": self.sent,
            "received_bytes": self.received,
            "requests": self.requests,
            "taken": list(self.taken),
            "stored": list(self.stored),
            "local": dict(self.local),
            **({} if self.executor is None else {"executor": self.executor.document()}),
        }


class RemoteEvidence(Protocol):
    """What other machines found, or find, for one run."""

    @property
    def executes(self) -> bool:
        """Whether calls can be made by workers."""

    @property
    def offers(self) -> frozenset[str]:
        """What workers offer to calls with needs, as in ``worker_offer``."""

    def submit(self, call: RemoteCall, sources: Mapping[str, str], timeout_s: float) -> PendingCall | None:
        """Have a worker make a call; None if it is to be made here.

        ``sources`` are the paths on this machine of the call's files, by SHA-256; they stay as they are until
        ``receive``. ``timeout_s`` is what the call itself may take.
        """

    def receive(self, pending: PendingCall) -> RemoteResult | None:
        """Return what a worker found that this run may trust; None if the call is to be made here."""

    def take(self, call: RemoteCall) -> RemoteResult | None:
        """Return the result of a call that this run may trust; None if there is none, or it can't be had."""

    def note(self, call: RemoteCall, run: CapabilityRun, files: Mapping[str, bytes], out: bytes, err: bytes) -> None:
        """Note what a call has found here."""

    def stays_local(self, capability: str, reason: str) -> None:
        """Note why a capability is neither taken nor stored."""


def find_server_notes(warnings: Iterable[str]) -> tuple[str, ...]:
    """Return the warnings of a run that are about servers of the Remote Execution API."""
    return tuple(warning for warning in warnings if warning.startswith(_NOTE_OF_SERVERS))
