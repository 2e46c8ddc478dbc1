"""Find calls, attributes and tags of PHPUnit and Pest that skip tests or run some alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.php.flow import SHAPE
from code_adapter.integrity.languages.php.titles import (
    SUITES,
    TESTS,
    find_start,
    list_arguments,
    read_callee,
    read_title,
)
from code_adapter.integrity.languages.test_language import MadeMarker
from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SKIPS = frozenset({"markTestSkipped", "markTestIncomplete"})
_CHAINED = frozenset({"skip", "todo", "only"})
_FOR_PLATFORM = re.compile(r"(?:skipOn|onlyOn|skipLocally|skipOnCi)\w*")
_REQUIRES = re.compile(r"@requires\s+(?P<what>[^\n*]+)")
_NEVER = frozenset({"false", "null"})


def read_marker(node: Node) -> MadeMarker | None:
    """Read a node as a marker."""
    if node.type in {"member_call_expression", "scoped_call_expression", "function_call_expression"}:
        return _read_call(node)
    if node.type == "attribute":
        name = text_of(node.named_children[0]).rpartition("\\")[2] if node.named_children else ""
        if re.fullmatch(r"Skip\w*|Ignore\w*", name):
            return MadeMarker("skip", text_of(node))
        return MadeMarker("skip", text_of(node), True) if re.fullmatch(r"Requires\w+", name) else None
    match = _REQUIRES.search(text_of(node)) if is_comment(node) and b"@requires" in (node.text or b"") else None
    return MadeMarker("skip", f"@requires {match['what'].strip()}", True) if match is not None else None


def _read_call(call: Node) -> MadeMarker | None:
    name = text_of(call.child_by_field_name("name"))
    if name in _SKIPS:
        return MadeMarker("skip", text_of(call), SHAPE.is_for_platform(call))
    if read_callee(call) == "todo":
        return MadeMarker("skip", f"todo {read_title(call)}")
    return _read_chained(call, name) if name in _CHAINED or _FOR_PLATFORM.fullmatch(name) else None


def _read_chained(call: Node, name: str) -> MadeMarker | None:
    """``it('adds', ...)->skip()``, ``->skipOnWindows()`` and ``->only()`` of Pest."""
    start = find_start(call)
    if read_callee(start) not in TESTS | SUITES:
        return None
    shown = f"{read_callee(start)}({read_title(start)})->{name}{text_of(call.child_by_field_name('arguments'))}"
    if name == "only":
        return MadeMarker("focus", shown)
    first = text_of(list_arguments(call)[0]) if list_arguments(call) else ""
    conditional = bool(_FOR_PLATFORM.fullmatch(name)) or bool(SHAPE.platform.search(first))
    return MadeMarker("skip", shown, conditional) if first not in _NEVER else None
