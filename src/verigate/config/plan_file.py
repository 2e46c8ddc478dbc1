"""Read adapter-plan.json, which maps a task type to the capabilities that verify it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from verigate.config.builtin import PLAN_FILE
from verigate.config.layers import raise_faults, read_layers
from verigate.domain.plan import PlanEntry
from verigate.errors import Fault, UsageError
from verigate.formats import pointer
from verigate.formats.near_names import suggest_nearest
from verigate.formats.schema import MAX_FAULTS


def load_plan(root: Path, builtin: Path) -> Mapping[str, PlanEntry]:
    """Read plans by task type; a repository's entry replaces the shipped one. Raises ConfigError with all faults."""
    layers = read_layers(root, builtin, PLAN_FILE, "plan")
    found = (fault for name, entry in layers.own.items() for fault in _find_contradictions(name, entry))
    raise_faults(layers, list(islice(found, MAX_FAULTS)))
    return {name: _make_entry(entry) for name, entry in sorted(layers.merged.items())}


def find_entry(plan: Mapping[str, PlanEntry], task_type: str) -> PlanEntry:
    """Return the plan of a task type. Raises UsageError that names the known types."""
    if task_type not in plan:
        hint = suggest_nearest(task_type, plan)
        known = f"known types: {', '.join(sorted(plan))}"
        raise UsageError(
            f"no plan for the task type {task_type!r}", where=PLAN_FILE, hint=f"{hint} {known}" if hint else known
        )
    return plan[task_type]


def _make_entry(entry: Mapping[str, Any]) -> PlanEntry:
    required, optional = (frozenset(entry.get(key, ())) for key in ("required", "optional"))
    return PlanEntry(tuple(entry["order"]), required, optional, dict(sorted(entry.get("unchecked", {}).items())))


def _find_contradictions(name: str, entry: Mapping[str, Any]) -> Iterator[Fault]:
    order, required, optional = (entry.get(key, []) for key in ("order", "required", "optional"))
    every, needed, wanted = set(order), set(required), set(optional)
    for index, capability in enumerate(order):
        if capability not in needed and capability not in wanted:
            yield Fault(
                f"{capability} is neither required nor optional",
                pointer=pointer.join(name, "order", index),
                hint="name it in one of the two lists",
            )
    for capability in entry.get("unchecked", {}):
        if capability in every:
            yield Fault(
                f"{capability} is in order and in unchecked",
                pointer=pointer.join(name, "unchecked", capability),
                hint="what is planned is checked: delete one of the two",
            )
    for key, listed in (("required", required), ("optional", optional)):
        for index, capability in enumerate(listed):
            place = pointer.join(name, key, index)
            if capability not in every:
                hint = suggest_nearest(capability, order) or "add it to order"
                yield Fault(f"{capability} is {key} but not in order", pointer=place, hint=hint)
            if key == "optional" and capability in needed:
                yield Fault(f"{capability} is both required and optional", pointer=place)
