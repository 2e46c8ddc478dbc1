"""Java: methods, constructors, types; Spring and JAX-RS routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import METHODS, Definition, Language, Route, is_placeholder, join_routes
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_TYPES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
_UNDONE = re.compile(
    r"^throw\s+new\s+(UnsupportedOperationException|NotImplementedException|"
    r"\w+\(.*(not.{0,3}(yet.{0,3})?implemented|\btodo\b))",
    re.IGNORECASE | re.DOTALL,
)
_SPRING = {f"{method.capitalize()}Mapping": method for method in METHODS}


def define(node: Node) -> Iterator[Definition]:
    """The method, constructor or type that begins at this node."""
    if node.type in {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}:
        body = node.child_by_field_name("body")
        constructor = node.type != "method_declaration"
        yield Definition(
            text_of(node.child_by_field_name("name")),
            "function",
            node,
            declaration=body is None,
            stub=body is not None and not constructor and does_nothing(body),
            signature=text_of(node.child_by_field_name("parameters")),
        )
    elif node.type in _TYPES:
        body = node.child_by_field_name("body")
        derived = any(child.type in {"superclass", "super_interfaces"} for child in node.children)
        empty = node.type == "class_declaration" and body is not None and not body.named_children
        modified = any(child.type == "modifiers" and "@" in text_of(child) for child in node.children)
        yield Definition(
            text_of(node.child_by_field_name("name")), "class", node, stub=empty and not derived and not modified
        )


def does_nothing(body: Node | None) -> bool:
    """Whether a block is empty or only throws a not-implemented exception."""
    return body is None or is_placeholder(body.named_children, _UNDONE)


def find_routes(tree: Tree, path: str) -> Iterator[Route]:  # noqa: ARG001 - every language is asked alike
    """Find the endpoints that this file registers."""
    for node in walk(tree.root):
        if node.type not in {"class_declaration", "interface_declaration"}:
            continue
        above = _annotations(node)
        bases = _paths(above.get("RequestMapping")) or _paths(above.get("Path")) or [""]
        body = node.child_by_field_name("body")
        for member in body.named_children if body is not None else ():
            if member.type == "method_declaration":
                yield from _method(member, bases)


def _method(node: Node, bases: list[str]) -> Iterator[Route]:
    annotations = _annotations(node)
    name = text_of(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    stub = body is not None and does_nothing(body)
    found: list[tuple[str | None, list[str]]] = [
        (_SPRING[label], _paths(annotation) or [""]) for label, annotation in annotations.items() if label in _SPRING
    ]
    if "RequestMapping" in annotations:
        mapping = annotations["RequestMapping"]
        methods = sorted(set(re.findall(r"\b(?:RequestMethod\.)?(" + "|".join(METHODS) + r")\b", text_of(mapping))))
        found += [(method, _paths(mapping) or [""]) for method in methods or [None]]
    verbs = [label for label in annotations if label in METHODS]
    found += [(verb, _paths(annotations.get("Path")) or [""]) for verb in verbs]
    for method, paths in found:
        for base in bases:
            for path in paths:
                yield Route(method, join_routes(base, path).rstrip("/") or "/", node, name, node, stub)


def _annotations(node: Node) -> dict[str, Node]:
    return {
        text_of(annotation.child_by_field_name("name")).rpartition(".")[2]: annotation
        for modifiers in node.children
        if modifiers.type == "modifiers"
        for annotation in modifiers.named_children
        if annotation.type in {"annotation", "marker_annotation"}
    }


def _paths(annotation: Node | None) -> list[str]:
    """The strings of ``value`` or ``path``, or the only argument."""
    arguments = annotation.child_by_field_name("arguments") if annotation is not None else None
    found: list[str] = []
    for argument in arguments.named_children if arguments is not None else ():
        value: Node | None = argument
        if argument.type == "element_value_pair":
            if text_of(argument.child_by_field_name("key")) not in {"value", "path"}:
                continue
            value = argument.child_by_field_name("value")
        for part in walk(value) if value is not None else ():
            text = string_value(part)
            if text is not None:
                found.append(text)
    return found


LANGUAGE = Language("java", define, find_routes)
