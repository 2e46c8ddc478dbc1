"""The ledger: what commits say of themselves, and what the facts of their diffs say of that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from verigate.domain.commit_text import CommitText

_ID = re.compile(r"[0-9a-f]{12,64}")


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
    def name(self) -> str:
        """The first characters of the commit's id; what stands for an id is whole."""
        return self.commit.id[:10] if _ID.fullmatch(self.commit.id) else self.commit.id

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.commit.message.strip().partition("\n")[0]

    def document(self) -> dict[str, Any]:
        """Return the entry as run.json and ``gate log --json`` hold it."""
        return {
            "commit": self.commit.id,
            "moment": self.commit.moment,
            "subject": self.subject,
            "error": self.error or None,
            "statements": [
                {
                    "text": each.text,
                    "standing": each.standing.value,
                    "expected": each.expected or None,
                    "message": each.message or None,
                }
                for each in self.statements
            ],
        }


def read_entry(document: Mapping[str, Any]) -> LedgerEntry:
    """Read an entry of run.json; the commit has its subject alone. Raises KeyError, TypeError or ValueError."""
    commit = CommitText(document["commit"], "", "", document["subject"], document["moment"])
    statements = tuple(
        LedgerStatement(each["text"], Standing(each["standing"]), each["expected"] or "", each["message"] or "")
        for each in document["statements"]
    )
    return LedgerEntry(commit, statements, document["error"] or "")
