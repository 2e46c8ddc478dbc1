"""What was decided of each weakening of a change: what accounts for it, or why nothing does."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from verigate.domain.verdict import EvidenceRef
from verigate.domain.weakening import (
    EXPECTATIONS_KEY,
    NOT_COMPARABLE,
    Accounted,
    AccountedBy,
    Policy,
    Stage,
    Weakening,
)

MAX_LISTED = 1000
"""Weakenings that a verdict lists; its counts cover all of them."""

_MAX_SHOWN = 20


class JudgedWeakening(Struct, frozen=True):
    """One weakening with its places in the evidence.

    ``policy`` is what is taken of it, ``accounted`` what accounts for it, None if nothing does. ``reason`` is that of
    its disclosure; ``note`` says why a line that seems to be about it doesn't count. ``covered``: what accounts for the
    measured weakening of the same test accounts for it as well.
    """

    weakening: Weakening
    evidence: tuple[EvidenceRef, ...]
    policy: Policy
    accounted: Accounted | None = None
    reason: str = ""
    note: str = ""
    covered: bool = False

    @property
    def is_disclosed(self) -> bool:
        """Whether a disclosure accounts for it."""
        return self.accounted is not None and self.accounted.by is AccountedBy.DISCLOSURE

    @property
    def is_approved(self) -> bool:
        """Whether an approval accounts for it."""
        return self.accounted is not None and self.accounted.by is AccountedBy.APPROVAL

    @property
    def tests(self) -> int | None:
        """How many tests of a file can't be compared, None if it is about anything else than these."""
        of_file = self.weakening.kind == NOT_COMPARABLE and self.weakening.test is None
        return len(self.evidence) if of_file else None

    @property
    def takes_support(self) -> bool:
        """Whether less is known than before: nothing shows that the check is as strong.

        The profile allows a test that followed a change of behaviour because it checks the new one.
        """
        if self.accounted is None or self.accounted.by is AccountedBy.EVIDENCE:
            return False
        return self.is_disclosed or not self.accounted.reference.startswith(EXPECTATIONS_KEY)

    def document(self, *, with_line: bool) -> dict[str, Any]:
        """Return it as the verdict lists it; ``with_line``: with the line that would disclose it."""
        own = self.weakening
        open_to_words = self.accounted is None and self.policy is Policy.DISCLOSE and not self.covered
        line = own.format_line() if with_line and open_to_words else None
        return {
            "kind": own.kind,
            "path": own.path,
            "test": own.test,
            "id": own.id,
            **({"tests": self.tests} if self.tests is not None else {}),
            "accounted": None if self.accounted is None else self.accounted.document(),
            **({"reason": self.reason} if self.reason else {}),
            **({"note": self.note} if self.note else {}),
            **({"line": line} if line is not None else {}),
        }


class JudgedWeakenings(Struct, frozen=True):
    """All weakenings of a change, at a stage.

    ``tampering`` cites what can't be accounted for; ``agent_marks`` say by which commits a coding agent made the
    change; ``faults`` are lines that disclose nothing.
    """

    stage: Stage
    items: tuple[JudgedWeakening, ...] = ()
    tampering: tuple[EvidenceRef, ...] = ()
    agent_marks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def unaccounted(self) -> tuple[JudgedWeakening, ...]:
        """Those that nothing accounts for."""
        return tuple(item for item in self.items if item.accounted is None)

    @property
    def accounted(self) -> tuple[JudgedWeakening, ...]:
        """Those that something accounts for."""
        return tuple(item for item in self.items if item.accounted is not None)

    def document(self) -> dict[str, Any] | None:
        """Return the verdict's account of them, None without any. A coding agent gets no line to paste."""
        if not self.items:
            return None
        by = [item.accounted.by for item in self.accounted if item.accounted is not None]
        return {
            "stage": self.stage.value,
            "disclosed": by.count(AccountedBy.DISCLOSURE),
            "allowed": by.count(AccountedBy.PROFILE),
            **({"approved": by.count(AccountedBy.APPROVAL)} if AccountedBy.APPROVAL in by else {}),
            "by_evidence": by.count(AccountedBy.EVIDENCE),
            "unaccounted": len(self.unaccounted),
            **({"agent_marks": list(self.agent_marks[:_MAX_SHOWN])} if self.agent_marks else {}),
            **({"faults": list(self.faults[:_MAX_SHOWN])} if self.faults else {}),
            "listed": [item.document(with_line=self.stage is not Stage.AGENT) for item in self.items[:MAX_LISTED]],
        }
