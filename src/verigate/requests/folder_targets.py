"""Handle folders as targets of tools that need a flag for them, such as ``rm -r`` and ``cp -r``.

The flag is a boolean slot with the keyword "folders". It is implied where the folder is only read; where the folder is
removed or changed, the request must say that it is one.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from verigate.requests.reading import Surroundings
from verigate.tools.effects import find_folder_flag, resolve_effect
from verigate.tools.matching import is_pattern
from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability


def find_unannounced_folder(
    capability: ToolCapability, given: Mapping[str, Any], around: Surroundings
) -> tuple[str, Slot] | None:
    """Find the first target that is a folder, and the flag that it needs and that isn't given."""
    flag = find_folder_flag(capability)
    if flag is None or given.get(flag.name):
        return None
    return next(((path, flag) for path in _list_targets(capability, given) if around.is_folder(path)), None)


def imply_folders(capability: ToolCapability, given: MutableMapping[str, Any], around: Surroundings) -> None:
    """Set the flag where that is safe: the folder is only read, or written as ``dist/``."""
    found = find_unannounced_folder(capability, given, around)
    if found is None:
        return
    reads = all(
        resolve_effect(capability, slot) is Effect.READS
        for slot in capability.slots_of(Category.TARGET)
        if slot.type is SlotType.FILEPATH
    )
    if reads or all(path.endswith("/") for path in _list_targets(capability, given) if around.is_folder(path)):
        given[found[1].name] = True


def find_missing_folder(capability: ToolCapability, given: Mapping[str, Any], around: Surroundings) -> str | None:
    """Return the destination of several targets if it isn't a folder and isn't written like one."""
    targets = _list_targets(capability, given)
    if capability.loop_slot is not None or (len(targets) < 2 and not any(map(is_pattern, targets))):
        return None
    for slot in capability.slots_of(Category.DESTINATION):
        path = given.get(slot.name)
        if slot.type is SlotType.FILEPATH and isinstance(path, str) and "folder" in slot.desc.lower():
            return None if path.endswith("/") or around.is_folder(path) else path
    return None


def _list_targets(capability: ToolCapability, given: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for slot in capability.slots_of(Category.TARGET):
        if slot.type is SlotType.FILEPATH and slot.name in given:
            value = given[slot.name]
            found += [str(item) for item in (value if isinstance(value, list) else [value])]
    return found
