"""Rust: functions, impl blocks, types; axum, actix-web and Rocket routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Definition, Language, Route, is_placeholder, join_routes
from verigate.sdk.languages.tree import is_comment, string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_TYPES = frozenset({"struct_item", "enum_item", "trait_item", "union_item", "type_item"})
_UNDONE = re.compile(
    r"^(todo|unimplemented)!|^panic!\(.*(not.{0,3}(yet.{0,3})?implemented|todo)", re.IGNORECASE | re.DOTALL
)
_VERBS = {method.lower(): method for method in METHODS}
_MACRO = re.compile(r"""#\[\s*(?:\w+::)*(\w+)\s*\(\s*r?"([^"]*)"(.*)\]""", re.DOTALL)
_MACRO_METHOD = re.compile(r"""method\s*=\s*"(\w+)\"""")


def define(node: Node) -> Iterator[Definition]:
    """The function, type, impl block or module that begins at this node."""
    if node.type in {"function_item", "function_signature_item"}:
        body = node.child_by_field_name("body")
        yield Definition(
            text_of(node.child_by_field_name("name")),
            "function",
            node,
            leading=attributes(node),
            declaration=body is None,
            stub=body is not None and does_nothing(body),
            signature=text_of(node.child_by_field_name("parameters")),
        )
    elif node.type in _TYPES:
        yield Definition(text_of(node.child_by_field_name("name")), "class", node, leading=attributes(node))
    elif node.type == "impl_item":
        names = [text_of(part) for part in _type_names(node.child_by_field_name("type"))]
        if names:
            yield Definition(names[0], "namespace", node)
    elif node.type == "mod_item" and node.child_by_field_name("body") is not None:
        yield Definition(text_of(node.child_by_field_name("name")), "namespace", node, leading=attributes(node))
    elif node.type == "macro_definition":
        yield Definition(text_of(node.child_by_field_name("name")), "function", node, leading=attributes(node))


def _type_names(node: Node | None) -> Iterator[Node]:
    if node is not None:
        yield from (part for part in walk(node) if part.type in {"type_identifier", "primitive_type"})


def attributes(node: Node) -> tuple[Node, ...]:
    """Return the ``#[...]`` attributes of an item, which the grammar keeps as its previous siblings."""
    found: list[Node] = []
    previous = node.prev_sibling
    while previous is not None and (previous.type == "attribute_item" or is_comment(previous)):
        if previous.type == "attribute_item":
            found.insert(0, previous)
        previous = previous.prev_sibling
    return tuple(found)


def does_nothing(body: Node | None) -> bool:
    """Whether a block is empty or only panics as not implemented."""
    return body is None or is_placeholder(body.named_children, _UNDONE)


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    for node in walk(tree.root):
        if node.type == "function_item":
            yield from _macros(node)
        elif node.type == "call_expression":
            yield from _builder(node)


def _macros(node: Node) -> Iterator[Route]:
    name = text_of(node.child_by_field_name("name"))
    stub = does_nothing(node.child_by_field_name("body"))
    for attribute in attributes(node):
        match = _MACRO.fullmatch(text_of(attribute).strip())
        if match is None or not match[2].startswith("/"):
            continue
        route = match[2].partition("?")[0]
        if match[1] in _VERBS:
            yield Route(_VERBS[match[1]], route, attribute, name, node, stub)
        elif match[1] == "route":
            for method in sorted(set(_MACRO_METHOD.findall(match[3]))):
                yield Route(method.upper(), route, attribute, name, node, stub)


def _builder(node: Node) -> Iterator[Route]:
    """``.route("/x", get(h).post(g))`` of axum, ``.route("/x", web::get().to(h))`` and ``web::resource`` of actix."""
    function = node.child_by_field_name("function")
    if (
        function is None
        or function.type != "field_expression"
        or text_of(function.child_by_field_name("field")) != "route"
    ):
        return
    arguments = _arguments(node)
    path = string_value(arguments[0]) if arguments else None
    if path is None and len(arguments) == 1:
        path = _resource(function.child_by_field_name("value"))
        arguments = [arguments[0], arguments[0]]
    if path is None or len(arguments) < 2:
        return
    for call in walk(arguments[1], enter=lambda inner: inner.type not in {"closure_expression", "block"}):
        named = call.child_by_field_name("function") if call.type == "call_expression" else None
        if named is None:
            continue
        verb = text_of(named.child_by_field_name("field") or named.child_by_field_name("name") or named)
        if verb in _VERBS:
            yield Route(_VERBS[verb], join_routes("", path), node, _handler(call))


def _handler(call: Node) -> str | None:
    arguments = _arguments(call)
    if not arguments:
        outer = call.parent.parent if call.parent is not None else None
        if outer is None or not text_of(outer.child_by_field_name("function")).endswith(".to"):
            return None
        arguments = _arguments(outer)
    name = text_of(arguments[0]).rpartition("::")[2] if arguments else ""
    return name if name.isidentifier() else None


def _resource(node: Node | None) -> str | None:
    for call in walk(node) if node is not None else ():
        if call.type == "call_expression" and text_of(call.child_by_field_name("function")).endswith("resource"):
            arguments = _arguments(call)
            return string_value(arguments[0]) if arguments else None
    return None


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else [child for child in arguments.named_children if not is_comment(child)]


LANGUAGE = Language("rust", define, find_routes)
