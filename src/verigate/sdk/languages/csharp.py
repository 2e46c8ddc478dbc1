"""C#: methods, constructors, properties with code, types; ASP.NET routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.csharp_routes import find_routes
from verigate.sdk.languages.definition import Definition, Language, is_placeholder
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"method_declaration", "local_function_statement", "operator_declaration"})
_BUILDERS = frozenset({"constructor_declaration", "destructor_declaration"})
_TYPES = frozenset(
    {
        "class_declaration",
        "enum_declaration",
        "interface_declaration",
        "record_declaration",
        "struct_declaration",
    }
)
_UNDONE = re.compile(
    r"(?:=>\s*)?throw\s+new\s+(?:\w+\.)*(?:NotImplementedException|NotSupportedException\s*\(\s*\)|"
    r"\w+\s*\(.*(?:not.{0,3}(?:yet.{0,3})?implemented|\btodo\b))",
    re.IGNORECASE | re.DOTALL,
)


def define(node: Node) -> Iterator[Definition]:
    """The method, constructor, property or type that begins at this node."""
    name = text_of(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    if node.type in _FUNCTIONS | _BUILDERS:
        operator = text_of(node.child_by_field_name("operator"))
        prefix = "~" if node.type == "destructor_declaration" else ""
        yield Definition(
            f"operator {operator}" if node.type == "operator_declaration" else f"{prefix}{name}",
            "function",
            node,
            declaration=body is None,
            stub=body is not None and node.type in _FUNCTIONS and does_nothing(body),
            signature=text_of(node.child_by_field_name("parameters")),
        )
    elif node.type == "property_declaration" and _has_code(node):
        value = node.child_by_field_name("value")
        yield Definition(name, "function", node, stub=value is not None and does_nothing(value))
    elif node.type in _TYPES and name:
        kinds = {child.type for child in node.children}
        empty = node.type == "class_declaration" and body is not None and not body.named_children
        yield Definition(
            name, "class", node, stub=empty and not kinds & {"base_list", "attribute_list", "parameter_list"}
        )


def _has_code(node: Node) -> bool:
    value = node.child_by_field_name("value")
    if value is not None:
        return value.type == "arrow_expression_clause"
    accessors = node.child_by_field_name("accessors")
    return accessors is not None and any(
        each.type == "accessor_declaration" and each.child_by_field_name("body") is not None for each in walk(accessors)
    )


def does_nothing(body: Node) -> bool:
    """Whether a body is empty or only throws as not implemented."""
    if body.type == "arrow_expression_clause":
        return bool(_UNDONE.match(text_of(body)))
    return is_placeholder(body.named_children, _UNDONE)


LANGUAGE = Language("csharp", define, find_routes)
