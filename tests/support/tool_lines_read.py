"""Argument vectors -> filled slots: what ``render`` wrote, read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from verigate.tools.model import Category, Expansion, Render, Slot, SlotType, ToolCapability
from verigate.tools.render import Argv
from verigate.tools.slots import Filled
from verigate.tools.templates import _DEFAULTS, _FIELD
from verigate.tools.values import Dimensions, Quantity, Value, ValueFault, parse_value


def read_lines(capability: ToolCapability, lines: Sequence[Argv]) -> Filled:
    """The slots of a capability's invocations, together. Raises ValueFault for lines that are not its own."""
    parts = [read_line(capability, line) for line in lines]
    looped = capability.loop_slot
    if looped is None:
        if len(parts) != 1:
            raise ValueFault(f"{capability.name} has one invocation, not {len(parts)}")
        return parts[0]
    several = {looped.name}
    several |= {slot.name for slot in capability.slots_of(Category.DESTINATION) if slot.type is SlotType.FILEPATH}
    whole: dict[str, tuple[Value, ...]] = {}
    for part in parts:
        if {name: v for name, v in part.items() if name not in several} != {
            name: v for name, v in parts[0].items() if name not in several
        }:
            raise ValueFault("the invocations differ in more than target and destination")
        for name, values in part.items():
            whole[name] = (*whole.get(name, ()), *values) if name in several else values
    return whole


def read_line(capability: ToolCapability, line: Argv) -> Filled:
    """The slots of one invocation. Raises ValueFault for a line that is not of this capability."""
    command = capability.command
    head = (command.base, *command.args)
    if tuple(line[: len(head)]) != head:
        raise ValueFault(f"it does not begin with {' '.join(head)}")
    words = list(line[len(head) :])
    order = [capability.get_slot(name) for name in command.positional_order]
    split = command.positional_order.index(command.flags_after) + 1 if command.flags_after else 0
    flags = [slot for slot in capability.slots if slot.render is Render.FLAG]
    first = _take_until_flag(words, flags) if split else []
    filled: dict[str, tuple[Value, ...]] = {}
    operands = _read_flags(capability, flags, words, _fewest(capability, order[split:]), filled)
    if split:
        extra = len(first) - _fewest(capability, order[:split])
        # Without a flag between them, what stands after the flags was taken with what stands before. Where that takes
        # any number, it leaves what the others need.
        if any(_is_open(capability, slot) for slot in order[:split]):
            extra = min(extra, _fewest(capability, order[split:]))
        if not operands and extra > 0:
            first, operands = first[:-extra], first[-extra:]
        _deal(capability, order[:split], first, filled)
    _deal(capability, order[split:], operands, filled)
    return {slot.name: filled[slot.name] for slot in capability.slots if slot.name in filled}


def _take_until_flag(words: list[str], flags: Sequence[Slot]) -> list[str]:
    taken = []
    while words and _flag_of(words[0], flags) is None:
        taken.append(words.pop(0))
    return taken


def _read_flags(
    capability: ToolCapability,
    flags: Sequence[Slot],
    words: list[str],
    reserved: int,
    filled: dict[str, tuple[Value, ...]],
) -> list[str]:
    """Read flags with their values into ``filled``; returns the operands after them."""
    end = capability.command.end_of_options
    while words:
        if end is not None and words[0] == end:
            return words[1:]
        found = _flag_of(words[0], flags)
        if found is None:
            return words
        slot, glued = found
        words.pop(0)
        if slot.type is SlotType.BOOLEAN:
            filled[slot.name] = (True,)
            continue
        texts = [glued] if glued is not None else [_next(words, slot)]
        if glued is None and slot.expansion is Expansion.INLINE:
            most = len(words) if slot.is_many and slot is not capability.loop_slot else _count(capability, slot) - 1
            while words and most > 0 and words[0] != end and _flag_of(words[0], flags) is None:
                if slot.is_many and end is None and len(words) <= reserved:
                    break
                texts.append(words.pop(0))
                most -= 1
        filled[slot.name] = (*filled.get(slot.name, ()), *(read(slot, text) for text in texts))
    return []


