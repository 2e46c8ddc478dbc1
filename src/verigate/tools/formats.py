"""How a value stands in a command: a slot's ``format`` is a template of the fields that its type has.

quantity    {value} {unit}            default {value}{unit}; the unit is the one that ``units`` maps to
dimensions  {width} {height}          default {width}x{height}
timestamp   {hms} {seconds}           default {hms}
others      {value}
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from verigate.tools.model import Slot, SlotType
from verigate.tools.values import (
    Dimensions,
    Quantity,
    Timestamp,
    Value,
    clock,
    guarded,
    number,
)

FIELDS: Mapping[SlotType, tuple[str, ...]] = {
    SlotType.QUANTITY: ("value", "unit"),
    SlotType.DIMENSIONS: ("width", "height"),
    SlotType.TIMESTAMP: ("hms", "seconds"),
}
_DEFAULTS = {
    SlotType.QUANTITY: "{value}{unit}",
    SlotType.DIMENSIONS: "{width}x{height}",
    SlotType.TIMESTAMP: "{hms}",
}
_FIELD = re.compile(r"\{([a-z]*)\}")


def fields_of(kind: SlotType) -> tuple[str, ...]:
    """The fields that a template of this type may have."""
    return FIELDS.get(kind, ("value",))


def template_fault(kind: SlotType, template: str) -> str | None:
    """What is wrong with a ``format``, None if nothing is."""
    named = _FIELD.findall(template)
    unknown = [name for name in named if name not in fields_of(kind)]
    if unknown or "{" in _FIELD.sub("", template) or "}" in _FIELD.sub("", template):
        allowed = ", ".join(f"{{{name}}}" for name in fields_of(kind))
        return f"a format of the type {kind.value} is text with {allowed}, and no other braces"
    if len(set(named)) != len(named):
        return "each field stands once at most"
    wanted = {"width", "height"} if kind is SlotType.DIMENSIONS else {"hms", "seconds"}
    if kind is SlotType.DIMENSIONS:
        complete = wanted <= set(named)
    elif kind is SlotType.TIMESTAMP:
        complete = len(wanted & set(named)) == 1
    else:
        complete = "value" in named
    return None if complete else "the value itself is not in it"


def written(slot: Slot, value: Value) -> str:
    """``value`` as the tool is given it."""
    parts = _parts(slot, value)
    template = slot.format or _DEFAULTS.get(slot.type, "{value}")
    return _FIELD.sub(lambda found: parts[found.group(1)], template)


def _parts(slot: Slot, value: Value) -> Mapping[str, str]:
    if isinstance(value, Quantity):
        return {"value": number(value.value), "unit": slot.units.get(value.unit, value.unit)}
    if isinstance(value, Dimensions):
        return {"width": str(value.width), "height": str(value.height)}
    if isinstance(value, Timestamp):
        return {"hms": clock(value.seconds), "seconds": number(value.seconds)}
    return {"value": guarded(str(value)) if slot.type is SlotType.FILEPATH else str(value)}
