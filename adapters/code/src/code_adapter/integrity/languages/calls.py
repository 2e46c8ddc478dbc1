"""Read the name that a call calls, whatever a language's grammar calls its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

CALLS = frozenset({"call", "call_expression", "method_invocation"})
"""Calls of functions in Python, JavaScript, Go, Rust and Java, and of Ruby and Kotlin."""

_MORE_CALLS = frozenset(
    {
        "function_call_expression",
        "invocation_expression",
        "member_call_expression",
        "nullsafe_member_call_expression",
        "scoped_call_expression",
    }
)
_OBJECTS = frozenset({"new_expression", "object_creation_expression"})
_STATEMENTS = frozenset({"body_statement", "block_body", "then", "else", "begin"})


def is_call(node: Node, *, bare: bool = False) -> bool:
    """Whether a node calls a function; with ``bare``, also a name that stands alone as a statement."""
    if node.type == "identifier":
        return bare and node.parent is not None and node.parent.type in _STATEMENTS
    return node.type in CALLS or node.type in _MORE_CALLS


def is_creation(node: Node) -> bool:
    """Whether a node creates an object."""
    return node.type in _OBJECTS


def read_called(node: Node) -> str:
    """Read what is called with its qualifiers; empty for an expression that has no name."""
    if node.type == "identifier":
        return text_of(node)
    fields = ("function", "constructor", "name", "method", "type")
    found = next(filter(None, (node.child_by_field_name(field) for field in fields)), None)
    if found is None and node.type in {"call_expression", "object_creation_expression"}:
        found = _find_first(node)
    if found is not None and node.type == "invocation_expression":
        found = _strip_types(found)
    name = text_of(found)
    if name == "new" and node.type == "call":
        return text_of(node.child_by_field_name("receiver"))  # Ruby: the class is what a test is about
    return name


def _strip_types(function: Node) -> Node:
    """C#: ``Assert.Throws<T>`` without its types, and without what it is called on."""
    name = function.child_by_field_name("name") or function
    return name.named_children[0] if name.type == "generic_name" else name


def _find_first(node: Node) -> Node | None:
    """Kotlin and PHP: the first name; a call with a function after its arguments holds the call without it."""
    first = next(iter(node.named_children), None)
    while first is not None and first.type == "call_expression":
        first = next(iter(first.named_children), None)
    return first


def is_on_another(node: Node) -> bool:
    """Whether Ruby, PHP, C# or Kotlin call a method of something other than the object of the test itself."""
    on = node.child_by_field_name("object") or node.child_by_field_name("receiver") or node.child_by_field_name("scope")
    function = node.child_by_field_name("function")
    if node.type == "invocation_expression" and function is not None:
        on = function.child_by_field_name("expression")
    elif node.type == "call_expression" and function is None:
        first = _find_first(node)
        on = first.named_children[0] if first is not None and first.type == "navigation_expression" else None
    elif node.type == "method_invocation":
        return False
    return on is not None and text_of(on) not in {"self", "static", "parent", "this", "base", "$this"}


def read_last_name(node: Node) -> str:
    """Read the last name of what is called: ``equal`` of ``assert.equal``."""
    return re.split(r"[.:\\]|->", read_called(node))[-1]
