"""Which values the slots of a capability get in a gate run: from the configuration, the commitment and the subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tool_adapter.subject import Subject
from verigate.domain.scope_paths import named_by
from verigate.domain.tool.matching import is_pattern, matches, select
from verigate.domain.tool.model import Category, Slot, SlotType, Tool, ToolCapability
from verigate.domain.tool.values import plain_path
from verigate.sdk import AdapterUsageError, Request


def chosen(request: Request, tool: Tool, capability: ToolCapability, subject: Subject) -> dict[str, Any]:
    """What is given for each slot. An empty list for a target means that the subject has no such file.

    A target that is neither configured nor has a default gets the files of the capability's domain: those that the
    commitment's scope names together with those that the change touches, or all of them where no scope is named. So a
    scope can't keep a changed file from being looked at. Raises AdapterUsageError where nobody says which files.
    """
    name = tool.qualified(capability)
    configured = request.config.get(name, {})
    given = {key: value for key, value in configured.items() if value is not None}
    for slot in capability.of(Category.TARGET):
        if slot.type is not SlotType.FILEPATH:
            continue
        if slot.name not in given and slot.default is None and slot.required:
            given[slot.name] = list(_own(request, capability, slot, subject, name))
        elif slot.name in given:
            given[slot.name] = [path for raw in _listed(given[slot.name]) for path in _expanded(raw, subject, name)]
        if slot.cardinality == 1 and capability.looped is not slot and len(given.get(slot.name, ())) == 1:
            given[slot.name] = given[slot.name][0]
    return given


def _own(request: Request, capability: ToolCapability, slot: Slot, subject: Subject, name: str) -> Iterable[str]:
    if not (slot.is_many or slot is capability.looped):
        hint = f'config/adapters.json: {{"{name.partition(":")[0]}": {{"{name}": {{"{slot.name}": ["PATH"]}}}}}}'
        raise AdapterUsageError(f"{name} is not told which files: {slot.desc}", where=f"/{slot.name}", hint=hint)
    fitting = (path for path in subject.files if matches(capability.domain, path, subject.mime_type))
    scope = _scope(request.commitment)
    if scope is None:
        return fitting
    wanted = named_by(*scope)
    return (path for path in fitting if wanted(path) or subject.changed is None or path in subject.changed)


def _scope(commitment: Mapping[str, Any]) -> tuple[list[str], str | None] | None:
    commitments = commitment.get("commitments")
    scope = commitments.get("scope") if isinstance(commitments, Mapping) else None
    if not isinstance(scope, Mapping):
        return None
    files = [path for path in scope.get("files") or () if isinstance(path, str)]
    folder = scope.get("target_directory")
    folder = folder if isinstance(folder, str) and folder.strip("/") not in {"", "."} else None
    return (files, folder) if files or folder else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _expanded(raw: Any, subject: Subject, name: str) -> Iterable[Any]:
    if not isinstance(raw, str) or not is_pattern(raw):
        return (raw,)
    found = select(plain_path(raw), subject.paths)
    if not found:
        raise AdapterUsageError(f"no file of the subject matches {raw!r}", where=f"configuration of {name}")
    return found
