"""The location of findings that aren't about a file of the repository."""

from __future__ import annotations

from verigate.domain.task_folder import CLAIM_FILE, VERDICT_FILE, task_path
from verigate.domain.verdict import Check, Verdict
from verigate.reporting.grouping import UNITS, group_name

_CLAIM_GROUPS = frozenset({UNITS, "units"})


def fallback_path(check: Check, verdict: Verdict) -> str:
    """The path, relative to the root, of the claim if the check is about it, else of the verdict."""
    claimed = group_name(check.id) in _CLAIM_GROUPS or check.reason == "CLAIM_INVALID"
    return task_path(verdict.task_id, CLAIM_FILE if claimed else VERDICT_FILE)
