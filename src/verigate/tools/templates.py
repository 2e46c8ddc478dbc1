"""Format values for a command line: a slot's ``format`` is a template with the fields of its type.

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
    format_clock,
    format_decimal,
    guard_path,
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


def list_fields(kind: SlotType) -> tuple[str, ...]:
    """Return the fields that a template of this type may have."""
    return FIELDS.get(kind, ("value",))


def check_template(kind: SlotType, template: str) -> str | None:
    """Return what is wrong with a ``format``, None if it is valid."""
    named = _FIELD.findall(template)
    unknown = [name for name in named if name not in list_fields(kind)]
    if unknown or "{" in _FIELD.sub("", template) or "}" in _FIELD.sub("", template):
        allowed = ", ".join(f"{{{name}}}" for name in list_fields(kind))
        return f"a format of the type {kind.value} is text with {allowed}, and no other braces"
    if len(set(named)) != len(named):
        return "each field may appear only once"
    wanted = {"width", "height"} if kind is SlotType.DIMENSIONS else {"hms", "seconds"}
    if kind is SlotType.DIMENSIONS:
        complete = wanted <= set(named)
    elif kind is SlotType.TIMESTAMP:
        complete = len(wanted & set(named)) == 1
    else:
        complete = "value" in named
    return None if complete else "the value itself is missing"


def format_slot_value(slot: Slot, value: Value) -> str:
    """Format ``value`` as the tool expects it."""
    parts = _field_values(slot, value)
    template = slot.format or _DEFAULTS.get(slot.type, "{value}")
    return _FIELD.sub(lambda found: parts[found.group(1)], template)


def _field_values(slot: Slot, value: Value) -> Mapping[str, str]:
    if isinstance(value, Quantity):
        return {"value": format_decimal(value.value), "unit": slot.units.get(value.unit, value.unit)}
    if isinstance(value, Dimensions):
        return {"width": str(value.width), "height": str(value.height)}
    if isinstance(value, Timestamp):
        return {"hms": format_clock(value.seconds), "seconds": format_decimal(value.seconds)}
    return {"value": guard_path(str(value)) if slot.type is SlotType.FILEPATH else str(value)}
