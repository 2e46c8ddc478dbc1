"""The input of every report format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict
from verigate.reporting.addresses import PUBLISHED

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline

ADVISORY = "advisory: the verdict is only reported, nothing is blocked"
"""The notice of every format for a run that blocks nothing."""

MAX_TEXT_CHARACTERS = 1_000_000
"""Most characters of one published text in a report."""


class Report(Struct, frozen=True):
    """A verdict with the evidence it was decided on.

    ``runs`` are the capabilities with their outcomes and parsed artifacts; empty if only the verdict is known.
    ``texts`` are the published files that aren't JSON (patch, logs), by path below the task folder, for the formats
    that request them. ``notices`` are sentences that every format must show; ``notes`` as well, which say what speaks
    today against a verdict of before. ``advisory``: the verdict blocks nothing,
    and every format says so. ``baseline`` is the one in force for the verdict, for the formats that list findings.
    ``page`` is the address (http or https, of plain characters) of the task's page on a server, which formats for
    people link to. ``documentation`` is the address (the same) of a site with a page for each reason code, "" for none.
    """

    verdict: Verdict
    runs: tuple[CapabilityRun, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    advisory: bool = False
    baseline: Baseline | None = None
    notes: tuple[str, ...] = ()
    page: str = ""
    documentation: str = PUBLISHED

    @property
    def own_sentences(self) -> tuple[str, ...]:
        """The notices that no format may omit: advisory, baseline, what is opened, weaker, approved, not checked."""
        own = (ADVISORY,) if self.advisory else ()
        if "baseline" in self.verdict.policy:
            from verigate.reporting.baseline import summarise_baseline  # imported late: only needed with a baseline

            own = (*own, summarise_baseline(self.verdict))
        if "deselected" in self.verdict.policy:
            from verigate.reporting.left_out_tests import summarise_deselected  # imported late, as above

            own = (*own, summarise_deselected(self.verdict))
        if "sandbox" in self.verdict.policy:
            from verigate.reporting.grants import summarise_grants  # imported late: most repositories grant nothing

            own = (*own, summarise_grants(self.verdict))
        if "unchecked" in self.verdict.policy:
            from verigate.reporting.unchecked import summarise_unchecked  # imported late: most plans leave nothing out

            own = (*own, summarise_unchecked(self.verdict))
        if "submodules" in self.verdict.subject:
            from verigate.reporting.submodules import summarise_submodules  # imported late: few changes move one

            own = (*own, *summarise_submodules(self.verdict))
        if "tried" in self.verdict.policy:
            from verigate.reporting.policy_source import summarise_tried  # imported late: few changes touch policy

            own = (*own, *filter(None, (summarise_tried(self.verdict),)))
        if self.verdict.weakenings is not None:
            from verigate.reporting.weakenings import summarise_weakenings  # imported late: few changes weaken anything

            own = (*own, *filter(None, (summarise_weakenings(self.verdict),)))
        if self.verdict.approvals is not None:
            from verigate.reporting.approvals import summarise_approvals  # imported late: few changes are approved

            own = (*own, *filter(None, (summarise_approvals(self.verdict),)))
        return own

    @property
    def sentences(self) -> tuple[str, ...]:
        """All notices about the run, and what speaks against its verdict today."""
        return (*self.own_sentences, *self.notices, *self.notes)

    @property
    def artifacts(self) -> dict[str, Artifact]:
        """Every artifact of the runs, by path."""
        return {artifact.path: artifact for run in self.runs for artifact in run.artifacts}

    @property
    def checks(self) -> tuple[Check, ...]:
        """The verdict's checks, with at least one that holds it back unless it is a pass.

        Readers of other formats count failures and don't see the status: no other verdict may look like a pass.
        """
        verdict = self.verdict
        if verdict.status is Status.PASS or any(holds_back(check) for check in verdict.checks):
            return verdict.checks
        message = f"the verdict is {verdict.status.value}, but none of its checks says why"
        own = Check("gate.verdict", CheckOutcome.UNKNOWN, "pass", verdict.status.value, "CLAIM_UNSUPPORTED", message)
        return (*verdict.checks, own)


def holds_back(check: Check) -> bool:
    """Whether this check alone keeps the verdict from passing."""
    return check.holds_back and check.outcome in {CheckOutcome.REFUTED, CheckOutcome.UNKNOWN, CheckOutcome.ERROR}
