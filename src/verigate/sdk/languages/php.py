"""PHP: functions, methods, classes, interfaces, traits and enums; Laravel, Slim and Symfony routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import Definition, Language, is_placeholder
from verigate.sdk.languages.php_routes import find_routes
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"})
_UNDONE = re.compile(
    r"throw\s+new\s+\\?(?:\w+\\)*(?:\w*NotImplemented\w*|BadMethodCallException\s*\(\s*\)|"
    r"\w+\s*\(.*(?:not.{0,3}(?:yet.{0,3})?implemented|\btodo\b))",
    re.IGNORECASE | re.DOTALL,
)


def define(node: Node) -> Iterator[Definition]:
    """The function, method or type that begins at this node."""
    name = text_of(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    if node.type in {"function_definition", "method_declaration"}:
        yield Definition(
            name,
            "function",
            node,
            declaration=body is None,
            stub=body is not None and name != "__construct" and does_nothing(body),
            signature=text_of(node.child_by_field_name("parameters")),
        )
    elif node.type in _TYPES and name:
        kinds = {child.type for child in node.children}
        empty = node.type == "class_declaration" and body is not None and not body.named_children
        yield Definition(
            name,
            "class",
            node,
            stub=empty and not kinds & {"base_clause", "class_interface_clause", "attribute_list"},
        )


def does_nothing(body: Node) -> bool:
    """Whether a block is empty or only throws as not implemented."""
    return is_placeholder(body.named_children, _UNDONE)


LANGUAGE = Language("php", define, find_routes)
