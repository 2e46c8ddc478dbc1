"""Routes of PHP: Laravel's ``Route``, Slim's and Lumen's ``$app``, Symfony's attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS: dict[str, str | None] = {method.lower(): method for method in METHODS} | {"any": None}
_OBJECTS = frozenset({"$app", "$router", "$group", "$route", "$api"})
_CALLS = frozenset({"member_call_expression", "scoped_call_expression"})
_FUNCTIONS = frozenset({"anonymous_function", "arrow_function"})
_SYMFONY_METHOD = re.compile(rf"['\"]({'|'.join(METHODS)})['\"]")


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    while stack:
        node, prefix = stack.pop()
        inside = prefix
        if node.type in _CALLS:
            if text_of(node.child_by_field_name("name")) == "group":
                inside = _join(prefix, node)
            else:
                yield from _read_route(node, prefix)
        elif node.type in {"class_declaration", "method_declaration"}:
            yield from _read_attributes(node)
        stack.extend((child, inside) for child in reversed(node.children))


def _list_arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return [child.named_children[-1] for child in given if child.type == "argument" and child.named_children]


def _find_prefix(call: Node) -> str:
    """``Route::prefix("api")->middleware("auth")``: the prefix that the chain of calls names."""
    above: Node | None = call
    while above is not None and above.type in _CALLS:
        if text_of(above.child_by_field_name("name")) == "prefix":
            arguments = _list_arguments(above)
            return (string_value(arguments[0]) or "") if arguments else ""
        above = above.child_by_field_name("object")
    return ""


def _join(prefix: str, group: Node) -> str:
    arguments = _list_arguments(group)
    own = _find_prefix(group) or (string_value(arguments[0]) if len(arguments) > 1 else "") or ""
    return join_routes(prefix, own) if own else prefix


def _read_route(call: Node, prefix: str) -> Iterator[Route]:
    name = text_of(call.child_by_field_name("name"))
    arguments = _list_arguments(call)
    if name not in _VERBS or len(arguments) < 2 or not _is_router(call):
        return
    route = string_value(arguments[0])
    laravel = call.type == "scoped_call_expression" or "Route::" in text_of(call.child_by_field_name("object"))
    if route is None or not (laravel or route.startswith("/") or not route):
        return
    own = _find_prefix(call)
    handler = arguments[1]
    inline = handler if handler.type in _FUNCTIONS else None
    body = handler.child_by_field_name("body") if inline is not None else None
    stub = body is not None and body.type == "compound_statement" and not body.named_children
    around = join_routes(prefix, own) if own else prefix
    yield Route(_VERBS[name], join_routes(around, route), call, _read_handler(handler), inline, stub)


def _is_router(call: Node) -> bool:
    if call.type == "scoped_call_expression":
        return text_of(call.child_by_field_name("scope")).rpartition("\\")[2] == "Route"
    start = call.child_by_field_name("object")
    while start is not None and start.type == "member_call_expression":
        start = start.child_by_field_name("object")
    if start is not None and start.type == "scoped_call_expression":
        return _is_router(start)
    return text_of(start) in _OBJECTS


def _read_handler(handler: Node) -> str | None:
    """The method in ``[Users::class, "show"]``, ``"Users@show"`` or ``"Users:show"``."""
    if handler.type == "array_creation_expression":
        strings = [string_value(node) for node in walk(handler)]
        return next((each for each in strings if each), None)
    named = string_value(handler)
    return re.split(r"[@:]+", named)[-1] if named else None


def _read_attributes(node: Node) -> Iterator[Route]:
    """``#[Route("/users", methods: ["GET"])]`` of a method, below that of its class."""
    if node.type != "method_declaration":
        return
    block = node.parent
    owner = block.parent if block is not None else None
    base = next((route for route, _ in _list_route_attributes(owner)), "") if owner is not None else ""
    name = text_of(node.child_by_field_name("name"))
    for route, attribute in _list_route_attributes(node):
        methods = sorted(set(_SYMFONY_METHOD.findall(text_of(attribute))))
        for method in methods or [None]:
            yield Route(method, join_routes(base, route), node, name, node)


def _list_route_attributes(node: Node) -> Iterator[tuple[str, Node]]:
    attributes = node.child_by_field_name("attributes")
    for attribute in walk(attributes) if attributes is not None else ():
        named = attribute.named_children[0] if attribute.type == "attribute" and attribute.named_children else None
        if text_of(named).rpartition("\\")[2] == "Route":
            strings = (string_value(each) for each in walk(attribute))
            yield next((each for each in strings if each is not None), ""), attribute
