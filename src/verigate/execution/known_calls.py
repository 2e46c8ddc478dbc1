"""Take what earlier calls found in place of calls: their files are staged and validated like those of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.execution.plan_order import PlanOrder

if TYPE_CHECKING:
    from verigate.domain.artifact import Artifact
    from verigate.domain.execution import CapabilityRun
    from verigate.domain.plan import Plan, PlannedCapability
    from verigate.domain.ports import KnownCall, KnownEvidence, Listener, Staging


def accept_known(planned: PlannedCapability, call: KnownCall, staging: Staging) -> CapabilityRun:
    """Accept the files of an earlier call; return its record, or one with the reason why they aren't accepted."""
    folder = staging.open(planned, ())
    for path, content in call.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    staging.keep_log(planned, call.out, call.err)
    collected = staging.collect(planned, folder)
    return replace(call.record, artifacts=collected.artifacts, failure=collected.failure)


def take_all(
    plan: Plan, staging: Staging, known: KnownEvidence, listener: Listener
) -> tuple[CapabilityRun, ...] | None:
    """Accept what is known of every capability of a plan; None, and nothing is staged, if one of them must run."""
    order = PlanOrder(plan)
    if any(planned.problem is not None for planned in plan.capabilities):
        return None
    order.begin()
    calls: dict[str, KnownCall] = {}
    found: dict[str, tuple[Artifact, ...]] = {}
    while (planned := order.take()) is not None:
        call = known.take(planned, list_visible(plan, order, planned, found))
        if call is None:
            return None
        calls[planned.name], found[planned.name] = call, call.record.artifacts
        order.end(planned.name)
    runs = []
    for planned in plan.capabilities:
        listener.started(planned.name)
        runs.append(accept_known(planned, calls[planned.name], staging))
        listener.finished(runs[-1])
    return tuple(runs)


def list_visible(
    plan: Plan, order: PlanOrder, planned: PlannedCapability, found: Mapping[str, Sequence[Artifact]]
) -> tuple[Artifact, ...]:
    """List the artifacts of all its direct and indirect needs, never of others that happen to have finished."""
    closure = order.list_all_needs(planned)
    return tuple(
        artifact for each in plan.capabilities if each.name in closure for artifact in found.get(each.name, ())
    )
