"""Everything the gate may look at when it decides. Nothing outside this value influences a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from verigate.domain.artifact import Evidence
from verigate.domain.execution import CapabilityRun
from verigate.domain.plan import Plan
from verigate.domain.profile import Profile
from verigate.domain.subject import Subject
from verigate.domain.task import Task, Unit

if TYPE_CHECKING:
    from verigate.domain.approval import ApprovalFacts
    from verigate.domain.baseline import Baseline, BaselineMatch
    from verigate.domain.judged_weakenings import JudgedWeakenings
    from verigate.domain.ledger import LedgerEntry
    from verigate.domain.policy_source import PolicySource, TriedPolicy
    from verigate.domain.verification import Verification
    from verigate.domain.weakening import DisclosureFacts


class Facts(Struct, frozen=True):
    """The facts of one run.

    ``units`` are the claim's listed units, read against base and subject; None where the claim lists none.
    ``changed_policy_files`` are the paths of the gate's own configuration, hooks and adapters that differ between base
    and subject, and of a commitment that differs from the one in the history, computed by the gate itself;
    ``policy_change_allowed`` is what the profile of the policy ref, else of the base, says about that.
    ``only`` are the capabilities of ``--only``: set, the verdict is never better than inconclusive.
    ``baseline`` is the repository's, None where it has none; ``matched`` is what it says of each lint artifact, by
    path: ``decide`` compares them first of all.
    ``disclosed`` is who calls the gate and what commits and pull request disclose, None where nothing is weakened;
    ``weakenings`` is what was decided of each: ``decide`` does that first, too.
    ``policy_source`` is the ref that the policy was read from, None where it is the subject's own; ``tried_policy`` is
    what the subject's own policy would have decided, where the subject changes it: no check reads that.
    ``messages`` are the commits of the change with what they say, where there is no task.
    ``approvals`` are what people approved of policy changes and weakenings, None where nothing asks for it.
    ``verification`` is what a language model answered to what the rest leaves open, None where none was asked.
    """

    task: Task
    subject: Subject
    profile: Profile
    plan: Plan
    runs: tuple[CapabilityRun, ...]
    evidence: Evidence
    units: tuple[Unit, ...] | None = None
    changed_policy_files: tuple[str, ...] = ()
    policy_change_allowed: bool = False
    only: frozenset[str] = field(default_factory=frozenset)
    baseline: Baseline | None = None
    matched: Mapping[str, BaselineMatch] = field(default_factory=dict)
    verification: Verification | None = None
    disclosed: DisclosureFacts | None = None
    weakenings: JudgedWeakenings | None = None
    messages: tuple[LedgerEntry, ...] = ()
    approvals: ApprovalFacts | None = None
    policy_source: PolicySource | None = None
    tried_policy: TriedPolicy | None = None

    def run(self, capability: str) -> CapabilityRun | None:
        """Return the run of this capability, None if it was not planned."""
        return next((run for run in self.runs if run.capability == capability), None)
