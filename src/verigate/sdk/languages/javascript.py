"""JavaScript and TypeScript, with JSX: declarations, functions in constants, class fields, CommonJS exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages import javascript_routes
from verigate.sdk.languages.definition import Definition, Language
from verigate.sdk.languages.javascript_parts import FUNCTIONS, decorators, does_nothing
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARED = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
_SIGNATURES = frozenset({"function_signature", "method_signature", "abstract_method_signature"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration"})
_NAMESPACES = frozenset({"internal_module", "module"})
_WRAPPERS = frozenset(
    {"memo", "forwardRef", "useCallback", "React.memo", "React.forwardRef", "React.useCallback", "asyncHandler"}
)


def define(node: Node) -> Iterator[Definition]:
    """The function, method, class or namespace that begins at this node."""
    kind = node.type
    if kind in _DECLARED:
        yield from _define_method(node)
    elif kind in _SIGNATURES:
        yield from _define_by_name(node, declaration=True)
    elif kind in _CLASSES:
        yield from _class(node, text_of(node.child_by_field_name("name")))
    elif kind in _NAMESPACES and node.child_by_field_name("body") is not None:
        name = text_of(node.child_by_field_name("name")).strip("'\"`")
        if name:
            yield Definition(name, "namespace", node)
    elif kind == "variable_declarator":
        yield from _define_assignment(
            node, text_of(node.child_by_field_name("name")), node.child_by_field_name("value")
        )
    elif kind in {"field_definition", "public_field_definition"}:
        name = text_of(node.child_by_field_name("property") or node.child_by_field_name("name"))
        yield from _define_assignment(node, name, node.child_by_field_name("value"))
    elif kind == "assignment_expression":
        yield from _define_member(node)
    elif kind == "pair" and _is_exported_object(node.parent):
        yield from _define_assignment(node, text_of(node.child_by_field_name("key")), node.child_by_field_name("value"))
    elif kind == "export_statement":
        value = node.child_by_field_name("value")
        if value is not None and value.type in FUNCTIONS | {"class"}:
            yield from _define_assignment(node, "default", value)


def _define_method(node: Node) -> Iterator[Definition]:
    in_object = node.type == "method_definition" and node.parent is not None and node.parent.type == "object"
    if in_object and not _is_exported_object(node.parent):
        return
    name = text_of(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    if name:
        yield Definition(
            name,
            "function",
            node,
            leading=decorators(node),
            stub=name != "constructor" and "noop" not in name.lower() and does_nothing(body),
            signature=text_of(node.child_by_field_name("parameters")),
        )


def _define_by_name(node: Node, *, declaration: bool) -> Iterator[Definition]:
    name = text_of(node.child_by_field_name("name"))
    if name:
        parameters = text_of(node.child_by_field_name("parameters"))
        yield Definition(name, "function", node, declaration=declaration, signature=parameters)


def _class(node: Node, name: str) -> Iterator[Definition]:
    body = node.child_by_field_name("body")
    derived = any(child.type in {"class_heritage", "extends_type_clause"} for child in node.children)
    leading = decorators(node)
    empty = node.type == "class_declaration" and body is not None and not body.named_children
    if name:
        yield Definition(name, "class", node, leading=leading, stub=empty and not derived and not leading)


def _define_assignment(node: Node, name: str, value: Node | None, owner: str | None = None) -> Iterator[Definition]:
    if value is None or not re.fullmatch(r"[\w$#]+", name.strip("'\"")):
        return
    function = value
    if value.type == "call_expression" and text_of(value.child_by_field_name("function")) in _WRAPPERS:
        arguments = value.child_by_field_name("arguments")
        inner = [child for child in arguments.named_children if child.type in FUNCTIONS] if arguments else []
        if not inner:
            return
        function = inner[0]
    name = name.strip("'\"")
    if function.type in FUNCTIONS:
        parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        yield Definition(
            name,
            "function",
            node,
            owner=owner,
            stub="noop" not in name.lower() and does_nothing(function.child_by_field_name("body")),
            signature=text_of(parameters),
        )
    elif function.type == "class":
        body = function.child_by_field_name("body")
        derived = any(child.type == "class_heritage" for child in function.children)
        yield Definition(name, "class", node, stub=not derived and body is not None and not body.named_children)


def _define_member(node: Node) -> Iterator[Definition]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "member_expression":
        return
    target, name = text_of(left.child_by_field_name("object")), text_of(left.child_by_field_name("property"))
    if target in {"exports", "module.exports"}:
        yield from _define_assignment(node, name, right)
    elif target == "module" and name == "exports":
        if right is not None and right.type in FUNCTIONS | {"class"}:
            given = text_of(right.child_by_field_name("name")) or "exports"
            yield from _define_assignment(node, given, right)
    elif target.endswith(".prototype"):
        yield from _define_assignment(node, name, right, owner=target.removesuffix(".prototype"))
    elif re.fullmatch(r"[A-Za-z_$][\w$]*", target) and target not in {"this", "window", "globalThis", "self"}:
        yield from _define_assignment(node, name, right, owner=target)


def _is_exported_object(node: Node | None) -> bool:
    """Whether this object literal is what a module exports, or a constant of the module's top level."""
    if node is None or node.type != "object" or node.parent is None:
        return False
    above = node.parent
    if above.type == "assignment_expression":
        return text_of(above.child_by_field_name("left")) in {"module.exports", "exports"}
    if above.type == "export_statement":
        return True
    if above.type != "variable_declarator":
        return False
    statement = above.parent
    block = statement.parent if statement is not None else None
    return block is not None and block.type in {"program", "export_statement"}


LANGUAGE = Language("javascript", define, javascript_routes.find_routes)
