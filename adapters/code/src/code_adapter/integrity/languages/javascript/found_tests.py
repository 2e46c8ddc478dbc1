"""Find the tests of a file of JavaScript or TypeScript: Jest, Vitest, Mocha, node:test and their like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.javascript.uncalled import find_uncalled
from code_adapter.integrity.languages.suites import SUITES, TESTS, is_called, read_callee
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.tree import string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

SKIPPED = (".*", "node_modules", "dist")
"""Folders that node, Jest and Vitest leave out."""


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find the calls that define tests, with the titles of the suites around them."""
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = find_uncalled(tree)
    while stack:
        node, around = stack.pop()
        inside = around
        if node.type == "call_expression" and not is_called(node):
            base, _ = read_callee(node)
            arguments = node.child_by_field_name("arguments")
            named = list(arguments.named_children) if arguments is not None else []
            if named and base in TESTS | SUITES and named[0].type not in {"arrow_function", "object"}:
                title = string_value(named[0]) or text_of(named[0])
                if base in TESTS:
                    body = next(
                        (n for n in reversed(named) if n.type in {"arrow_function", "function_expression"}), None
                    )
                    yield FoundTest(title, f"{around}{title}", node, body if body is not None else node)
                else:
                    inside = f"{around}{title} > "
        stack.extend((child, inside) for child in reversed(node.children) if child.id not in none)
