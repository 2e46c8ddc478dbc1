"""HTTP endpoints of Python: FastAPI, Starlette, Flask, aiohttp, Django."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.python_parts import does_nothing
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS = {method.lower(): method for method in METHODS} | {"websocket": "WEBSOCKET"}
_ADDERS = frozenset({"add_url_rule", "add_api_route", "add_route", "add_api_websocket_route"})
_AIOHTTP_ADDERS = {f"add_{verb}": method for verb, method in _VERBS.items()}
_PREFIXES = ("prefix", "url_prefix")


def find_routes(tree: Tree, path: str) -> Iterator[Route]:
    """Find the endpoints that this file registers."""
    prefixes = _prefixes(tree)
    django = path.rpartition("/")[2].startswith("urls") or b"django.urls" in tree.source
    for node in walk(tree.root):
        if node.type == "decorated_definition":
            yield from _find_decorator_routes(node, prefixes)
        elif node.type == "call":
            yield from _find_call_routes(node, prefixes, django=django)


def _prefixes(tree: Tree) -> Mapping[str, str]:
    """Return the file's router variables with their prefixes."""
    found: dict[str, str] = {}
    for node in walk(tree.root):
        if node.type != "assignment":
            continue
        value = node.child_by_field_name("right")
        if value is not None and value.type == "call":
            keywords = _keywords(value)
            for name in _PREFIXES:
                prefix = string_value(keywords.get(name))
                if prefix is not None:
                    found[text_of(node.child_by_field_name("left"))] = prefix
    return found


def _find_decorator_routes(node: Node, prefixes: Mapping[str, str]) -> Iterator[Route]:
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    handler = text_of(definition.child_by_field_name("name"))
    stub = definition.type == "function_definition" and does_nothing(definition.child_by_field_name("body"))
    for decorator in node.children:
        call = decorator.named_children[0] if decorator.type == "decorator" and decorator.named_children else None
        function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
        if call is None or function is None or function.type != "attribute":
            continue
        verb = text_of(function.child_by_field_name("attribute"))
        route = _route_argument(call)
        if route is None or not (route == "" or route.startswith("/")):
            continue
        full = join_routes(prefixes.get(text_of(function.child_by_field_name("object")), ""), route)
        if verb in _VERBS:
            yield Route(_VERBS[verb], full, node, handler, node, stub)
        elif verb in {"route", "api_route"}:
            for method in _methods(call) or ("GET",):
                yield Route(method, full, node, handler, node, stub)


def _find_call_routes(node: Node, prefixes: Mapping[str, str], *, django: bool) -> Iterator[Route]:
    function = node.child_by_field_name("function")
    if function is None:
        return
    name = text_of(function.child_by_field_name("attribute") if function.type == "attribute" else function)
    route = _route_argument(node)
    if route is None:
        return
    owner = text_of(function.child_by_field_name("object")) if function.type == "attribute" else ""
    full = join_routes(prefixes.get(owner, ""), route)
    if owner and name in _ADDERS and route.startswith("/"):
        handler = _handler(node)
        default: tuple[str | None, ...] = ("GET",) if name == "add_api_route" else (None,)
        if name == "add_url_rule" and not handler.endswith(")"):
            default = ("GET",)
        for method in _methods(node) or default:
            yield Route(method, full, node, handler.partition("(")[0] or None)
    elif owner and name in _AIOHTTP_ADDERS and route.startswith("/"):
        yield Route(_AIOHTTP_ADDERS[name], full, node, _handler(node) or None)
    elif name in {"Route", "WebSocketRoute"} and route.startswith("/"):
        methods = _methods(node) or (("WEBSOCKET",) if name == "WebSocketRoute" else ("GET",))
        for method in methods:
            yield Route(method, route, node, _handler(node) or None)
    elif django and name in {"path", "re_path", "url"} and function.type == "identifier":
        handler = _handler(node)
        if handler and not handler.startswith("include"):
            yield Route(None, _django(route), node, handler.rpartition(".")[2] or None)


def _django(route: str) -> str:
    return join_routes("", route.removeprefix("^").removesuffix("$"))


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None or arguments.type != "argument_list" else list(arguments.named_children)


def _keywords(call: Node) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for argument in _arguments(call):
        value = argument.child_by_field_name("value")
        if argument.type == "keyword_argument" and value is not None:
            found[text_of(argument.child_by_field_name("name"))] = value
    return found


def _route_argument(call: Node) -> str | None:
    for argument in _arguments(call):
        if argument.type == "comment":
            continue
        if argument.type == "keyword_argument":
            break
        return string_value(argument)
    keywords = _keywords(call)
    for name in ("path", "rule", "route"):
        if name in keywords:
            return string_value(keywords[name])
    return None


def _methods(call: Node) -> tuple[str, ...]:
    value = _keywords(call).get("methods")
    if value is None or value.type not in {"list", "tuple", "set"}:
        return ()
    names = (string_value(item) for item in value.named_children)
    return tuple(sorted({name.upper() for name in names if name}))


def _handler(call: Node) -> str:
    keywords = _keywords(call)
    for name in ("view_func", "endpoint", "view", "handler"):
        if name in keywords and string_value(keywords[name]) is None:
            return text_of(keywords[name])
    positional = [argument for argument in _arguments(call) if argument.type not in {"keyword_argument", "comment"}]
    named = [argument for argument in positional[1:] if string_value(argument) is None]
    return text_of(named[-1]) if named else ""
