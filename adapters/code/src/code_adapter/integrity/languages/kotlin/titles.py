"""Calls of Kotest that define tests and containers by a title: ``test("adds") { }``, ``"adds" { }``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN_TESTS = frozenset({"test", "it", "should", "then", "Then", "expect", "scenario", "ignore"})
_PLAIN_SUITES = frozenset({"context", "describe", "given", "Given", "when", "When", "feature", "and", "And"})
SKIPPED = frozenset({f"x{name}" for name in _PLAIN_TESTS | _PLAIN_SUITES} | {"ignore"})
FOCUSED = frozenset({f"f{name}" for name in ("test", "it", "context", "describe")})
TESTS = _PLAIN_TESTS | {name for name in SKIPPED | FOCUSED if name[1:] in _PLAIN_TESTS}
SUITES = _PLAIN_SUITES | {name for name in SKIPPED | FOCUSED if name[1:] in _PLAIN_SUITES}
_SPEC = re.compile(
    r"\b(?:StringSpec|FunSpec|DescribeSpec|BehaviorSpec|ShouldSpec|ExpectSpec|FeatureSpec|FreeSpec|WordSpec|\w+Spec)\b"
)


def is_spec(node: Node) -> bool:
    """Whether a class is one of Kotest's by the class that it extends."""
    if node.type not in {"class_declaration", "object_declaration"}:
        return False
    bases = [child for child in node.named_children if child.type == "delegation_specifiers"]
    return bool(bases) and _SPEC.match(text_of(bases[0])) is not None


def read_titled(node: Node) -> tuple[str, str, Node] | None:
    """The callee (empty for a string alone), the title and the block of a call that defines a test or a container."""
    if node.type == "binary_expression":
        return _read_container(node)
    parts = node.named_children
    if node.type != "call_expression" or len(parts) != 2 or parts[1].type != "annotated_lambda":
        return None
    block = parts[1].named_children[-1]
    head = _strip_configuration(parts[0])
    title = string_value(head)
    if title is not None:
        return "", title, block
    if head.type != "call_expression" or len(head.named_children) != 2:
        return None
    name, arguments = head.named_children
    callee = text_of(name).strip("`")
    given = arguments.named_children[0] if arguments.named_children else None
    title = string_value(given.named_children[0]) if given is not None and given.named_children else None
    if name.type != "identifier" or title is None or callee not in TESTS | SUITES:
        return None
    return callee, title, block


def _read_container(node: Node) -> tuple[str, str, Node] | None:
    """``"a price" - { ... }`` of a FreeSpec."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    title = string_value(left)
    if title is None or right is None or right.type != "lambda_literal":
        return None
    return "-", title, right


def _strip_configuration(head: Node) -> Node:
    """``test("adds")`` of ``test("adds").config(enabled = false)``."""
    parts = head.named_children
    if head.type == "call_expression" and parts and parts[0].type == "navigation_expression":
        navigation = parts[0].named_children
        if text_of(navigation[-1]) == "config":
            return navigation[0]
    return head
