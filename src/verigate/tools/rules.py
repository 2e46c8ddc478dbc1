"""Check what the schema of a tool adapter's file can't: names that refer to each other, values that fit their slot.

The rules are those of the first source document, and those that make command lines unambiguous. Each takes the parsed
document, well formed or not, and yields every fault with its place and a hint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.task_folder import LOGS_FOLDER, VERIFIER_FOLDER
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name
from verigate.tools.document import REPORT_FIELDS
from verigate.tools.model import MANY, Category, Render, Slot, SlotType
from verigate.tools.request_rules import check_request_keys
from verigate.tools.templates import check_template
from verigate.tools.values import ValueFault, parse_value

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_RELATIVE = re.compile(r"(?:[0-9]+(?:#|(?:/.*)?)|/.*)", re.DOTALL)
_TAKEN = (LOGS_FOLDER, VERIFIER_FOLDER)
"""Folders of a task that no adapter may write to."""
_OWN_OUTPUT = ("stdout", "stderr")


def find_faults(document: Any) -> tuple[Fault, ...]:
    """Return every fault of a document, each with its JSON pointer."""
    document = _as_table(document)
    capabilities = _as_tables(document.get("capabilities"))
    domains = {str(item.get("name")) for _, item in _as_tables(document.get("domains"))}
    found = [
        *_check_aliases(_as_table(document.get("adapter"))),
        *_check_unique(_as_tables(document.get("domains")), "domains"),
        *_check_unique(capabilities, "capabilities"),
    ]
    for index, item in capabilities:
        found += _check_capability(item, f"/capabilities/{index}", domains)
    return tuple(found)


def _check_aliases(adapter: Mapping[str, Any]) -> Iterator[Fault]:
    aliases = [alias for alias in _as_list(adapter.get("aliases")) if isinstance(alias, str)]
    if aliases and not _NAME.fullmatch(aliases[0]):
        hint = "use lower case letters, digits, - and _; other aliases may follow"
        message = f"the first alias names the capabilities in a plan ({aliases[0]}:...), and this one can't"
        yield Fault(message, pointer="/adapter/aliases/0", hint=hint)
    elif aliases and aliases[0] in _TAKEN:
        message = f"artifacts go into a folder named by the first alias, and {aliases[0]} is reserved for the gate"
        yield Fault(message, pointer="/adapter/aliases/0", hint="put another alias first")
    seen: set[str] = set()
    for index, alias in enumerate(aliases):
        if alias.casefold() in seen:
            yield Fault(f"the alias {alias!r} appears twice", pointer=f"/adapter/aliases/{index}", hint="remove one")
        seen.add(alias.casefold())


def _check_unique(items: list[tuple[int, Mapping[str, Any]]], kind: str) -> Iterator[Fault]:
    seen: dict[Any, int] = {}
    for index, item in items:
        name = item.get("name")
        if isinstance(name, str) and name in seen:
            message = f"{name!r} is the name of entry {seen[name] + 1} already"
            yield Fault(message, pointer=f"/{kind}/{index}/name", hint="give each a name of its own")
        elif isinstance(name, str):
            seen[name] = index


def _check_capability(item: Mapping[str, Any], place: str, domains: set[str]) -> Iterator[Fault]:
    domain = item.get("domain")
    if isinstance(domain, str) and domain not in domains:
        hint = suggest_name(domain, domains) or "declare it in [[domains]]"
        yield Fault(f"there is no domain {domain!r}", pointer=f"{place}/domain", hint=hint)
    slots = {name: slot for name, slot in _as_table(item.get("slots")).items() if isinstance(slot, Mapping)}
    if "slots" in item and not any(slot.get("category") == Category.TARGET for slot in slots.values()):
        hint = 'give the slot that it operates on category = "TARGET"'
        yield Fault("no slot has the category TARGET", pointer=f"{place}/slots", hint=hint)
    for name, slot in slots.items():
        yield from _check_slot(slot, f"{place}/slots/{pointer.escape(name)}")
        yield from check_request_keys(slot, _as_list(item.get("triggers")), f"{place}/slots/{pointer.escape(name)}")
    command = _as_table(item.get("command"))
    yield from _check_order(command, slots, f"{place}/command")
    yield from _check_loop(command, slots, f"{place}/command")
    yield from _check_flags(slots, f"{place}/slots")
    yield from _check_batches(command, slots, item.get("report"), f"{place}/command")
    if isinstance(item.get("report"), Mapping):
        yield from _check_report(item["report"], f"{place}/report")
        yield from _check_report_source(item["report"], command, slots, f"{place}/report")


def _check_slot(slot: Mapping[str, Any], place: str) -> Iterator[Fault]:
    kind, render, flag = slot.get("type"), slot.get("render"), slot.get("flag")
    if kind == SlotType.BOOLEAN and render == Render.POSITIONAL:
        hint = 'render = "flag"'
        yield Fault("a boolean is the presence of a flag and has no position", pointer=f"{place}/render", hint=hint)
    if kind == SlotType.BOOLEAN and slot.get("cardinality", 1) != 1:
        yield Fault(
            "a boolean takes no values, so it can't be repeated", pointer=f"{place}/cardinality", hint="leave it out"
        )
    several = _is_multiple(slot) and slot.get("expansion") == "inline" and "separator" not in slot
    if isinstance(flag, str) and flag.endswith("=") and several:
        hint = 'expansion = "loop"'
        yield Fault(f"{flag} takes one value, not several in one word", pointer=f"{place}/expansion", hint=hint)
    if isinstance(kind, str) and kind in set(SlotType):
        yield from _check_format(slot, SlotType(kind), place)
        yield from _check_default(slot, SlotType(kind), place)


def _is_multiple(slot: Mapping[str, Any]) -> bool:
    return bool(slot.get("cardinality", 1) != 1)


def _check_format(slot: Mapping[str, Any], kind: SlotType, place: str) -> Iterator[Fault]:
    template, units = slot.get("format"), _as_table(slot.get("units"))
    if units and kind is not SlotType.QUANTITY:
        yield Fault(f"a {kind.value} has no units", pointer=f"{place}/units", hint='type = "quantity"')
    if not isinstance(template, str):
        return
    if kind is SlotType.BOOLEAN:
        yield Fault("a boolean has no value to format", pointer=f"{place}/format", hint="leave it out")
    elif problem := check_template(kind, template):
        yield Fault(f"{template!r}: {problem}", pointer=f"{place}/format")
    elif kind is SlotType.QUANTITY and "{unit}" not in template and len(set(map(str, units.values()))) != 1:
        hint = "put {unit} into the format, or declare in units the one unit that is meant"
        yield Fault("the unit would be lost", pointer=f"{place}/format", hint=hint)


def _check_default(slot: Mapping[str, Any], kind: SlotType, place: str) -> Iterator[Fault]:
    if "default" not in slot:
        return
    default, where = slot["default"], f"{place}/default"
    if isinstance(default, list) and not _is_multiple(slot):
        yield Fault("it takes one value, and the default is a list", pointer=where, hint="write the value alone")
        return
    count = slot.get("cardinality", 1)
    listed = default if isinstance(default, list) else [default]
    if isinstance(count, int) and count > 1 and len(listed) != count:
        yield Fault(f"it takes {count} values, and the default has {len(listed)}", pointer=where)
    values = tuple(value for value in _as_list(slot.get("values")) if isinstance(value, str))
    units = {str(unit): str(text) for unit, text in _as_table(slot.get("units")).items()}
    probe = Slot("default", Category.ARGUMENT, kind, False, "", Render.FLAG, values=values, units=units)
    for item in listed:
        try:
            parse_value(probe, item)
        except ValueFault as problem:
            yield Fault(
                f"the default isn't a value of the type {kind.value}: {problem}", pointer=where, hint=problem.hint
            )


def _check_order(command: Mapping[str, Any], slots: Mapping[str, Any], place: str) -> Iterator[Fault]:
    positional = [name for name, slot in slots.items() if slot.get("render") == Render.POSITIONAL]
    order = [name for name in _as_list(command.get("positional_order")) if isinstance(name, str)]
    for index, name in enumerate(order):
        where = f"{place}/positional_order/{index}"
        if name not in slots:
            hint = suggest_name(name, positional)
            yield Fault(f"positional_order names {name!r}, which isn't a slot", pointer=where, hint=hint)
        elif name not in positional:
            hint = 'render = "positional", or leave it out of positional_order'
            yield Fault(f"positional_order names {name!r}, which is rendered as a flag", pointer=where, hint=hint)
        elif name in order[:index]:
            yield Fault(f"positional_order names {name!r} twice", pointer=where, hint="remove one")
    for name in positional:
        if name not in order:
            hint = f"positional_order = [{', '.join(map(repr, [*order, name]))}]".replace("'", '"')
            message = f"the slot {name!r} is positional, but positional_order doesn't list it"
            yield Fault(message, pointer=f"{place}/positional_order" if order else place, hint=hint)
    after = command.get("flags_after")
    if isinstance(after, str):
        if after not in order:
            hint = suggest_name(after, order)
            yield Fault(
                f"flags_after names {after!r}, which has no position", pointer=f"{place}/flags_after", hint=hint
            )
        if command.get("end_of_options") is not None:
            message = "no flag may follow end_of_options, so flags_after has no effect"
            yield Fault(message, pointer=f"{place}/flags_after", hint="keep one of the two")
    looped = _find_loop_slot(command, slots)
    open_ended = [name for name in order if name in slots and name != looped and _is_open(slots[name])]
    if len(open_ended) > 1:
        hint = "give one of them a flag, a fixed cardinality, or a default"
        message = f"it is ambiguous where {open_ended[0]!r} ends and {open_ended[1]!r} begins: both may have any number"
        yield Fault(message, pointer=f"{place}/positional_order", hint=hint)


def _is_open(slot: Mapping[str, Any]) -> bool:
    return bool(slot.get("cardinality") == MANY or (slot.get("required") is False and "default" not in slot))


def _find_loop_slot(command: Mapping[str, Any], slots: Mapping[str, Any]) -> str | None:
    if command.get("execution") != "loop":
        return None
    targets = [name for name, slot in slots.items() if slot.get("category") == Category.TARGET]
    many = [name for name in targets if slots[name].get("cardinality") == MANY]
    return next(iter(many or targets), None)


def _check_loop(command: Mapping[str, Any], slots: Mapping[str, Any], place: str) -> Iterator[Fault]:
    targets = [name for name, slot in slots.items() if slot.get("category") == Category.TARGET and _is_multiple(slot)]
    if command.get("execution") == "loop" and len(targets) > 1:
        message = f"it is ambiguous whether to loop over {' or '.join(map(repr, targets))}"
        hint = 'under execution = "loop", let only one TARGET be many'
        yield Fault(message, pointer=f"{place}/execution", hint=hint)


def _check_batches(command: Mapping[str, Any], slots: Mapping[str, Any], report: Any, place: str) -> Iterator[Fault]:
    if command.get("batches") is not True:
        return
    many = [name for name, slot in slots.items() if slot.get("category") == Category.TARGET and _is_multiple(slot)]
    source = report.get("source", "stdout") if isinstance(report, Mapping) else "stdout"
    if command.get("execution") == "loop" or not many:
        hint = "leave batches out"
        yield Fault("only one invocation for many targets has batches", pointer=f"{place}/batches", hint=hint)
    elif source not in _OWN_OUTPUT:
        hint = "a report on stdout, or no batches"
        yield Fault("each batch would write the same report", pointer=f"{place}/batches", hint=hint)


def _check_flags(slots: Mapping[str, Any], place: str) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for name, slot in slots.items():
        flag = slot.get("flag")
        if slot.get("render") != Render.FLAG or not isinstance(flag, str):
            continue
        first = slots[seen[flag]] if flag in seen else slot
        joined = isinstance(first.get("separator"), str) and first.get("separator") == slot.get("separator")
        if flag in seen and not joined:
            message = f"the slots {seen[flag]!r} and {name!r} have the flag {flag}"
            hint = "give each slot its own flag, or both the same separator: their values are then one word"
            yield Fault(message, pointer=f"{place}/{pointer.escape(name)}/flag", hint=hint)
        seen.setdefault(flag, name)


def _check_report(report: Mapping[str, Any], place: str) -> Iterator[Fault]:
    for name in (*REPORT_FIELDS, "findings"):
        text = report.get(name)
        wanted = name == "findings" and isinstance(text, str) and not (text == "" or text.startswith("/"))
        if wanted or (name != "findings" and isinstance(text, str) and not _RELATIVE.fullmatch(text)):
            hint = "findings: /a/* from the top; others: /key in a finding, 1/key one level above it, 1# its name there"
            yield Fault(f"{text!r} isn't a pointer", pointer=f"{place}/{name}", hint=hint)
    both = sorted(set(_as_list(report.get("clean", [0]))) & set(_as_list(report.get("found", [1]))), key=str)
    if both:
        message = f"the exit code {both[0]} can't mean both that something was found and that nothing was"
        yield Fault(message, pointer=f"{place}/found", hint="found = []")
    for name in ("pattern", "skip", "examined", "skipped"):
        text = report.get(name)
        if not isinstance(text, str) or (name == "skipped" and report.get("format") == "json" and text[:1] == "/"):
            continue
        try:
            groups = re.compile(text).groupindex
        except re.error as problem:
            yield Fault(f"it isn't a regular expression: {problem}", pointer=f"{place}/{name}")
            continue
        if name != "skip" and "path" not in groups:
            more = f", and of {', '.join(REPORT_FIELDS[1:])} what there is" if name == "pattern" else ""
            message = f"the {'pattern' if name == 'pattern' else 'expression'} has no group that is the file's path"
            yield Fault(message, pointer=f"{place}/{name}", hint=f"(?P<path>...){more}")


def _check_report_source(
    report: Mapping[str, Any], command: Mapping[str, Any], slots: Mapping[str, Any], place: str
) -> Iterator[Fault]:
    source = report.get("source", "stdout")
    if isinstance(source, str) and source not in _OWN_OUTPUT:
        slot = slots.get(source)
        destinations = [name for name, each in slots.items() if each.get("category") == Category.DESTINATION]
        if not isinstance(slot, Mapping) or slot.get("category") != Category.DESTINATION:
            message = f"the report is in {source!r}, which is neither stdout, stderr nor a DESTINATION slot"
            yield Fault(message, pointer=f"{place}/source", hint=suggest_name(source, [*_OWN_OUTPUT, *destinations]))
    if isinstance(source, str) and source not in _OWN_OUTPUT and command.get("execution") == "loop":
        hint = 'execution = "single", or a report on stdout'
        yield Fault("each invocation would write the same report", pointer=f"{place}/source", hint=hint)


def _as_table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _as_tables(value: Any) -> list[tuple[int, Mapping[str, Any]]]:
    return [(index, item) for index, item in enumerate(_as_list(value)) if isinstance(item, Mapping)]
