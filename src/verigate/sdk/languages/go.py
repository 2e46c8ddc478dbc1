"""Go: functions, methods with their receivers, types; net/http, gin, echo, chi and gorilla routes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Definition, Language, Route, is_placeholder, join_routes
from verigate.sdk.languages.tree import is_comment, string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_UNDONE = re.compile(r"^panic\(.*(not.{0,3}(yet.{0,3})?implemented|unimplemented|\btodo\b)", re.IGNORECASE | re.DOTALL)
_HANDLERS = frozenset({"HandleFunc", "Handle"})
_GROUPS = frozenset({"Group", "Route", "PathPrefix"})
_VERBS: Mapping[str, str | None] = (
    {method: method for method in METHODS} | {method.capitalize(): method for method in METHODS} | {"Any": None}
)


def define(node: Node) -> Iterator[Definition]:
    """The function, method or type that begins at this node."""
    if node.type == "function_declaration":
        yield _function(node, None)
    elif node.type == "method_declaration":
        yield _function(node, _receiver(node))
    elif node.type in {"type_spec", "type_alias"}:
        name = text_of(node.child_by_field_name("name"))
        if name:
            yield Definition(name, "class", node)
    elif node.type == "var_spec":
        names = node.children_by_field_name("name")
        values = node.child_by_field_name("value")
        if len(names) == 1 and values is not None and [v.type for v in values.named_children] == ["func_literal"]:
            body = values.named_children[0].child_by_field_name("body")
            yield Definition(text_of(names[0]), "function", node, stub=does_nothing(body))


def _function(node: Node, owner: str | None) -> Definition:
    body = node.child_by_field_name("body")
    return Definition(
        text_of(node.child_by_field_name("name")),
        "function",
        node,
        owner=owner,
        declaration=body is None,
        stub=body is not None and does_nothing(body),
        signature=text_of(node.child_by_field_name("parameters")),
    )


def _receiver(node: Node) -> str | None:
    receiver = node.child_by_field_name("receiver")
    if receiver is None:
        return None
    names = [text_of(child) for child in walk(receiver) if child.type == "type_identifier"]
    return names[0] if names else None


def does_nothing(body: Node | None) -> bool:
    """Whether a block is empty or only panics as not implemented."""
    if body is None:
        return True
    lists = (child.named_children if child.type == "statement_list" else [child] for child in body.named_children)
    return is_placeholder(chain.from_iterable(lists), _UNDONE)


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    prefixes = _prefixes(tree)
    for node in walk(tree.root):
        if node.type != "call_expression":
            continue
        function = node.child_by_field_name("function")
        arguments = _arguments(node)
        if function is None or function.type != "selector_expression" or len(arguments) < 2:
            continue
        name = text_of(function.child_by_field_name("field"))
        pattern = string_value(arguments[0])
        if pattern is None:
            continue
        prefix = prefixes.get(text_of(function.child_by_field_name("operand")), "")
        if name in _HANDLERS:
            method, space, route = pattern.partition(" ")
            if not space:
                method, route = "", pattern
            named: list[str | None] = [method] if method in METHODS else [*_gorilla_methods(node)]
            if route.startswith("/"):
                for verb in named or [None]:
                    yield _route(verb, join_routes(prefix, route), node, arguments[-1])
        elif name in _VERBS and (pattern == "" or pattern.startswith("/")):
            yield _route(_VERBS[name], join_routes(prefix, pattern), node, arguments[-1])


def _prefixes(tree: Tree) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for node in walk(tree.root):
        if node.type not in {"short_var_declaration", "assignment_statement"}:
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        for call in right.named_children if right is not None else []:
            function = call.child_by_field_name("function") if call.type == "call_expression" else None
            while function is not None and text_of(function.child_by_field_name("field")) == "Subrouter":
                inner = function.child_by_field_name("operand")
                call = inner or call  # noqa: PLW2901 - the call inside is the one that names the prefix
                function = inner.child_by_field_name("function") if inner is not None else None
            if function is None or text_of(function.child_by_field_name("field")) not in _GROUPS:
                continue
            arguments = _arguments(call)
            prefix = string_value(arguments[0]) if arguments else None
            if prefix is not None:
                above = found.get(text_of(function.child_by_field_name("operand")), "")
                found[text_of(left)] = join_routes(above, prefix)
    return found


def _gorilla_methods(call: Node) -> list[str]:
    """``r.HandleFunc("/x", h).Methods("GET", "POST")``."""
    selector = call.parent
    outer = selector.parent if selector is not None and selector.type == "selector_expression" else None
    if selector is None or outer is None or text_of(selector.child_by_field_name("field")) != "Methods":
        return []
    named = [string_value(argument) or text_of(argument).removeprefix("http.Method") for argument in _arguments(outer)]
    return sorted({name.upper() for name in named if name.upper() in METHODS})


def _route(method: str | None, route: str, node: Node, handler: Node) -> Route:
    if handler.type == "func_literal":
        return Route(method, route, node, None, handler, does_nothing(handler.child_by_field_name("body")))
    name = text_of(handler).rpartition(".")[2]
    return Route(method, route, node, name if name.isidentifier() else None)


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else [child for child in arguments.named_children if not is_comment(child)]


LANGUAGE = Language("go", define, find_routes)
