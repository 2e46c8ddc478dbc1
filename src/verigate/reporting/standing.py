"""Where a finding stands that no file of the repository is to blame for."""

from __future__ import annotations

from verigate.domain.verdict import Check, Verdict
from verigate.reporting.grouping import UNITS, group_name

_ABOUT_THE_CLAIM = frozenset({UNITS, "units"})


def standing_place(check: Check, verdict: Verdict) -> str:
    """The task's own file that says it: the claim for what was claimed, else the verdict. Relative to the root."""
    claimed = group_name(check.id) in _ABOUT_THE_CLAIM or check.reason == "CLAIM_INVALID"
    return f".artifacts/{verdict.task_id}/{'claim' if claimed else 'verdict'}.json"
