"""Refuse a value that fits its slot and means something else: what a trigger turns, what a result can't be.

What a tool's file says of its slots is compared with the words: ``limits``, ``not_after``, ``extensions``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.requests.file_formats import get_extension, parse_format
from verigate.requests.overwriting import check_overwriting, check_pronoun
from verigate.requests.reading import NotMeant, RequestReading, split_phrase
from verigate.requests.vocabulary import FILE_NOUNS, FOLDER_NOUNS
from verigate.tools.effects import resolve_effect
from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability
from verigate.tools.values import Quantity, ValueFault, format_value, get_suffix, parse_value

_HALF = 50
"""The percentage that is the same as what is left and as what is taken away."""


def check_meaning(reading: RequestReading, capability: ToolCapability, given: Mapping[str, Any]) -> None:
    """Compare the values with what the slots say of them. Raises NotMeant."""
    for slot in capability.slots:
        if slot.name not in given:
            continue
        if slot.limits or slot.not_after:
            _check_number(reading, slot, given[slot.name])
        if slot.type is SlotType.FILEPATH:
            _check_result(reading, slot, given[slot.name], takes_folder=capability.loop_slot is not None)
    _check_nouns(reading, capability)
    check_pronoun(reading, capability)
    check_overwriting(reading, capability, given)


def has_trigger(reading: RequestReading, triggers: Sequence[str]) -> bool:
    """Whether one of these triggers is why the capability was looked at."""
    stems = {reading.get_stem(index) for index, use in enumerate(reading.used) if use == "trigger"}
    return any(set(split_phrase(trigger)) <= stems for trigger in triggers)


def _check_number(reading: RequestReading, slot: Slot, raw: Any) -> None:
    for number, shown in _list_numbers(slot, raw):
        for trigger, limits in slot.limits.items():
            outside = number < limits[0] or (len(limits) > 1 and number > limits[1])
            if has_trigger(reading, [trigger]) and outside:
                least = " to ".join(f"{limit:g}" for limit in limits)
                raise NotMeant(f"to {trigger} takes {least}{'' if len(limits) > 1 else ' or more'}, not {shown}")
        for trigger, words in slot.not_after.items():
            before = _get_word_before(reading, slot.name)
            if before in words and number != _HALF and has_trigger(reading, [trigger]):
                raise NotMeant(f"{trigger!r} {before} {shown} may mean to it or by it: say the result, 'to ...'")


def _list_numbers(slot: Slot, raw: Any) -> Iterator[tuple[float, str]]:
    for item in raw if isinstance(raw, list) else [raw]:
        try:
            value = parse_value(slot, item)
        except ValueFault:
            continue
        if isinstance(value, Quantity):
            yield float(value.value), format_value(value)
        elif isinstance(value, int):
            yield float(value), format_value(value)


def _get_word_before(reading: RequestReading, use: str) -> str:
    """Return the word before the first token of a use, or that token where it is a preposition itself."""
    places = [index for index, each in enumerate(reading.used) if each == use]
    if not places:
        return ""
    first = reading.get_word(places[0])
    return first if first in {"by", "to"} else reading.get_word(places[0] - 1)


def _check_result(reading: RequestReading, slot: Slot, raw: Any, *, takes_folder: bool) -> None:
    if not slot.extensions:
        return
    for path in map(str, raw if isinstance(raw, list) else [raw]):
        if takes_folder and (path.endswith("/") or reading.around.is_folder(path)):
            continue
        if not path.lower().endswith(slot.extensions):
            shown = f".{get_extension(path)}" if get_suffix(path) else f"{path!r}"
            raise NotMeant(f"it doesn't write {shown}: {', '.join(slot.extensions[:12])}")


def _check_nouns(reading: RequestReading, capability: ToolCapability) -> None:
    """Refuse a file that is called a folder, and a folder that is made where a file is asked for."""
    slots = [slot for slot in capability.slots_of(Category.TARGET) if slot.type is SlotType.FILEPATH]
    makes = any(slot.effect is Effect.WRITES and "file" not in slot.desc.lower() for slot in slots)
    harms = any(resolve_effect(capability, slot) in {Effect.REMOVES, Effect.CHANGES} for slot in slots)
    removes = any(resolve_effect(capability, slot) is Effect.REMOVES for slot in slots)
    for start, end, role, _ in reading.roles:
        if role != "target" or start != end:
            continue
        text = reading.tokens[start].text
        nouns = _list_nouns(reading, start)
        if removes and text in {"*", "./*"}:
            raise NotMeant(f"{text} is everything here: name the folders and files")
        if makes and reading.around.exists(text) and not reading.around.is_folder(text):
            raise NotMeant(f"there is a file {text} already")
        if makes and (nouns & FILE_NOUNS or (parse_format(get_extension(text)) and not nouns & FOLDER_NOUNS)):
            raise NotMeant(f"it makes folders, and {text} is a file")
        if harms and nouns & FOLDER_NOUNS and reading.around.exists(text) and not reading.around.is_folder(text):
            raise NotMeant(f"{text} is a file and no folder")
        if harms and nouns & FILE_NOUNS and not nouns & FOLDER_NOUNS and reading.around.is_folder(text):
            raise NotMeant(f"{text} is a folder and no file")


def _list_nouns(reading: RequestReading, index: int) -> frozenset[str]:
    """List the nouns next to a name: "the file x", "a folder called x", "the x folder"."""
    before = index - 1
    while reading.get_word(before) in {"called", "named", "name", "the", "by", "with", "of"}:
        before -= 1
    return frozenset({reading.get_word(before), reading.get_word(index + 1)})
