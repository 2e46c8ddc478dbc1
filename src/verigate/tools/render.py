"""Filled slots -> argument vectors. No shell reads them: a file called ``-rf`` or ``$(x)`` is a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from verigate.errors import Fault
from verigate.tools.formats import written
from verigate.tools.model import Category, Expansion, Render, Slot, SlotType, ToolCapability
from verigate.tools.slots import Filled, SlotsError
from verigate.tools.values import Value

Argv = tuple[str, ...]


def command_lines(capability: ToolCapability, filled: Filled) -> tuple[Argv, ...]:
    """One argument vector for each invocation, in the order of the targets.

    ``filled`` is what ``slots.fill`` returned. Raises SlotsError for a value that the tool would take for an option.
    """
    looped = capability.looped
    if looped is None:
        return (_line(capability, filled),)
    lines = []
    for place, target in enumerate(filled.get(looped.name, ())):
        lines.append(_line(capability, {**filled, **_own(capability, filled, place), looped.name: (target,)}))
    return tuple(lines)


def _own(capability: ToolCapability, filled: Filled, place: int) -> Mapping[str, tuple[Value, ...]]:
    """The destinations of one target."""
    paths = [slot for slot in capability.of(Category.DESTINATION) if slot.type is SlotType.FILEPATH]
    return {slot.name: (filled[slot.name][place],) for slot in paths if slot.name in filled}


def _line(capability: ToolCapability, filled: Filled) -> Argv:
    command = capability.command
    flags = [
        word
        for slot in capability.slots
        if slot.render is Render.FLAG and slot.name in filled
        for word in _flag_words(slot, filled[slot.name])
    ]
    before: list[str] = []
    after: list[str] = []
    split = command.positional_order.index(command.flags_after) + 1 if command.flags_after else 0
    for place, name in enumerate(command.positional_order):
        words = _operands(capability, capability.slot(name), filled.get(name, ()))
        (before if place < split else after).extend(words)
    end = [command.end_of_options] if command.end_of_options and after else []
    return (command.base, *command.args, *before, *flags, *end, *after)


def _flag_words(slot: Slot, values: Sequence[Value]) -> Iterator[str]:
    flag = slot.flag or ""
    if slot.type is SlotType.BOOLEAN:
        yield flag
        return
    texts = [written(slot, value) for value in values]
    if slot.expansion is Expansion.LOOP or len(texts) == 1:
        for text in texts:
            yield from _with_flag(slot, flag, text)
        return
    for text in texts:
        if text.startswith("-"):
            raise _option(slot, text, 'expansion = "loop", if the tool allows it')
    yield flag
    yield from texts


def _with_flag(slot: Slot, flag: str, text: str) -> tuple[str, ...]:
    """A flag and its value: in one word where the flag ends with ``=``, or the value looks like an option."""
    if flag.endswith("="):
        return (flag + text,)
    if not text.startswith("-"):
        return flag, text
    if flag.startswith("--"):
        return (f"{flag}={text}",)
    if len(flag) == 2:
        return (flag + text,)
    raise _option(slot, text, "a flag that ends with =")


def _operands(capability: ToolCapability, slot: Slot, values: Sequence[Value]) -> Iterator[str]:
    for value in values:
        text = written(slot, value)
        # The author's own words may be options; anybody else's may not.
        if text.startswith("-") and slot.type is not SlotType.ENUM and capability.command.end_of_options is None:
            raise _option(slot, text, 'end_of_options = "--", if the tool knows it')
        yield text


def _option(slot: Slot, text: str, remedy: str) -> SlotsError:
    hint = f"what its adapter can declare against that: {remedy}"
    return SlotsError([Fault(f"the tool would take {text!r} for an option", pointer=f"/{slot.name}", hint=hint)])
