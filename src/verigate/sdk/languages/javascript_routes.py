"""HTTP endpoints of JavaScript and TypeScript: Express, Fastify, Koa routers, Hono, NestJS, Next.js route files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.javascript_parts import FUNCTIONS, decorators, does_nothing
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS: Mapping[str, str | None] = {method.lower(): method for method in METHODS} | {"del": "DELETE", "all": None}
_FRAMEWORK = re.compile(
    rb"""(?:from|require\s*\(|import\s*\(?)\s*['"](?:express|fastify|@?koa[/-]router|hono|restify|polka|find-my-way|router)"""
)
_ROUTER = re.compile(r"(?:express|[Ff]astify|Router|Koa|Hono|polka|restify)\b")
_ROUTER_NAME = re.compile(r"(?:app|server|fastify|instance|routes?|\w*[rR]outer|\w+App|\w+Routes)")
_NEXT_FILE = re.compile(r"(?:^|.*/)app/(?P<route>.*/)?route\.[jt]sx?")
_NEST = {method.capitalize(): method for method in METHODS} | {"All": None}


def find_routes(tree: Tree, path: str) -> Iterator[Route]:
    """Find the endpoints that this file registers."""
    made, prefixes = _routers(tree)
    framework = bool(_FRAMEWORK.search(tree.source))
    next_file = _NEXT_FILE.fullmatch(path)
    for node in walk(tree.root):
        if node.type == "call_expression":
            yield from _find_registrations(node, made, prefixes, framework=framework)
        elif node.type == "class_declaration":
            yield from _nest(node)
        elif node.type == "export_statement" and next_file:
            yield from _next(node, next_file["route"] or "")


def _routers(tree: Tree) -> tuple[frozenset[str], Mapping[str, str]]:
    """Variables that hold routers, and the prefixes under which this file mounts them."""
    made: set[str] = set()
    prefixes: dict[str, str] = {}
    for node in walk(tree.root):
        if node.type == "variable_declarator":
            value = node.child_by_field_name("value")
            if value is not None and value.type in {"call_expression", "new_expression"}:
                maker = value.child_by_field_name("function") or value.child_by_field_name("constructor")
                if maker is not None and _ROUTER.search(text_of(maker)):
                    name = text_of(node.child_by_field_name("name"))
                    made.add(name)
                    prefix = re.search(r"""\bprefix\s*:\s*['"`]([^'"`]*)""", text_of(value))
                    if prefix:
                        prefixes[name] = prefix[1]
        elif node.type == "call_expression" and text_of(node.child_by_field_name("function")).endswith(".use"):
            arguments = _arguments(node)
            mounted = string_value(arguments[0]) if len(arguments) > 1 else None
            if mounted is not None:
                prefixes[text_of(arguments[-1])] = mounted
    return frozenset(made), prefixes


def _find_registrations(
    node: Node, made: frozenset[str], prefixes: Mapping[str, str], *, framework: bool
) -> Iterator[Route]:
    function = node.child_by_field_name("function")
    if function is None or function.type != "member_expression":
        return
    verb = text_of(function.child_by_field_name("property"))
    target = function.child_by_field_name("object")
    arguments = _arguments(node)
    if target is None or not arguments:
        return
    name = text_of(target)
    if target.type == "identifier" and not (name in made or _ROUTER_NAME.fullmatch(name)):
        return
    prefix = prefixes.get(name, "")
    if verb == "route" and arguments[0].type == "object" and target.type == "identifier":
        yield from _fastify(node, arguments[0], prefix)
        return
    if verb not in _VERBS:
        return
    route = string_value(arguments[0])
    if target.type == "call_expression":
        yield from _find_chained(node, target, verb, arguments, prefixes)
    elif target.type == "identifier" and route is not None and len(arguments) > 1 and route[:1] in {"/", "*"}:
        last = arguments[-1]
        if last.type in FUNCTIONS or name in made or (framework and last.type in _REFERENCES):
            yield _route(_VERBS[verb], join_routes(prefix, route), node, last)


_REFERENCES = frozenset({"identifier", "member_expression", "call_expression", "array"})


def _find_chained(
    node: Node, target: Node, verb: str, arguments: list[Node], prefixes: Mapping[str, str]
) -> Iterator[Route]:
    """``router.route("/x").get(a).post(b)``."""
    call: Node | None = target
    while call is not None and call.type == "call_expression":
        function = call.child_by_field_name("function")
        if function is None or function.type != "member_expression":
            return
        inner = _arguments(call)
        owner = function.child_by_field_name("object")
        if text_of(function.child_by_field_name("property")) == "route" and inner:
            route = string_value(inner[0])
            if route is not None:
                full = join_routes(prefixes.get(text_of(owner), ""), route)
                yield _route(_VERBS[verb], full, node, arguments[-1])
            return
        call = owner


def _fastify(node: Node, options: Node, prefix: str) -> Iterator[Route]:
    fields = {
        text_of(pair.child_by_field_name("key")).strip("'\""): pair.child_by_field_name("value")
        for pair in options.named_children
        if pair.type == "pair"
    }
    route = string_value(fields.get("url") or fields.get("path"))
    method = fields.get("method")
    if route is None or method is None:
        return
    named = method.named_children if method.type == "array" else [method]
    handler = fields.get("handler")
    for name in sorted({value.upper() for value in map(string_value, named) if value}):
        yield _route(name, join_routes(prefix, route), node, handler)


def _nest(node: Node) -> Iterator[Route]:
    """``@Controller("cats") class C { @Get(":id") find() {} }``."""
    controller = [
        text for text in map(_decorator, (*decorators(node), *_decorator_nodes(node))) if text[0] == "Controller"
    ]
    body = node.child_by_field_name("body")
    if not controller or body is None:
        return
    for member in body.named_children:
        if member.type != "method_definition":
            continue
        for name, route in map(_decorator, decorators(member)):
            if name in _NEST:
                full = join_routes(controller[0][1], route).rstrip("/") or "/"
                handler = text_of(member.child_by_field_name("name"))
                stub = does_nothing(member.child_by_field_name("body"))
                yield Route(_NEST[name], full, member, handler, member, stub)


def _decorator_nodes(node: Node) -> tuple[Node, ...]:
    return tuple(child for child in node.children if child.type == "decorator")


def _decorator(node: Node) -> tuple[str, str]:
    call = node.named_children[0] if node.named_children else None
    if call is None or call.type != "call_expression":
        return text_of(call), ""
    arguments = _arguments(call)
    return text_of(call.child_by_field_name("function")), (string_value(arguments[0]) or "") if arguments else ""


def _next(node: Node, folder: str) -> Iterator[Route]:
    declared = node.child_by_field_name("declaration")
    if declared is None:
        return
    segments = [part for part in folder.strip("/").split("/") if part and not re.fullmatch(r"\(.*\)", part)]
    route = "/" + "/".join(re.sub(r"^\[(?:\.\.\.)?(.+)\]$", r"{\1}", part) for part in segments)
    names = [declared] if declared.type == "function_declaration" else list(declared.named_children)
    for item in names:
        name = text_of(item.child_by_field_name("name"))
        if name in METHODS:
            stub = item.type == "function_declaration" and does_nothing(item.child_by_field_name("body"))
            yield Route(name, route, node, name, node, stub)


def _route(method: str | None, route: str, node: Node, handler: Node | None) -> Route:
    if handler is not None and handler.type in FUNCTIONS:
        return Route(method, route, node, None, handler, does_nothing(handler.child_by_field_name("body")))
    name = text_of(handler).rpartition(".")[2] if handler is not None else ""
    return Route(method, route, node, name if re.fullmatch(r"[\w$]+", name) else None)


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    return [child for child in arguments.named_children if child.type != "comment"]
