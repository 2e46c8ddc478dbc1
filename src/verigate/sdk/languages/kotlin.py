"""Kotlin: functions, constructors, classes, interfaces and objects; Ktor and Spring routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import Definition, Language, is_placeholder
from verigate.sdk.languages.kotlin_routes import find_routes
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_UNDONE = re.compile(
    r"(?:return\s+)?(?:TODO\s*\(|throw\s+(?:NotImplementedError|UnsupportedOperationException)\s*\(|"
    r"throw\s+\w+\s*\(.*(?:not.{0,3}(?:yet.{0,3})?implemented|\btodo\b))",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = frozenset({"class", "identifier", "modifiers"})


def define(node: Node) -> Iterator[Definition]:
    """The function, constructor or type that begins at this node."""
    name = text_of(node.child_by_field_name("name")).strip("`")
    if node.type == "function_declaration":
        body = find_part(node, "function_body")
        yield Definition(
            name,
            "function",
            node,
            declaration=body is None,
            stub=body is not None and does_nothing(body),
            signature=text_of(find_part(node, "function_value_parameters")),
        )
    elif node.type == "secondary_constructor":
        signature = text_of(find_part(node, "function_value_parameters"))
        yield Definition("constructor", "function", node, signature=signature)
    elif node.type == "property_declaration" and find_part(find_part(node, "getter"), "function_body") is not None:
        variable = find_part(node, "variable_declaration")
        yield Definition(text_of(find_part(variable, "identifier")).strip("`"), "function", node)
    elif node.type in {"class_declaration", "object_declaration"} and name:
        yield Definition(name, "class", node, stub=node.type == "class_declaration" and _is_empty(node))


def find_part(node: Node | None, kind: str) -> Node | None:
    """Find the child of a type: the grammar has few fields."""
    return next((child for child in node.named_children if child.type == kind), None) if node is not None else None


def _is_empty(node: Node) -> bool:
    """``class Price`` or ``class Price {}``, which says no more than its name."""
    body = find_part(node, "class_body")
    if body is not None and body.named_children:
        return False
    kinds = {child.type for child in node.children} - {"class_body", "line_comment", "block_comment"}
    return kinds <= _PLAIN and not re.search(r"@|\b(?:enum|annotation|data)\b", text_of(find_part(node, "modifiers")))


def does_nothing(body: Node) -> bool:
    """Whether a body is empty, or only ``TODO()`` or throws as not implemented."""
    block = find_part(body, "block")
    if block is not None:
        return is_placeholder(block.named_children, _UNDONE)
    return any(_UNDONE.match(text_of(child)) for child in body.named_children)


LANGUAGE = Language("kotlin", define, find_routes)
