"""Routes of Ruby: Rails' ``config/routes.rb`` and Sinatra."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.tree import string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS = {method.lower(): method for method in METHODS}
_PREFIXES = frozenset({"namespace", "scope"})


def find_routes(tree: Tree, path: str) -> Iterator[Route]:
    """Find the endpoints that this file registers: each with a block, or those of Rails by a file's name."""
    rails = path.endswith("routes.rb") or "/config/routes/" in f"/{path}"
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    while stack:
        node, prefix = stack.pop()
        inside = prefix
        if node.type == "call" and node.child_by_field_name("receiver") is None:
            name = text_of(node.child_by_field_name("method"))
            if name in _PREFIXES and node.child_by_field_name("block") is not None:
                inside = join_routes(prefix, _read_first(node) or "") if _read_first(node) else prefix
            elif name in _VERBS or (rails and name in {"match", "root"}):
                yield from _read_route(node, name, prefix, rails=rails)
        stack.extend((child, inside) for child in reversed(node.children))


def _list_arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return list(arguments.named_children) if arguments is not None else []


def _read_first(call: Node) -> str | None:
    """The route that a call names first: a string, a symbol, or the key of ``"route" => "controller#action"``."""
    arguments = _list_arguments(call)
    first = arguments[0] if arguments else None
    if first is not None and first.type == "pair":
        first = first.child_by_field_name("key")
    if first is not None and first.type == "simple_symbol":
        return text_of(first).removeprefix(":")
    return string_value(first)


def _read_route(call: Node, name: str, prefix: str, *, rails: bool) -> Iterator[Route]:
    block = call.child_by_field_name("block")
    if name == "root" and rails:
        yield Route("GET", prefix or "/", call, _read_handler(call))
        return
    route = _read_first(call)
    if route is None or not (rails or (block is not None and route.startswith(("/", "*")))):
        return
    # ``get :preview`` in a resource has a place that the names around it decide, which nothing here expands.
    if rails and _list_arguments(call)[0].type == "simple_symbol":
        return
    stub = block is not None and block.child_by_field_name("body") is None
    yield Route(_VERBS.get(name), join_routes(prefix, route), call, _read_handler(call), block, stub)


def _read_handler(call: Node) -> str | None:
    """The action in ``to: "users#show"`` or ``"users" => "users#index"``."""
    for argument in _list_arguments(call):
        key, value = argument.child_by_field_name("key"), string_value(argument.child_by_field_name("value"))
        if argument.type == "pair" and value and "#" in value and text_of(key).strip(":") != "as":
            return value.rpartition("#")[2]
    return None
