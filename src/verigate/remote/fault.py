"""Why a server can't be used."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """What is wrong with a server; each is reported once a run."""

    GONE = "can't be reached"
    SLOW = "is too slow"
    FULL = "has no room"
    REFUSES = "refuses"
    UNTRUSTED = "can't be connected to by TLS"
    DENIED = "refuses this caller"
    LIES = "gives answers that don't fit what was asked"


class RemoteFault(Exception):  # noqa: N818 - the server's fault, which ends no run
    """A fault of a server. ``kind`` says what is wrong, ``detail`` what it answered."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind.value}: {detail}" if detail else kind.value)
        self.kind = kind
        self.detail = detail

    @property
    def concerns_credentials(self) -> bool:
        """Whether client and server don't accept each other, which no later request changes."""
        return self.kind in {FaultKind.UNTRUSTED, FaultKind.DENIED}
