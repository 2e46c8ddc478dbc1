"""Render what a tool's capability can be asked for in words: triggers, parameters, example requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.reporting.escape import escape
from verigate.tools.model import Category, Slot, SlotType, Tool, ToolCapability

_EXAMPLES: Mapping[SlotType, str] = {
    SlotType.INTEGER: "3",
    SlotType.DIMENSIONS: "640x480",
    SlotType.TIMESTAMP: "1:30",
    SlotType.STRING: "'some text'",
    SlotType.FILEPATH: "FILE",
}


def capability_document(tool: Tool, capability: ToolCapability, file: str) -> dict[str, Any]:
    """Return one capability as it stands in ``gate adapters show --json``. ``file`` declares it."""
    domain = capability.domain
    files = "any" if domain.match_any else [*domain.extensions, *domain.names, *domain.mimetypes]
    return {
        "name": tool.qualify(capability),
        "description": capability.description,
        "file": file,
        "aliases": list(tool.aliases),
        "program": capability.command.base,
        "install": tool.install,
        "destructive": capability.destructive,
        "files": files,
        "triggers": list(capability.triggers),
        "slots": [_slot_document(slot) for slot in capability.slots],
        "examples": list(_list_examples(capability)),
    }


def _slot_document(slot: Slot) -> dict[str, Any]:
    return {
        "name": slot.name,
        "category": slot.category.value,
        "type": slot.type.value,
        "required": slot.required,
        "many": slot.cardinality != 1,
        "description": slot.desc,
        "keywords": list(slot.keywords),
        "values": list(slot.values),
        "synonyms": dict(slot.synonyms),
        "units": [unit for unit in slot.units if unit],
        "extensions": list(slot.extensions),
        "default": slot.default,
    }


def _list_examples(capability: ToolCapability) -> Iterator[str]:
    """Yield requests with placeholders: what is required, then one more for each parameter that has a keyword."""
    options = {Category.CONSTRAINT, Category.ARGUMENT}
    needed = (slot for slot in capability.slots if slot.required and slot.category in options)
    parts = [capability.triggers[0], *map(_show_value, needed)]
    parts += ["FILE" for slot in capability.slots_of(Category.TARGET) if slot.type is SlotType.FILEPATH][:1]
    for slot in capability.slots_of(Category.DESTINATION):
        parts += ["to", f"NAME{slot.extensions[0]}" if slot.extensions else "NAME"]
    plain = " ".join(parts)
    yield plain
    for slot in capability.slots:
        if not slot.required and slot.keywords:
            value = "" if slot.type is SlotType.BOOLEAN else f" {_show_value(slot)}"
            yield f"{plain}, {slot.keywords[0]}{value}"


def _show_value(slot: Slot) -> str:
    if slot.type is SlotType.ENUM:
        return slot.values[0]
    if slot.type is SlotType.QUANTITY:
        return f"10{next((unit for unit in slot.units if unit), '')}"
    return _EXAMPLES.get(slot.type, slot.name)


def render_capabilities(documents: Sequence[Mapping[str, Any]]) -> str:
    """Render capabilities for people, an empty line between them."""
    return "\n".join("".join(f"{line}\n" for line in _render(each)) for each in documents)


def _render(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"{escape(document['name'])}  {escape(document['description'])}"
    if document["destructive"]:
        yield "  destructive  it is shown first, and needs a yes"
    installs = f" ({document['install']})" if document["install"] else ""
    yield f"  program      {escape(document['program'] + installs)}"
    files = document["files"] if isinstance(document["files"], str) else ", ".join(document["files"])
    yield f"  files        {escape(files)}"
    yield f"  triggers     {escape(', '.join(document['triggers']))}"
    for slot in document["slots"]:
        needed = "required " if slot["required"] else ""
        yield f"  {escape(slot['name'])}: {needed}{slot['category']} {slot['type']}: {escape(slot['description'])}"
        yield from _render_words(slot)
    yield "  examples"
    for example in document["examples"]:
        yield f"    {escape(example)}"


def _render_words(slot: Mapping[str, Any]) -> Iterator[str]:
    synonyms = [f"{word} (= {value})" for word, value in slot["synonyms"].items()]
    for name, words in (
        ("words", slot["keywords"]),
        ("one of", [*slot["values"], *synonyms]),
        ("units", slot["units"]),
        ("writes", slot["extensions"]),
    ):
        if words:
            yield f"      {name}: {escape(', '.join(words), limit=600)}"
