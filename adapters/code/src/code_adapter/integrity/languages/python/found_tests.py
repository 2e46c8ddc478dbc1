"""Find the tests that pytest and unittest collect from a file of Python, and say which files these are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.python.uncollected import find_uncollected
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find test functions, and methods of test classes."""
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = find_uncollected(tree)
    while stack:
        node, around = stack.pop()
        for child in reversed([child for child in node.named_children if child.id not in none]):
            inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
            if inner is None:
                continue
            name = text_of(inner.child_by_field_name("name"))
            body = inner.child_by_field_name("body")
            if inner.type == "function_definition" and body is not None:
                if name.startswith("test"):
                    leading = tuple(n for n in child.children if n.type == "decorator")
                    yield FoundTest(name, f"{around}{name}", child, body, leading)
            elif inner.type == "class_definition" and body is not None:
                bases = text_of(inner.child_by_field_name("superclasses"))
                if name.startswith("Test") or "Test" in bases:
                    stack.append((body, f"{around}{name}."))
            elif inner.type in {"if_statement", "try_statement", "block", "with_statement", "else_clause"}:
                stack.append((inner, around))


def list_statements(body: Node) -> Iterator[str]:
    """List the statements of a function without its docstring, as what each evaluates: empty for more than a call."""
    for node in body.named_children if body.type == "block" else ():
        if node.type == "comment" or (node.type == "expression_statement" and node.named_children[0].type == "string"):
            continue
        made = node.named_children[0] if node.type == "expression_statement" else node
        right = made.child_by_field_name("right") if made.type == "assignment" else made
        yield text_of(right) if right is not None and right.type == "call" else ""