def _next(words: list[str], slot: Slot) -> str:
    if not words:
        raise ValueFault(f"{slot.flag} has no value")
    return words.pop(0)


def _flag_of(word: str, flags: Iterable[Slot]) -> tuple[Slot, str | None] | None:
    """The slot whose flag a word is or begins with, and the value in the same word, None where it has none."""
    candidates = sorted(flags, key=lambda slot: -len(slot.flag or ""))
    for slot in candidates:
        flag = slot.flag or ""
        if word == flag and (slot.type is SlotType.BOOLEAN or not flag.endswith("=")):
            return slot, None
    for slot in candidates:
        flag = slot.flag or ""
        if slot.type is SlotType.BOOLEAN:
            continue
        if flag.endswith("=") and word.startswith(flag):
            return slot, word[len(flag) :]
        if flag.startswith("--") and word.startswith(f"{flag}=-"):
            return slot, word[len(flag) + 1 :]
        if len(flag) == 2 and word.startswith(f"{flag}-"):
            return slot, word[2:]
    return None


def _count(capability: ToolCapability, slot: Slot) -> int:
    """How many values a slot of a fixed number has in one invocation."""
    return 1 if slot is capability.loop_slot or slot.is_many else int(slot.cardinality)


def _is_open(capability: ToolCapability, slot: Slot) -> bool:
    """Whether an invocation may have more values of it than the fewest."""
    return slot is not capability.loop_slot and (slot.is_many or (not slot.required and slot.default is None))


def _fewest(capability: ToolCapability, order: Iterable[Slot]) -> int:
    """How many values an invocation has of these slots at least."""
    return sum(_count(capability, slot) for slot in order if slot.required or slot.default is not None)


def _deal(
    capability: ToolCapability, order: Sequence[Slot], words: Sequence[str], filled: dict[str, tuple[Value, ...]]
) -> None:
    """Give the operands to their slots; what is over goes to the one whose number is open."""
    left = len(words) - _fewest(capability, order)
    position = 0
    for slot in order:
        take = _fewest(capability, (slot,))
        if _is_open(capability, slot) and left > 0:
            room = left if slot.is_many else _count(capability, slot) - take
            take, left = take + min(room, left), left - min(room, left)
        part = words[position : position + take]
        position += take
        if part:
            filled[slot.name] = tuple(read(slot, text) for text in part)
    if left != 0 or position != len(words):
        raise ValueFault(f"{len(words)} operands do not fit {', '.join(slot.name for slot in order) or 'no slot'}")


def read(slot: Slot, text: str) -> Value:
    """The value that was ``written`` as ``text``. Raises ValueFault."""
    template = slot.format or _DEFAULTS.get(slot.type, "{value}")
    pieces = _FIELD.split(template)
    expression = "".join(
        re.escape(piece) if place % 2 == 0 else _expression(slot, piece) for place, piece in enumerate(pieces)
    )
    found = re.fullmatch(expression, text, re.DOTALL)
    if found is None:
        raise ValueFault(f"{text!r} is not of the form {template}")
    groups = found.groupdict()
    if slot.type is SlotType.DIMENSIONS:
        return Dimensions(int(groups["width"]), int(groups["height"]))
    if slot.type is SlotType.QUANTITY:
        from decimal import Decimal

        return Quantity(Decimal(groups["value"]), _unit_from(slot, groups.get("unit")))
    return parse_value(slot, groups.get("value") or groups.get("hms") or groups.get("seconds") or "")


def _expression(slot: Slot, name: str) -> str:
    if slot.type in {SlotType.DIMENSIONS, SlotType.QUANTITY} and name != "unit":
        return rf"(?P<{name}>-?[0-9]+(?:\.[0-9]+)?)"
    return rf"(?P<{name}>.*)"


def _unit_from(slot: Slot, text: str | None) -> str:
    if text is None:
        return next(iter(slot.units), "")
    return next((unit for unit, spelled in slot.units.items() if spelled == text), text)
