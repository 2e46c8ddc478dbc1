"""A call of a capability as another machine could make it, what it found there, and whose results count where."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from verigate.domain.execution import CapabilityRun


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
    ``properties`` what the machine must have.
    """

    capability: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    files: Mapping[str, InputFile]
    outputs: tuple[str, ...]
    properties: Mapping[str, str]


class RemoteResult(NamedTuple):
    """What another call of the same kind found: its artifacts by task-relative path, and its output."""

    files: Mapping[str, bytes]
    out: bytes
    err: bytes


class RemoteUse(Struct, frozen=True):
    """How a run used the remote cache: bytes ``sent`` and ``received`` in messages, and why calls stayed ``local``.

    ``notes`` are for people, each once.
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
        }


class RemoteEvidence(Protocol):
    """What other machines found, for one run."""

    def take(self, call: RemoteCall) -> RemoteResult | None:
        """Return the result of a call that this run may trust; None if there is none, or it can't be had."""

    def note(self, call: RemoteCall, run: CapabilityRun, files: Mapping[str, bytes], out: bytes, err: bytes) -> None:
        """Note what a call has found here."""

    def stays_local(self, capability: str, reason: str) -> None:
        """Note why a capability is neither taken nor stored."""
