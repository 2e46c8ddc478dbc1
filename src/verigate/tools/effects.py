"""Resolve what a command does to files, by its tool's file: which are read, written, changed or removed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability
from verigate.tools.slots import Filled


def find_folder_flag(capability: ToolCapability) -> Slot | None:
    """Find the boolean slot that allows folders as targets: the one with the keyword "folders"."""
    return next(
        (slot for slot in capability.slots if slot.type is SlotType.BOOLEAN and "folders" in slot.keywords), None
    )


def find_output_folder(capability: ToolCapability) -> Slot | None:
    """Find the argument that is the folder where results go, where no slot is a destination: ``tar --directory``."""
    if any(slot.type is SlotType.FILEPATH for slot in capability.slots_of(Category.DESTINATION)):
        return None
    paths = (slot for slot in capability.slots_of(Category.ARGUMENT) if slot.type is SlotType.FILEPATH)
    return next((slot for slot in paths if "folder" in slot.desc.lower()), None)


class AffectedPath(NamedTuple):
    """A path that a command names, and the effect on it."""

    path: str
    effect: Effect


def resolve_effect(capability: ToolCapability, slot: Slot) -> Effect:
    """Return the declared effect; by default destinations are written, and targets of destructive commands changed."""
    if slot.effect is not None:
        return slot.effect
    if slot.category is Category.DESTINATION:
        return Effect.WRITES
    return Effect.CHANGES if capability.destructive and slot.category is Category.TARGET else Effect.READS


def list_affected_paths(
    capability: ToolCapability, filled: Filled, folders: frozenset[str] = frozenset()
) -> tuple[AffectedPath, ...]:
    """Return every path that the command does more than read, in the order of the slots, without duplicates.

    ``folders`` are the destinations that are existing folders: results are written below them.
    """
    found = dict.fromkeys(_walk_effects(capability, filled, folders))
    return tuple(found)


def _walk_effects(capability: ToolCapability, filled: Filled, folders: frozenset[str]) -> Iterator[AffectedPath]:
    paths = [slot for slot in capability.slots if slot.type is SlotType.FILEPATH and slot.name in filled]
    targets = [str(value) for slot in paths if slot.category is Category.TARGET for value in filled[slot.name]]
    for slot in paths:
        effect = resolve_effect(capability, slot)
        if effect is Effect.READS:
            continue
        for value in map(str, filled[slot.name]):
            into = slot.category is Category.DESTINATION and (value in folders or value.endswith("/"))
            if into and capability.loop_slot is None:
                for target in targets:
                    yield AffectedPath(posixpath.join(value, posixpath.basename(target.rstrip("/"))), effect)
            else:
                yield AffectedPath(value, effect)
