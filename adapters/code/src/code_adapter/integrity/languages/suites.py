"""Calls that define tests and suites by a title: ``it("adds", ...)``, ``describe.skip("sums", ...)``.

JavaScript's runners have them, and Go's github.com/sclevine/spec.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit", "xspecify"})
SUITES = frozenset({"describe", "suite", "context", "xdescribe", "fdescribe", "xcontext"})
_MODIFIER = re.compile(
    r"(?P<base>\w+)(?:\.(?:skip|only|todo|fails|failing|concurrent|sequential|each|for|serial|fixme|skipIf|runIf))*"
)

_REPEATS = re.compile(r"['\"]?(?:retry|retries)['\"]?\s*:\s*(?!0\b|undefined|false)")
_TITLED = re.compile(r"(?:it|test|describe|suite)\b[\w.]*$")


def is_called(node: Node) -> bool:
    """Whether the result is called: ``it.each(table)`` of ``it.each(table)(title, test)``."""
    function = node.parent.child_by_field_name("function") if node.parent is not None else None
    return function is not None and function.id == node.id


def read_callee(call: Node) -> tuple[str, str]:
    """``it.skip.each(...)("title", f)`` -> ("it", "it.skip.each"); ("", "") for any other call."""
    function = call.child_by_field_name("function")
    while function is not None and function.type == "call_expression":
        function = function.child_by_field_name("function")
    text = text_of(function)
    match = _MODIFIER.fullmatch(text)
    return (match["base"], text) if match else ("", "")


def is_repeating_option(node: Node) -> bool:
    """Whether it is the option ``retry`` of a test or a suite."""
    if node.type != "pair" or not _REPEATS.match(text_of(node)) or node.parent is None or node.parent.parent is None:
        return False
    call = node.parent.parent.parent
    return call is not None and _TITLED.match(text_of(call.child_by_field_name("function"))) is not None


def find_suite(node: Node) -> Node | None:
    """Find the innermost suite around a node, or the node if it is one."""
    above: Node | None = node
    while above is not None and not is_suite(above):
        above = above.parent
    return above


def is_suite(node: Node) -> bool:
    """Whether a node is the call that defines a suite."""
    return node.type == "call_expression" and read_callee(node)[0] in SUITES and not is_called(node)
