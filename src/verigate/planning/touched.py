"""Leave out of a plan what a change of documents doesn't concern: the project's tests, linters, coverage and build."""

from __future__ import annotations

from msgspec.structs import replace

from verigate.domain.plan import Plan
from verigate.domain.task import Task
from verigate.planning.demand import RULE_REASON
from verigate.planning.plan import PLAN_REASON

_ABOUT_CODE = frozenset({"code:lint", "code:tests", "code:coverage", "code:build"})
"""Only these: the diff, and whether tests were weakened, concern every change; other capabilities, who knows what."""


def leave_out_untouched(plan: Plan, task: Task) -> Plan:
    """Move the capabilities about code to ``skipped``, for a subject that changes documents only.

    One stays that a commitment, a claim, a required artifact, a custom rule or another capability asks for.
    """
    commitment = task.commitment
    if commitment.quality or commitment.required_functions or commitment.required_endpoints or commitment.fixes:
        return plan
    needed = {
        need
        for each in plan.capabilities
        if each.name not in _ABOUT_CODE and each.provider is not None and each.declaration.needs
        for need in each.declaration.needs
    }
    left_out = {
        each.name
        for each in plan.capabilities
        if each.name in _ABOUT_CODE
        and each.name not in needed
        and all(reason.startswith((PLAN_REASON, RULE_REASON)) for reason in each.reasons)
    }
    kept = tuple(
        replace(each, needs=tuple(need for need in each.needs if need not in left_out))
        for each in plan.capabilities
        if each.name not in left_out
    )
    return replace(plan, capabilities=kept, skipped=tuple(name for name in plan.names if name in left_out))
