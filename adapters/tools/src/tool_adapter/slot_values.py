"""Choose the slot values of a capability in a gate run, from configuration, commitment and subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tool_adapter.tool_subject import ToolSubject
from verigate.sdk import AdapterUsageError, Request
from verigate.sdk.scopes import named_by, read_committed_scope
from verigate.tools.matching import is_pattern, matches, select_paths
from verigate.tools.model import Category, Render, Slot, SlotType, Tool, ToolCapability
from verigate.tools.values import unguard_path


def choose_slot_values(
    request: Request, tool: Tool, capability: ToolCapability, subject: ToolSubject
) -> dict[str, Any]:
    """Choose the value of each slot. An empty list for a target means that the subject has no such file.

    A target without configuration and default gets the files of the capability's domain: those in the commitment's
    scope and those that the change touches, or all without a scope. So a scope can't hide a changed file. Raises
    AdapterUsageError if the files of a target are unknown.
    """
    name = tool.qualify(capability)
    configured = request.config.get(name, {})
    given = {key: value for key, value in configured.items() if value is not None}
    for slot in capability.slots_of(Category.TARGET):
        if slot.type is not SlotType.FILEPATH:
            continue
        if slot.name not in given and slot.default is None and slot.required:
            given[slot.name] = list(_domain_files(request, capability, slot, subject, name))
        elif slot.name in given:
            given[slot.name] = [
                path for raw in _as_list(given[slot.name]) for path in _expand_pattern(raw, subject, name)
            ]
        elif slot.default is not None:
            there = list(
                dict.fromkeys(path for raw in _as_list(slot.default) for path in _expand_default(raw, subject))
            )
            if there != _as_list(slot.default):
                given[slot.name] = there
        if request.gated and _is_reported(capability, slot):
            given |= _expand_folders(capability, slot, given, subject)
        if slot.cardinality == 1 and capability.loop_slot is not slot and len(given.get(slot.name, ())) == 1:
            given[slot.name] = given[slot.name][0]
    return given


def _domain_files(
    request: Request, capability: ToolCapability, slot: Slot, subject: ToolSubject, name: str
) -> Iterable[str]:
    if not (slot.is_many or slot is capability.loop_slot):
        hint = f'config/adapters.json: {{"{name.partition(":")[0]}": {{"{name}": {{"{slot.name}": ["PATH"]}}}}}}'
        raise AdapterUsageError(f"no file is configured for {name}: {slot.desc}", where=f"/{slot.name}", hint=hint)
    fitting = (path for path in subject.paths if matches(capability.domain, path, subject.mime_type))
    scope = read_committed_scope(request.commitment)
    if scope is None:
        return fitting
    wanted = named_by(scope.files, scope.directory)
    return (path for path in fitting if wanted(path) or subject.changed is None or path in subject.changed)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _expand_pattern(raw: Any, subject: ToolSubject, name: str) -> Iterable[Any]:
    if not isinstance(raw, str) or not is_pattern(raw):
        return (raw,)
    pattern = unguard_path(raw)
    # A file whose name equals the pattern must not hide the other matches.
    found = {
        *select_paths(pattern, [path for path in subject.places if path != pattern]),
        *({pattern} & {*subject.places}),
    }
    if not found:
        raise AdapterUsageError(f"no file of the subject matches {raw!r}", where=f"configuration of {name}")
    return sorted(found)


def _expand_default(raw: Any, subject: ToolSubject) -> Iterable[Any]:
    """Expand a default to existing paths of the subject."""
    if not isinstance(raw, str) or raw.startswith(("/", "..")):
        return (raw,)
    path = unguard_path(raw)
    if path.rstrip("/") in {".", *subject.places}:
        return (raw,)
    return select_paths(path, subject.places) if is_pattern(path) else ()


def _is_reported(capability: ToolCapability, slot: Slot) -> bool:
    """Whether the slot holds the files of a report, each as its own argument."""
    many = slot.is_many or capability.loop_slot is slot
    return capability.report is not None and many and slot.render is Render.POSITIONAL


def _expand_folders(
    capability: ToolCapability, slot: Slot, given: Mapping[str, Any], subject: ToolSubject
) -> dict[str, Any]:
    """Replace folders in the values of a slot by the subject's files in them.

    Tools select files in a folder by their own rules: ripgrep, for example, skips files that the subject's ``.ignore``
    names, yet they would count as examined.
    """
    values = _as_list(given.get(slot.name, slot.default or []))
    found: list[Any] = []
    for value in values:
        folder = unguard_path(value) if isinstance(value, str) else value
        if not isinstance(folder, str) or folder in subject.known or folder.rstrip("/") not in {".", *subject.places}:
            found.append(value)
            continue
        below = subject.below(folder)
        found += [path for path in below if matches(capability.domain, path, subject.mime_type)]
    return {slot.name: list(dict.fromkeys(found))} if found != values else {}
