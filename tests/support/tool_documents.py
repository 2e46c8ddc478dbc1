"""Documents of tool adapters for tests: the source document's own example, and any that is valid."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import strategies as st

from verigate.tools.document import to_tool
from verigate.tools.model import Expansion, Render, Slot, SlotType, ToolCapability
from verigate.tools.values import Dimensions, Quantity, Timestamp, Value

UNIX = """\
#:schema ../schemas/adapter.schema.json
[adapter]
name    = "UNIX File Management"
aliases = ["unix", "filesystem", "fs"]

[[domains]]
name        = "filesystem"
description = "Any file or directory regardless of type"
match       = "any"

[[capabilities]]
domain      = "filesystem"
name        = "move"
triggers    = ["move", "put", "shift", "transfer", "relocate"]
description = "Move one or more files or directories to a destination"
destructive = true
command     = { base = "mv", positional_order = ["source", "destination"], execution = "single" }

[capabilities.slots]
source      = { category = "TARGET", type = "filepath", required = true, cardinality = "many", expansion = "inline", render = "positional", desc = "Files to move" }
destination = { category = "DESTINATION", type = "filepath", required = true, cardinality = 1, render = "positional", desc = "Location to move files into" }
no_clobber  = { category = "ARGUMENT", type = "boolean", required = false, default = false, render = "flag", flag = "-n", desc = "Do not overwrite existing files" }
verbose     = { category = "ARGUMENT", type = "boolean", required = false, default = false, render = "flag", flag = "-v", desc = "Print each file as it is moved" }
"""  # noqa: E501
"""The example of the first source document, section by section."""


def unix() -> dict[str, Any]:
    """UNIX as a document, fresh at each call."""
    return tomllib.loads(UNIX)


def capability(command: dict[str, Any], slots: dict[str, dict[str, Any]], **more: Any) -> ToolCapability:
    """A capability with these parts, everything else filled in."""
    filled = {
        name: {"category": "ARGUMENT", "required": False, "desc": name, "render": "flag", **slot}
        for name, slot in slots.items()
    }
    document = {
        "adapter": {"name": "Tool", "aliases": ["tool"]},
        "domains": [{"name": "any", "description": "", "match": "any"}],
        "capabilities": [
            {
                "domain": "any",
                "name": "act",
                "triggers": ["act"],
                "description": "",
                "destructive": False,
                "command": command,
                "slots": filled,
                **more,
            }
        ],
    }
    return to_tool(document).capabilities[0]


_FLAGS = ("-a", "-b", "-c", "--alpha", "--beta", "--gamma=", "-long", "in=", "+plus")
_words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
_paths = st.one_of(
    st.sampled_from(["-rf", "$(x)", "`x`", "a b", "--", "-", "a;rm -rf /", "@list", "host:x", "a=b", "*", "/abs", "."]),
    _words.filter(bool),
)
_numbers = st.decimals(0, 10**6, places=3, allow_nan=False, allow_infinity=False)


@st.composite
def capabilities(draw: st.DrawFn) -> ToolCapability:
    """Any capability that the rules accept, in all types, categories, expansions and executions."""
    looped = draw(st.booleans())
    end = draw(st.sampled_from([None, "--"]))
    target_many = draw(st.booleans())
    slots: dict[str, dict[str, Any]] = {}
    target: dict[str, Any] = {"category": "TARGET", "type": "filepath", "required": True}
    target |= {"cardinality": "many", "expansion": draw(st.sampled_from(["inline", "loop"]))} if target_many else {}
    positional = draw(st.booleans())
    target |= {"render": "positional"} if positional else {"render": "flag", "flag": "-i"}
    slots["target"] = target
    order = ["target"] if positional else []
    if draw(st.booleans()):
        pattern = {"type": "string", "required": True, "render": "positional", "category": "CONSTRAINT"}
        slots["pattern"] = pattern
        order.insert(draw(st.integers(0, len(order))), "pattern")
    if draw(st.booleans()):
        slots["out"] = {"category": "DESTINATION", "type": "filepath", "required": True, "render": "positional"}
        order.append("out")
    flags = list(_FLAGS)
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(list(SlotType)))
        flag = draw(st.sampled_from(flags))
        flags.remove(flag)
        slot: dict[str, Any] = {"type": kind.value, "flag": flag, "required": draw(st.booleans())}
        if kind is SlotType.ENUM:
            slot["values"] = ["h264", "h265", "vp9"]
        if kind is SlotType.QUANTITY and draw(st.booleans()):
            slot["units"] = {"Mbps": "M", "kbps": "k", "": ""}
        if kind is not SlotType.BOOLEAN and draw(st.booleans()):
            slot |= {"cardinality": draw(st.sampled_from([2, "many"])), "expansion": "loop"}
            if not flag.endswith("=") and not order:
                slot["expansion"] = draw(st.sampled_from(["inline", "loop"]))
        formats = {
            SlotType.DIMENSIONS: ["scale={width}:{height}", "{width}x{height}!"],
            SlotType.TIMESTAMP: ["{seconds}", "@{hms}"],
            SlotType.STRING: ["title={value}"],
            SlotType.INTEGER: ["n{value}"],
        }
        if kind in formats and draw(st.booleans()):
            slot["format"] = draw(st.sampled_from(formats[kind]))
        slots[f"slot{number}"] = slot
    arguments: list[list[str]] = [[], ["run", "-q"]]
    command: dict[str, Any] = {"base": "tool", "args": draw(st.sampled_from(arguments))}
    command |= {"positional_order": order, "execution": "loop" if looped else "single"}
    if end is not None:
        command["end_of_options"] = end
    elif len(order) > 0 and draw(st.booleans()):
        command["flags_after"] = draw(st.sampled_from(order))
    return capability(command, slots)


@st.composite
def slots_of(draw: st.DrawFn, chosen: ToolCapability) -> dict[str, Any]:
    """What may be given for the slots of a capability."""
    given: dict[str, Any] = {}
    count = draw(st.integers(1, 4))
    for slot in chosen.slots:
        if not slot.required and draw(st.booleans()):
            continue
        inline = slot.render is Render.FLAG and slot.expansion is Expansion.INLINE
        # What looks like an option can't stand among several values after one flag; that is refused, and tested so.
        may_look_like_option = not (inline and slot.cardinality != 1) and chosen.command.end_of_options is not None
        one = values_of(slot, may_look_like_option)
        if slot is chosen.loop_slot or slot.is_many:
            given[slot.name] = draw(st.lists(one, min_size=count, max_size=count))
        elif slot.category.value == "DESTINATION" and chosen.loop_slot is not None:
            given[slot.name] = "out/"
        elif slot.cardinality == 1:
            given[slot.name] = draw(one)
        else:
            given[slot.name] = draw(st.lists(one, min_size=int(slot.cardinality), max_size=int(slot.cardinality)))
    return given


def values_of(slot: Slot, may_look_like_option: bool) -> st.SearchStrategy[Value]:
    """Values of a slot's type; with ``may_look_like_option`` also text that begins with ``-``."""
    texts = _words if may_look_like_option and slot.flag != "-long" else _words.filter(lambda t: not t.startswith("-"))
    units = list(slot.units) or ["MB", "x", "fps", "%", ""]
    kinds: dict[SlotType, st.SearchStrategy[Any]] = {
        SlotType.FILEPATH: _paths,
        SlotType.BOOLEAN: st.booleans(),
        SlotType.INTEGER: st.integers(0, 10**9),
        SlotType.QUANTITY: st.builds(Quantity, _numbers, st.sampled_from(units)),
        SlotType.DIMENSIONS: st.builds(Dimensions, st.integers(1, 99999), st.integers(1, 99999)),
        SlotType.TIMESTAMP: st.builds(Timestamp, _numbers),
        SlotType.ENUM: st.sampled_from(slot.values or ("x",)),
        SlotType.STRING: texts,
    }
    return kinds[slot.type]
