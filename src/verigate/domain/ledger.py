"""The ledger: what commits say of themselves, and what the facts of their diffs say of that."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from verigate.domain.commit_text import CommitText


class Standing(StrEnum):
    """What the facts of a diff say of a statement."""

    HOLDS = "holds"
    REFUTED = "refuted"
    OPEN = "open"


class LedgerStatement(Struct, frozen=True):
    """A statement of a message as it was written, what was expected of the facts, and why it stands as it does."""

    text: str
    standing: Standing
    expected: str = ""
    message: str = ""


class LedgerEntry(Struct, frozen=True):
    """One commit. ``error`` says why its diff could not be compared; its statements are open then."""

    commit: CommitText
    statements: tuple[LedgerStatement, ...]
    error: str = ""

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.commit.message.strip().partition("\n")[0]
