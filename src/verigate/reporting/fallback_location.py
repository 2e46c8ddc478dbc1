"""Where a finding stands that no file of the repository is to blame for."""

from __future__ import annotations

from verigate.domain.task_folder import CLAIM_FILE, VERDICT_FILE, task_path
from verigate.domain.verdict import Check, Verdict
from verigate.reporting.grouping import UNITS, group_name

_CLAIM_GROUPS = frozenset({UNITS, "units"})


def fallback_path(check: Check, verdict: Verdict) -> str:
    """The task's own file that says it: the claim for what was claimed, else the verdict. Relative to the root."""
    claimed = group_name(check.id) in _CLAIM_GROUPS or check.reason == "CLAIM_INVALID"
    return task_path(verdict.task_id, CLAIM_FILE if claimed else VERDICT_FILE)
