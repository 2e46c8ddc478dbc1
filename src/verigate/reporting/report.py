"""What every report format is called with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline

ADVISORY = "advisory: the verdict is told, and nothing is blocked"
"""What every format says of a run that blocks nothing."""

MAX_TEXT_CHARACTERS = 1_000_000
"""Characters of one published text that a report is given."""


class Report(Struct, frozen=True):
    """A verdict with what it was decided on.

    ``runs`` are the capabilities with their outcomes and parsed artifacts; empty where only the verdict is known.
    ``texts`` are the published files that aren't JSON (the patch, the logs), by path below the task folder, and are
    there for the formats that ask for them. ``notices`` are sentences that every format must show. With
    ``advisory`` whoever asked goes on whatever the verdict is, and every format says so. ``baseline`` is the one that
    the verdict was decided by, for the formats that list findings.
    """

    verdict: Verdict
    runs: tuple[CapabilityRun, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    advisory: bool = False
    baseline: Baseline | None = None

    @property
    def own_sentences(self) -> tuple[str, ...]:
        """What no format may leave out: that nothing is blocked, and what a baseline leaves out."""
        own = (ADVISORY,) if self.advisory else ()
        if "baseline" not in self.verdict.policy:
            return own
        from verigate.reporting.baseline import summarise_baseline  # most repositories have none

        return (*own, summarise_baseline(self.verdict))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is said of the run as a whole."""
        return (*self.own_sentences, *self.notices)

    @property
    def artifacts(self) -> dict[str, Artifact]:
        """Every artifact of the runs, by path."""
        return {artifact.path: artifact for run in self.runs for artifact in run.artifacts}

    @property
    def checks(self) -> tuple[Check, ...]:
        """The verdict's checks, and at least one that holds it back unless it is a pass.

        Readers of other formats count failures and never see the status: no other verdict may look like a pass.
        """
        verdict = self.verdict
        if verdict.status is Status.PASS or any(holds_back(check) for check in verdict.checks):
            return verdict.checks
        message = f"the verdict is {verdict.status.value}, and no check of it says why"
        own = Check("gate.verdict", CheckOutcome.UNKNOWN, "pass", verdict.status.value, "CLAIM_UNSUPPORTED", message)
        return (*verdict.checks, own)


def holds_back(check: Check) -> bool:
    """Whether this check alone keeps the verdict from being a pass."""
    return check.holds_back and check.outcome in {CheckOutcome.REFUTED, CheckOutcome.UNKNOWN, CheckOutcome.ERROR}
