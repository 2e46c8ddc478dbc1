"""Routes of Kotlin: Ktor's ``get("/prices") { ... }`` and Spring's annotations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS = {method.lower(): method for method in METHODS}
_SPRING = {f"{method.capitalize()}Mapping": method for method in METHODS}
_KTOR = re.compile(r"\bio\.ktor\.server\b|\brouting\s*\{|\bRoute(?:ing)?\.\w+\(")


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    ktor = _KTOR.search(tree.source.decode("utf-8", "replace")) is not None
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    while stack:
        node, prefix = stack.pop()
        inside = prefix
        if node.type == "call_expression" and ktor:
            name, route = read_block_call(node)
            if name == "route" and route is not None:
                inside = join_routes(prefix, route)
            elif name in _VERBS and _is_in_routes(node, route):
                full = join_routes(prefix, route or "")
                yield Route(_VERBS[name], full if full == "/" else full.rstrip("/"), node, None, node)
        elif node.type == "function_declaration":
            yield from _read_method(node)
        stack.extend((child, inside) for child in reversed(node.children))


def read_block_call(call: Node) -> tuple[str, str | None]:
    """The name of a call with a block after it, and the string in its arguments: ``get("/prices") { ... }``."""
    parts = call.named_children
    if len(parts) != 2 or parts[1].type != "annotated_lambda":
        return "", None
    inner = parts[0]
    if inner.type == "identifier":
        return text_of(inner), None
    if inner.type != "call_expression" or inner.named_children[0].type != "identifier":
        return "", None
    strings = (string_value(node) for node in walk(inner))
    return text_of(inner.named_children[0]), next((each for each in strings if each is not None), None)


def _is_in_routes(call: Node, route: str | None) -> bool:
    """Whether a call names a route, or stands in the block of ``route``: ``get { ... }``."""
    if route is not None:
        return True
    above = call.parent
    while above is not None:
        if above.type == "call_expression" and read_block_call(above)[0] in {"route", "routing"}:
            return True
        above = above.parent
    return False


def read_annotations(node: Node | None) -> dict[str, Node]:
    """Map the names of a declaration's annotations to these."""
    found: dict[str, Node] = {}
    for modifiers in node.children if node is not None else ():
        for annotation in modifiers.named_children if modifiers.type == "modifiers" else ():
            if annotation.type == "annotation":
                found[read_annotation(annotation)] = annotation
    return found


def read_annotation(annotation: Node) -> str:
    """The last name of an annotation, without a target: ``Test`` of ``@field:org.junit.Test``."""
    types = (node for node in walk(annotation) if node.type == "user_type")
    return text_of(next(types, None)).partition("<")[0].rpartition(".")[2]


def _read_method(node: Node) -> Iterator[Route]:
    annotations = read_annotations(node)
    found = [(verb, annotations[name]) for name, verb in _SPRING.items() if name in annotations]
    if not found:
        return
    block = node.parent
    base = _list_paths(read_annotations(block.parent if block is not None else None).get("RequestMapping"))
    name = text_of(node.child_by_field_name("name")).strip("`")
    for verb, annotation in found:
        for path in _list_paths(annotation) or [""]:
            route = join_routes((base or [""])[0], path)
            yield Route(verb, route.rstrip("/") or "/", node, name, node)


def _list_paths(annotation: Node | None) -> list[str]:
    strings = (string_value(node) for node in walk(annotation)) if annotation is not None else ()
    return [each for each in strings if each is not None]
