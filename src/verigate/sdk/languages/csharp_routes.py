"""Routes of ASP.NET: attributes of controllers, and ``app.MapGet("/prices", ...)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Route, join_routes
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_VERBS = {f"Http{method.capitalize()}": method for method in METHODS}
_MAPS: dict[str, str | None] = {f"Map{method.capitalize()}": method for method in METHODS} | {"MapMethods": None}


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    groups = _find_groups(tree)
    for node in walk(tree.root):
        if node.type == "method_declaration":
            yield from _read_method(node)
        elif node.type == "invocation_expression":
            yield from _read_map(node, groups)


def read_attributes(node: Node) -> dict[str, Node]:
    """Map the names of a node's attributes to these; the ending that the language lets out is no part of a name."""
    return {
        text_of(each.child_by_field_name("name")).rpartition(".")[2].removesuffix("Attribute"): each
        for attributes in node.children
        if attributes.type == "attribute_list"
        for each in attributes.named_children
        if each.type == "attribute"
    }


def _read_template(attribute: Node | None) -> str:
    """The first string of an attribute."""
    strings = (string_value(node) for node in walk(attribute)) if attribute is not None else ()
    return next((each for each in strings if each is not None), "")


def _read_method(node: Node) -> Iterator[Route]:
    attributes = read_attributes(node)
    verbs = [(verb, attributes[name]) for name, verb in _VERBS.items() if name in attributes]
    block = node.parent
    owner = block.parent if block is not None else None
    if not verbs or owner is None:
        return
    name = text_of(node.child_by_field_name("name"))
    base = _read_template(read_attributes(owner).get("Route"))
    own = _read_template(attributes.get("Route"))
    controller = text_of(owner.child_by_field_name("name")).removesuffix("Controller")
    for verb, attribute in verbs:
        template = _read_template(attribute) or own
        route = template if template.startswith(("/", "~/")) else join_routes(base, template)
        route = route.removeprefix("~").replace("[controller]", controller).replace("[action]", name)
        yield Route(verb, route.rstrip("/") or "/", node, name, node)


def _find_groups(tree: Tree) -> dict[str, str]:
    """``var api = app.MapGroup("/api");``: the prefixes of groups by the names of their variables."""
    groups: dict[str, str] = {}
    for node in walk(tree.root):
        call = node.named_children[-1] if node.type == "variable_declarator" and node.named_children else None
        while call is not None and call.type == "invocation_expression":
            function = call.child_by_field_name("function")
            if function is None or function.type != "member_access_expression":
                break
            if text_of(function.child_by_field_name("name")) == "MapGroup":
                around = groups.get(text_of(function.child_by_field_name("expression")), "")
                groups[text_of(node.child_by_field_name("name"))] = join_routes(around, _read_template(call))
                break
            call = function.child_by_field_name("expression")
    return groups


def _read_map(call: Node, groups: dict[str, str]) -> Iterator[Route]:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    name = text_of(function.child_by_field_name("name")) if function is not None else ""
    given = [each.named_children[-1] for each in arguments.named_children if each.named_children] if arguments else []
    if function is None or name not in _MAPS or len(given) < 2:
        return
    route = string_value(given[0])
    if route is None:
        return
    prefix = groups.get(text_of(function.child_by_field_name("expression")), "")
    handler = given[-1]
    inline = handler if handler.type in {"lambda_expression", "anonymous_method_expression"} else None
    named = None if inline is not None else text_of(handler).rpartition(".")[2]
    yield Route(_MAPS[name], join_routes(prefix, route), call, named, inline)
