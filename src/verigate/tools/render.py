"""Render filled slots as argument vectors. No shell is involved: a file called ``-rf`` or ``$(x)`` is a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from verigate.errors import Fault
from verigate.tools.model import Category, Expansion, Render, Slot, SlotType, ToolCapability
from verigate.tools.slots import Filled, SlotsError
from verigate.tools.templates import format_slot_value
from verigate.tools.values import Value, get_suffix

Argv = tuple[str, ...]

MAX_LINE_BYTES = 1024 * 1024
"""Longest command line of a batch: half of what Linux allows for it and the environment (ARG_MAX, 2 MiB)."""


def render_commands(capability: ToolCapability, filled: Filled) -> tuple[Argv, ...]:
    """Return one argument vector for each invocation, in the order of the targets; long ones in batches.

    ``filled`` comes from ``slots.fill_slots``. Raises SlotsError for a value that the tool would take for an option.
    """
    looped = capability.loop_slot
    if looped is None:
        return tuple(_render_line(capability, part) for part in _split_targets(capability, filled))
    lines = []
    for place, target in enumerate(filled.get(looped.name, ())):
        lines.append(
            _render_line(capability, {**filled, **_select_own(capability, filled, place), looped.name: (target,)})
        )
    return tuple(lines)


def _split_targets(capability: ToolCapability, filled: Filled) -> Iterator[Filled]:
    """Split the targets so that each command line fits, where the tool's file says that this means the same.

    The limit is fixed, so that the same files are split alike on every machine.
    """
    slot = next((each for each in capability.slots_of(Category.TARGET) if each.is_many and each.name in filled), None)
    if slot is None or not capability.command.batches:
        yield filled
        return
    fixed = sum(map(_measure, _render_line(capability, {**filled, slot.name: filled[slot.name][:1]})))
    batch: list[Value] = []
    size = fixed
    for value in filled[slot.name]:
        more = _measure(format_slot_value(slot, value)) + (_measure(slot.flag) if slot.flag else 0)
        if batch and size + more > MAX_LINE_BYTES:
            yield {**filled, slot.name: tuple(batch)}
            batch, size = [], fixed
        batch.append(value)
        size += more
    yield {**filled, slot.name: tuple(batch)}


def _measure(word: str) -> int:
    """Measure a word in bytes as execve(2) counts it: with its final NUL and a pointer."""
    return len(word.encode("utf-8", "surrogateescape")) + 9


def _select_own(capability: ToolCapability, filled: Filled, place: int) -> Mapping[str, tuple[Value, ...]]:
    """Return the values of one invocation: its target, with the destinations of that target."""
    paths = [slot for slot in capability.slots_of(Category.DESTINATION) if slot.type is SlotType.FILEPATH]
    return {slot.name: (filled[slot.name][place],) for slot in paths if slot.name in filled}


def _render_line(capability: ToolCapability, filled: Filled) -> Argv:
    command = capability.command
    flags = list(_render_flags(capability, filled))
    before: list[str] = []
    after: list[str] = []
    split = command.positional_order.index(command.flags_after) + 1 if command.flags_after else 0
    for place, name in enumerate(command.positional_order):
        words = _render_operands(capability, capability.get_slot(name), filled.get(name, ()))
        (before if place < split else after).extend(words)
    end = [command.end_of_options] if command.end_of_options and after else []
    dropped = frozenset(_list_words(capability, filled, "drops"))
    args = (word for word in command.args if word not in dropped)
    said = {word.partition("=")[0] for word in flags}
    added = (word for word in _list_words(capability, filled, "adds") if word.partition("=")[0] not in said)
    return (command.base, *args, *added, *before, *flags, *end, *after)


def _list_words(capability: ToolCapability, filled: Filled, key: Literal["drops", "adds"]) -> tuple[str, ...]:
    """List the fixed words that a result of this kind is written without, or with."""
    return tuple(
        word
        for slot in capability.slots
        if (words := slot.drops if key == "drops" else slot.adds)
        for value in filled.get(slot.name, ())
        for word in words.get(get_suffix(str(value)), ())
    )


def _render_flags(capability: ToolCapability, filled: Filled) -> Iterator[str]:
    """Render the flags in the order of the slots; slots with a separator and one flag are one word at the first."""
    done: set[str] = set()
    for slot in capability.slots:
        if slot.render is not Render.FLAG or slot.name not in filled or slot.name in done:
            continue
        if slot.separator is None:
            yield from _render_flag(slot, filled[slot.name])
            continue
        same = [each for each in capability.slots if each.flag == slot.flag and each.name in filled]
        done |= {each.name for each in same}
        texts = [format_slot_value(each, value) for each in same for value in filled[each.name]]
        for text in texts:
            if slot.separator in text:
                raise SlotsError(
                    [Fault(f"{text!r} has {slot.separator!r} in it, which separates values", pointer=f"/{slot.name}")]
                )
        yield from _join_flag(slot, slot.flag or "", slot.separator.join(texts))


def _render_flag(slot: Slot, values: Sequence[Value]) -> Iterator[str]:
    flag = slot.flag or ""
    if slot.type is SlotType.BOOLEAN:
        yield flag
        return
    texts = [format_slot_value(slot, value) for value in values]
    if slot.expansion is Expansion.LOOP or len(texts) == 1:
        for text in texts:
            yield from _join_flag(slot, flag, text)
        return
    for text in texts:
        if text.startswith("-"):
            raise _option_error(slot, text, 'expansion = "loop", if the tool allows it')
    yield flag
    yield from texts


def _join_flag(slot: Slot, flag: str, text: str) -> tuple[str, ...]:
    """Join a flag and its value: into one word if the flag ends with ``=`` or the value looks like an option."""
    if flag.endswith("="):
        return (flag + text,)
    if not text.startswith("-"):
        return flag, text
    if flag.startswith("--"):
        return (f"{flag}={text}",)
    if len(flag) == 2:
        return (flag + text,)
    raise _option_error(slot, text, "a flag that ends with =")


def _render_operands(capability: ToolCapability, slot: Slot, values: Sequence[Value]) -> Iterator[str]:
    for value in values:
        text = format_slot_value(slot, value)
        # Only the words of the adapter's author may be options.
        if text.startswith("-") and slot.type is not SlotType.ENUM and capability.command.end_of_options is None:
            raise _option_error(slot, text, 'end_of_options = "--", if the tool knows it')
        yield text


def _option_error(slot: Slot, text: str, remedy: str) -> SlotsError:
    hint = f"what its adapter can declare against that: {remedy}"
    return SlotsError([Fault(f"the tool would take {text!r} for an option", pointer=f"/{slot.name}", hint=hint)])
