"""Find annotations, calls and options of Kotlin's runners that skip tests or run some alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.kotlin.flow import SHAPE
from code_adapter.integrity.languages.kotlin.titles import FOCUSED, SKIPPED, is_spec, read_titled
from code_adapter.integrity.languages.test_language import MadeMarker
from verigate.sdk.languages.kotlin_routes import read_annotation
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SKIPS = frozenset({"Disabled", "Ignore", "Ignored"})
_UNDER_CONDITION = re.compile(
    r"(?:Disabled|Enabled)(?:On|If|For)\w+|Ignore(?:On)?(?:Js|Native|Jvm|Wasm\w*|Android|Ios)\w*"
)
_ASSUMES = re.compile(r"(?:Assumptions?\.)?(?:assume(?:True\s*\(\s*false|False\s*\(\s*true)|assumeThat\s*\(\s*false)\b")
_DISABLED = re.compile(r"\.config\s*\([^{}]*\benabled\s*=\s*false\b")
_UNDER = re.compile(r"\.config\s*\([^{}]*\benabled(?:If|OrReasonIf)\s*=")


def read_marker(node: Node) -> MadeMarker | None:
    """Read a node as a marker."""
    if node.type in {"annotation", "file_annotation"}:
        name = read_annotation(node)
        if name in _SKIPS:
            return MadeMarker("skip", text_of(node))
        return MadeMarker("skip", text_of(node), True) if _UNDER_CONDITION.fullmatch(name) else None
    if node.type not in {"call_expression", "binary_expression"}:
        return None
    if _ASSUMES.match(text_of(node)):
        return MadeMarker("skip", text_of(node).partition("\n")[0], SHAPE.is_for_platform(node))
    return _read_titled(node) if _is_in_spec(node) else None


def _is_in_spec(node: Node) -> bool:
    above = node.parent
    while above is not None:
        if is_spec(above):
            return True
        above = above.parent
    return False


def _read_titled(node: Node) -> MadeMarker | None:
    """``xtest("adds") { }``, ``"!adds" { }``, ``test("f:adds") { }``, ``test("adds").config(enabled = false) { }``."""
    titled = read_titled(node)
    if titled is None:
        return None
    callee, title, block = titled
    head = text_of(node)[: -len(text_of(block))].strip()
    if callee in FOCUSED or title.startswith("f:"):
        return MadeMarker("focus", head)
    if callee in SKIPPED or title.startswith("!") or _DISABLED.search(head):
        return MadeMarker("skip", head)
    return MadeMarker("skip", head, bool(SHAPE.platform.search(head))) if _UNDER.search(head) else None
