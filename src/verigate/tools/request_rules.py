"""Check the keys of a slot that say what a request means by it: synonyms, limits, separators, extensions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name
from verigate.tools.model import Category, Render, SlotType

_NUMBERS = frozenset({SlotType.INTEGER, SlotType.QUANTITY})
_PLACES = ("extensions", "drops", "adds", "same_folder")


def check_request_keys(slot: Mapping[str, Any], triggers: Sequence[Any], place: str) -> Iterator[Fault]:
    """Yield the faults of these keys. ``place`` is the pointer to the slot."""
    yield from _check_synonyms(slot, place)
    yield from _check_triggers(slot, triggers, place)
    yield from _check_separator(slot, place)
    is_place = slot.get("category") == Category.DESTINATION and slot.get("type") == SlotType.FILEPATH
    for key in _PLACES:
        if key in slot and not is_place:
            message = f"only a DESTINATION of the type filepath has {key}"
            yield Fault(message, pointer=f"{place}/{key}", hint=f"leave {key} out")
    for key in ("limits", "not_after"):
        if key in slot and slot.get("type") not in _NUMBERS:
            yield Fault(f"only a number has {key}", pointer=f"{place}/{key}", hint='type = "integer" or "quantity"')


def _check_synonyms(slot: Mapping[str, Any], place: str) -> Iterator[Fault]:
    synonyms = slot.get("synonyms")
    if not isinstance(synonyms, Mapping):
        return
    if slot.get("type") != SlotType.ENUM:
        yield Fault("only an enum has synonyms", pointer=f"{place}/synonyms", hint='type = "enum"')
        return
    values = slot.get("values")
    known = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
    for word, value in synonyms.items():
        where = f"{place}/synonyms/{pointer.escape(word)}"
        if word.lower() in {each.lower() for each in known}:
            yield Fault(f"{word!r} is one of values itself", pointer=where, hint="leave it out")
        elif isinstance(value, str) and value not in known:
            yield Fault(f"{value!r} is none of values", pointer=where, hint=suggest_name(value, known))


def _check_triggers(slot: Mapping[str, Any], triggers: Sequence[Any], place: str) -> Iterator[Fault]:
    known = [trigger for trigger in triggers if isinstance(trigger, str)]
    for key in ("limits", "not_after", "same_folder"):
        named = slot.get(key)
        for trigger in named if isinstance(named, Mapping | list) else ():
            if isinstance(trigger, str) and trigger not in known:
                message = f"{trigger!r} is none of the capability's triggers"
                yield Fault(message, pointer=f"{place}/{key}", hint=suggest_name(trigger, known))
    limits = slot.get("limits")
    for trigger, numbers in limits.items() if isinstance(limits, Mapping) else ():
        pair = [each for each in numbers if isinstance(each, int | float)] if isinstance(numbers, list) else []
        if len(pair) == 2 and pair[0] > pair[1]:
            where = f"{place}/limits/{pointer.escape(trigger)}"
            yield Fault("the least number is above the greatest", pointer=where, hint="[least, greatest]")


def _check_separator(slot: Mapping[str, Any], place: str) -> Iterator[Fault]:
    if "separator" not in slot:
        return
    if slot.get("render") == Render.POSITIONAL or slot.get("type") == SlotType.BOOLEAN:
        yield Fault("only the values of a flag are joined", pointer=f"{place}/separator", hint='render = "flag"')
    elif slot.get("expansion") == "loop":
        message = "values that are joined to one word aren't repeated"
        yield Fault(message, pointer=f"{place}/expansion", hint='expansion = "inline"')
