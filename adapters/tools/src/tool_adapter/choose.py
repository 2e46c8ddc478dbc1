"""Which values the slots of a capability get in a gate run: from the configuration, the commitment and the subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tool_adapter.subject import ToolSubject
from verigate.sdk import AdapterUsageError, Request
from verigate.sdk.scopes import named_by, read_committed_scope
from verigate.tools.matching import is_pattern, matches, select_paths
from verigate.tools.model import Category, Render, Slot, SlotType, Tool, ToolCapability
from verigate.tools.values import unguard_path


def chosen(request: Request, tool: Tool, capability: ToolCapability, subject: ToolSubject) -> dict[str, Any]:
    """What is given for each slot. An empty list for a target means that the subject has no such file.

    A target that is neither configured nor has a default gets the files of the capability's domain: those that the
    commitment's scope names together with those that the change touches, or all of them where no scope is named. So a
    scope can't keep a changed file from being looked at. Raises AdapterUsageError where nobody says which files.
    """
    name = tool.qualify(capability)
    configured = request.config.get(name, {})
    given = {key: value for key, value in configured.items() if value is not None}
    for slot in capability.slots_of(Category.TARGET):
        if slot.type is not SlotType.FILEPATH:
            continue
        if slot.name not in given and slot.default is None and slot.required:
            given[slot.name] = list(_own(request, capability, slot, subject, name))
        elif slot.name in given:
            given[slot.name] = [path for raw in _listed(given[slot.name]) for path in _expanded(raw, subject, name)]
        elif slot.default is not None:
            there = list(dict.fromkeys(path for raw in _listed(slot.default) for path in _there(raw, subject)))
            if there != _listed(slot.default):
                given[slot.name] = there
        if request.gated and _is_judged(capability, slot):
            given |= _without_folders(capability, slot, given, subject)
        if slot.cardinality == 1 and capability.loop_slot is not slot and len(given.get(slot.name, ())) == 1:
            given[slot.name] = given[slot.name][0]
    return given


def _own(request: Request, capability: ToolCapability, slot: Slot, subject: ToolSubject, name: str) -> Iterable[str]:
    if not (slot.is_many or slot is capability.loop_slot):
        hint = f'config/adapters.json: {{"{name.partition(":")[0]}": {{"{name}": {{"{slot.name}": ["PATH"]}}}}}}'
        raise AdapterUsageError(f"{name} is not told which files: {slot.desc}", where=f"/{slot.name}", hint=hint)
    fitting = (path for path in subject.paths if matches(capability.domain, path, subject.mime_type))
    scope = read_committed_scope(request.commitment)
    if scope is None:
        return fitting
    wanted = named_by(scope.files, scope.directory)
    return (path for path in fitting if wanted(path) or subject.changed is None or path in subject.changed)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _expanded(raw: Any, subject: ToolSubject, name: str) -> Iterable[Any]:
    if not isinstance(raw, str) or not is_pattern(raw):
        return (raw,)
    pattern = unguard_path(raw)
    # A file that is called like the pattern is one of those that it means: it must not hide the others.
    found = {
        *select_paths(pattern, [path for path in subject.places if path != pattern]),
        *({pattern} & {*subject.places}),
    }
    if not found:
        raise AdapterUsageError(f"no file of the subject matches {raw!r}", where=f"configuration of {name}")
    return sorted(found)


def _there(raw: Any, subject: ToolSubject) -> Iterable[Any]:
    """What a default means here: none of the subject's files where it names none that there is."""
    if not isinstance(raw, str) or raw.startswith(("/", "..")):
        return (raw,)
    path = unguard_path(raw)
    if path.rstrip("/") in {".", *subject.places}:
        return (raw,)
    return select_paths(path, subject.places) if is_pattern(path) else ()


def _is_judged(capability: ToolCapability, slot: Slot) -> bool:
    """Whether the slot holds the files that a report is about, each as a word of its own."""
    many = slot.is_many or capability.loop_slot is slot
    return capability.report is not None and many and slot.render is Render.POSITIONAL


def _without_folders(
    capability: ToolCapability, slot: Slot, given: Mapping[str, Any], subject: ToolSubject
) -> dict[str, Any]:
    """The values of a slot with the subject's files in the place of its folders.

    What a tool looks at in a folder is its own business: ripgrep leaves out what a file ``.ignore`` of the subject
    names, and would be said to have looked at it.
    """
    values = _listed(given.get(slot.name, slot.default or []))
    found: list[Any] = []
    for value in values:
        folder = unguard_path(value) if isinstance(value, str) else value
        if not isinstance(folder, str) or folder in subject.known or folder.rstrip("/") not in {".", *subject.places}:
            found.append(value)
            continue
        below = subject.below(folder)
        found += [path for path in below if matches(capability.domain, path, subject.mime_type)]
    return {slot.name: list(dict.fromkeys(found))} if found != values else {}
