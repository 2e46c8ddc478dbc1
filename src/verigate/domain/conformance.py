"""Result of the conformance kit for an adapter: checks, findings and conditions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

TOOLS_MISSING = "tools not installed"
"""The condition that names the programs that adapters declare and this machine lacks."""


class ConformanceAnswer(StrEnum):
    """Result of one check. NOT_RUN is never a pass; NOT_ASKED is a check that doesn't apply."""

    HOLDS = "holds"
    REFUTED = "refuted"
    NOT_RUN = "not_run"
    NOT_ASKED = "not_asked"


class ConformanceFinding(Struct, frozen=True):
    """One violation of the contract: a code, what was seen, how to fix it.

    As a note of a check it is advice: the contract allows it.
    """

    code: str
    message: str
    fix: str
    capability: str | None = None
    fixture: str | None = None


class ConformanceCheck(Struct, frozen=True):
    """One check of one capability, or of the adapter as a whole (``capability`` None).

    ``notes`` are advice and change no answer. ``why`` is the reason that it was not run or not asked, ``hint`` how to
    make it run.
    """

    check: str
    asks: str
    answer: ConformanceAnswer
    capability: str | None = None
    findings: tuple[ConformanceFinding, ...] = ()
    why: str = ""
    hint: str = ""
    notes: tuple[ConformanceFinding, ...] = ()


class Conformance(Struct, frozen=True):
    """The result for one adapter. ``conditions`` are those in force, by name; ``calls`` how often it was called.

    ``left_out`` are capabilities that were not checked because the caller declared their programs missing.
    """

    adapter: str
    version: str
    folder: str
    capabilities: tuple[str, ...]
    fixtures: tuple[str, ...]
    checked: tuple[ConformanceCheck, ...]
    conditions: Mapping[str, str] = field(default_factory=dict)
    calls: int = 0
    left_out: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[ConformanceFinding, ...]:
        """All findings, in the order of the checks."""
        return tuple(finding for checked in self.checked for finding in checked.findings)

    @property
    def notes(self) -> tuple[ConformanceFinding, ...]:
        """All notes, in the order of the checks."""
        return tuple(note for checked in self.checked for note in checked.notes)

    def of(self, answer: ConformanceAnswer) -> tuple[ConformanceCheck, ...]:
        """Return the checks with this answer."""
        return tuple(checked for checked in self.checked if checked.answer is answer)

    def run_for(self, capability: str | None) -> int:
        """Count the checks that were run for a capability, or for the adapter as a whole (None)."""
        ran = {ConformanceAnswer.HOLDS, ConformanceAnswer.REFUTED}
        return sum(checked.capability == capability and checked.answer in ran for checked in self.checked)

    @property
    def exit_code(self) -> int:
        """0 conforming, 1 with findings, 3 where a check could not be run or a capability had none."""
        if self.findings:
            return 1
        unseen = not (self.capabilities or self.left_out) or not all(map(self.run_for, self.capabilities))
        return 3 if unseen or self.of(ConformanceAnswer.NOT_RUN) else 0
