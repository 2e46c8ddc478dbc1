"""Ruby: methods, classes and modules; Rails and Sinatra routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.definition import Definition, Language, is_placeholder
from verigate.sdk.languages.ruby_routes import find_routes
from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_UNDONE = re.compile(
    r"(?:raise|fail)\b[\s(]*(?:::)?(?:NotImplementedError\b|.*(?:not.{0,3}(?:yet.{0,3})?implemented|\btodo\b))",
    re.IGNORECASE | re.DOTALL,
)
_MAKES_CLASS = re.compile(r"(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b")
_ACCESSORS = frozenset({"attr_accessor", "attr_reader", "attr_writer", "attr"})
_ONLY_NAMES = frozenset({"class", "module"})


def define(node: Node) -> Iterator[Definition]:
    """The method, class or module that begins at this node."""
    if node.type in {"method", "singleton_method"}:
        name = text_of(node.child_by_field_name("name"))
        yield Definition(
            name,
            "function",
            node,
            stub=name != "initialize" and does_nothing(node),
            signature=text_of(node.child_by_field_name("parameters")),
        )
    elif node.type in {"class", "module"}:
        yield from _define_class(node)
    elif node.type == "call":
        yield from _define_by_call(node)
    elif node.type == "assignment":
        yield from _define_constant(node)


def _define_class(node: Node) -> Iterator[Definition]:
    name = text_of(node.child_by_field_name("name")).removeprefix("::").replace("::", ".")
    if not name:
        return  # the keyword, which has the same type
    body = node.child_by_field_name("body")
    inside = [child for child in body.named_children if not is_comment(child)] if body is not None else []
    # A module around classes qualifies their names; it has no code of its own that a claim could name.
    around = node.type == "module" and inside and all(child.type in _ONLY_NAMES for child in inside)
    derived = node.child_by_field_name("superclass") is not None
    yield Definition(
        name, "namespace" if around else "class", node, stub=node.type == "class" and not derived and not inside
    )


def _define_by_call(node: Node) -> Iterator[Definition]:
    """``define_method(:total) { ... }`` and ``attr_reader :sum``."""
    name = text_of(node.child_by_field_name("method"))
    if name not in _ACCESSORS and name != "define_method":
        return
    arguments, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
    named = [each for each in arguments.named_children if each.type in {"simple_symbol", "string"}] if arguments else []
    if name in _ACCESSORS and node.child_by_field_name("receiver") is None:
        for each in named:
            yield Definition(text_of(each).strip(":'\""), "function", each)
    elif named and block is not None:
        yield Definition(text_of(named[0]).strip(":'\""), "function", node, stub=does_nothing(block))


def _define_constant(node: Node) -> Iterator[Definition]:
    """``Point = Struct.new(:x) do ... end``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "constant" or right is None or right.type != "call":
        return
    if _MAKES_CLASS.match(text_of(right)):
        yield Definition(text_of(left), "class", node)


def does_nothing(node: Node) -> bool:
    """Whether a method or a block is empty, or only raises as not implemented."""
    body = node.child_by_field_name("body")
    if body is None:
        return True
    whole = body.type not in {"body_statement", "block_body"}
    return is_placeholder([body] if whole else body.named_children, _UNDONE)


LANGUAGE = Language("ruby", define, find_routes)
