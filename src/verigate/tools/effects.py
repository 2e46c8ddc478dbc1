"""What a command does to files, as far as its tool's file says: which are read, written, changed or removed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability
from verigate.tools.slots import Filled


def folder_flag(capability: ToolCapability) -> Slot | None:
    """The boolean slot that folders among the targets need: the one that the word "folders" announces."""
    return next(
        (slot for slot in capability.slots if slot.type is SlotType.BOOLEAN and "folders" in slot.keywords), None
    )


class Affected(NamedTuple):
    """A path that a command names, and what happens to it."""

    path: str
    effect: Effect


def effect_of(capability: ToolCapability, slot: Slot) -> Effect:
    """What is declared; else destinations are written, and targets of what is destructive may be changed."""
    if slot.effect is not None:
        return slot.effect
    if slot.category is Category.DESTINATION:
        return Effect.WRITES
    return Effect.CHANGES if capability.destructive and slot.category is Category.TARGET else Effect.READS


def affected(capability: ToolCapability, filled: Filled, folders: frozenset[str] = frozenset()) -> tuple[Affected, ...]:
    """Every path that the command does more to than read, in the order of the slots; each once.

    ``folders`` are the destinations that are folders already: what is put into one is written below it.
    """
    found = dict.fromkeys(_each(capability, filled, folders))
    return tuple(found)


def _each(capability: ToolCapability, filled: Filled, folders: frozenset[str]) -> Iterator[Affected]:
    paths = [slot for slot in capability.slots if slot.type is SlotType.FILEPATH and slot.name in filled]
    targets = [str(value) for slot in paths if slot.category is Category.TARGET for value in filled[slot.name]]
    for slot in paths:
        effect = effect_of(capability, slot)
        if effect is Effect.READS:
            continue
        for value in map(str, filled[slot.name]):
            into = slot.category is Category.DESTINATION and (value in folders or value.endswith("/"))
            if into and capability.looped is None:
                for target in targets:
                    yield Affected(posixpath.join(value, posixpath.basename(target.rstrip("/"))), effect)
            else:
                yield Affected(value, effect)
