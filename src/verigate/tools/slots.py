"""Fill a capability's slots: parse the given values, or report every fault."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.errors import Fault, UsageError
from verigate.formats.near_names import suggest_name
from verigate.tools.model import Category, Slot, SlotType, ToolCapability
from verigate.tools.values import Value, ValueFault, format_value, parse_value

Filled = Mapping[str, tuple[Value, ...]]
"""Slot -> its values; a slot without a value, and a boolean that is false, are absent."""


class SlotsError(UsageError):
    """The given values don't fill the slots; carries every missing or invalid value."""

    code = "SLOTS"

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self._faults))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults, each with the slot's name as its pointer."""
        return self._faults


def fill_slots(capability: ToolCapability, given: Mapping[str, Any]) -> Filled:
    """Parse the given values (one or a list for each slot), and add the defaults of the other slots.

    Under ``execution = "loop"`` each target gets its own destination. Raises SlotsError with every fault.
    """
    known = {slot.name: slot for slot in capability.slots}
    faults = [
        Fault(f"{capability.name} has no slot {name!r}", pointer=f"/{name}", hint=suggest_name(name, known))
        for name in given
        if name not in known
    ]
    filled: dict[str, tuple[Value, ...]] = {}
    for slot in capability.slots:
        raw = given[slot.name] if given.get(slot.name) is not None else slot.default
        values, wrong = _parse_values(slot, [] if raw is None else raw)
        wrong = wrong or _check_count(capability, slot, values)
        faults += wrong
        if values and not wrong:
            filled[slot.name] = values
    if not faults and capability.loop_slot is not None:
        faults += _spread_destinations(capability, capability.loop_slot, filled)
    if faults:
        raise SlotsError(faults)
    return filled


def _parse_values(slot: Slot, raw: Any) -> tuple[tuple[Value, ...], list[Fault]]:
    values: list[Value] = []
    faults: list[Fault] = []
    for item in raw if type(raw) in (list, tuple) else [raw]:  # a Quantity is a tuple too, and one value
        try:
            values.append(parse_value(slot, item))
        except ValueFault as problem:
            faults.append(Fault(str(problem), pointer=f"/{slot.name}", hint=problem.hint))
    if slot.type is SlotType.BOOLEAN and values == [False]:
        values = []
    return tuple(values), faults


def _check_count(capability: ToolCapability, slot: Slot, values: Sequence[Value]) -> list[Fault]:
    where = f"/{slot.name}"
    if not values:
        needed = slot.required and slot.type is not SlotType.BOOLEAN
        return [Fault(f"a value is missing: {slot.desc}", pointer=where)] if needed else []
    looped = capability.loop_slot
    if slot.is_many or slot is looped or (looped is not None and slot.category is Category.DESTINATION):
        return []
    if len(values) != slot.cardinality:
        return [Fault(f"it takes {slot.cardinality}, not {len(values)}", pointer=where)]
    return []


def _spread_destinations(capability: ToolCapability, looped: Slot, filled: dict[str, tuple[Value, ...]]) -> list[Fault]:
    """Assign a destination to each target: in a folder (``out/``), by a pattern (``out/*.webm``), or in order."""
    targets = filled.get(looped.name, ())
    faults: list[Fault] = []
    for slot in capability.slots_of(Category.DESTINATION):
        given = filled.get(slot.name)
        if given is None or slot.type is not SlotType.FILEPATH:
            continue
        if len(given) == 1:
            given = tuple(resolve_destination(str(given[0]), str(target)) for target in targets)
            filled[slot.name] = given
        where, hint = f"/{slot.name}", "a folder that ends with /, or a pattern like out/*.webm"
        if len(given) != len(targets):
            faults.append(Fault(f"{len(given)} for {len(targets)} files", pointer=where, hint=hint))
        elif len(set(given)) != len(given):
            twice = next(path for path in given if given.count(path) > 1)
            message = f"several files would be written to {format_value(twice)}, one over the other"
            faults.append(Fault(message, pointer=where, hint=hint))
    return faults


def resolve_destination(destination: str, target: str) -> str:
    """Return the destination of one target: its name in a folder, or its stem for the ``*`` of a pattern."""
    name = posixpath.basename(target.rstrip("/"))
    if destination.endswith("/"):
        return destination + name
    head, slash, last = destination.rpartition("/")
    if "*" not in last:
        return destination
    stem = posixpath.splitext(name)[0]
    return f"{head}{slash}{last.replace('*', stem, 1)}"
