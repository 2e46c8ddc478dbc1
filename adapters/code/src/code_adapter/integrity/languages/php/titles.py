"""Calls of Pest that define tests and suites by a title: ``it('adds', fn () => ...)``, with what is chained to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

TESTS = frozenset({"it", "test", "todo", "arch"})
SUITES = frozenset({"describe"})
THROWS = frozenset({"throws", "throwsIf", "throwsUnless", "throwsNoExceptions"})
"""What is chained to a test of Pest, and asserts: ``it('adds', fn () => ...)->throws(TypeError::class)``."""

FUNCTIONS = frozenset({"anonymous_function", "arrow_function"})


def read_callee(node: Node) -> str:
    """``it`` or ``describe`` of a call that defines a test or a suite; empty for others."""
    name = text_of(node.child_by_field_name("function")) if node.type == "function_call_expression" else ""
    return name if name in TESTS | SUITES and list_arguments(node) else ""


def list_arguments(call: Node) -> list[Node]:
    """List the values of the arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return [child.named_children[-1] for child in given if child.type == "argument" and child.named_children]


def read_title(call: Node) -> str:
    """The title of a test or a suite."""
    first = list_arguments(call)[0]
    return string_value(first) or " ".join(text_of(first).split())[:120]


def find_start(node: Node) -> Node:
    """Find the call that a chain of calls begins with: ``it(...)`` of ``it(...)->with(...)->skip()``."""
    start = node
    while (inner := start.child_by_field_name("object")) is not None:
        start = inner
    return start


def has_throws(whole: Node) -> bool:
    """Whether an assertion is chained to a test."""
    link: Node | None = whole
    while link is not None and link.type == "member_call_expression":
        if text_of(link.child_by_field_name("name")) in THROWS:
            return True
        link = link.child_by_field_name("object")
    return False


def find_whole(call: Node) -> Node:
    """Find the whole chain that a call begins."""
    whole = call
    while (above := whole.parent) is not None and above.type == "member_call_expression":
        inner = above.child_by_field_name("object")
        if inner is None or inner.id != whole.id:
            break
        whole = above
    return whole
