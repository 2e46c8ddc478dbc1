"""What the conformance kit says about an adapter: findings, what was asked of whom, and under which conditions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class ConformanceAnswer(StrEnum):
    """What came of one check. NOT_RUN is never a pass; NOT_ASKED is a check that has no object here."""

    HOLDS = "holds"
    REFUTED = "refuted"
    NOT_RUN = "not_run"
    NOT_ASKED = "not_asked"


class ConformanceFinding(Struct, frozen=True):
    """One thing in which an adapter breaks the contract: a code, what was seen, what to do about it."""

    code: str
    message: str
    fix: str
    capability: str | None = None
    fixture: str | None = None


class ConformanceCheck(Struct, frozen=True):
    """One check of one capability, or of the adapter as a whole (``capability`` None).

    ``why`` says why it was not run or not asked, ``hint`` what would let it run.
    """

    check: str
    asks: str
    answer: ConformanceAnswer
    capability: str | None = None
    findings: tuple[ConformanceFinding, ...] = ()
    why: str = ""
    hint: str = ""


class Conformance(Struct, frozen=True):
    """Everything about one adapter. ``conditions`` is what was in force, by name; ``calls`` how often it was called.

    ``left_out`` are capabilities that nothing was asked about, because somebody said that their programs aren't there.
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

    def of(self, answer: ConformanceAnswer) -> tuple[ConformanceCheck, ...]:
        """The checks with this answer."""
        return tuple(checked for checked in self.checked if checked.answer is answer)

    def run_for(self, capability: str | None) -> int:
        """How many checks were run for a capability, or for the adapter as a whole."""
        ran = {ConformanceAnswer.HOLDS, ConformanceAnswer.REFUTED}
        return sum(checked.capability == capability and checked.answer in ran for checked in self.checked)

    @property
    def exit_code(self) -> int:
        """0 conforming, 1 with findings, 3 where a check could not be run or a capability had none."""
        if self.findings:
            return 1
        unseen = not (self.capabilities or self.left_out) or not all(map(self.run_for, self.capabilities))
        return 3 if unseen or self.of(ConformanceAnswer.NOT_RUN) else 0
