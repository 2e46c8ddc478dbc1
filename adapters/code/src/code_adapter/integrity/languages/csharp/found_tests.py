"""Find the tests of a file of C# by their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.csharp.flow import is_left_out
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.csharp_routes import read_attributes
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

TESTS = re.compile(r"\w*(?:Fact|Theory)|Test|TestCase|TestCaseSource|\w*TestMethod|DataTestMethod|Property|Scenario")
CLASSES = frozenset({"class_declaration", "record_declaration", "struct_declaration", "interface_declaration"})


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find test methods, with the classes around them but for the one that the file is named after."""
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    main = _find_main(tree.root)
    while stack:
        node, around = stack.pop()
        if is_left_out(node):
            stack.extend(
                (child, around) for child in reversed(node.children) if child.type in {"preproc_else", "preproc_elif"}
            )
            continue
        inside = around
        if node.type == "method_declaration":
            body = node.child_by_field_name("body")
            if body is not None and any(TESTS.fullmatch(name) for name in read_attributes(node)):
                name = text_of(node.child_by_field_name("name"))
                yield FoundTest(name, f"{around}{name}", node, body)
            continue
        if node.type in CLASSES and (main is None or node.id != main.id):
            inside = f"{around}{text_of(node.child_by_field_name('name'))}."
        stack.extend((child, inside) for child in reversed(node.children))


def _find_main(root: Node) -> Node | None:
    """The first class: files are named after one, whatever namespace it is in."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in CLASSES:
            return node
        if node.type in {"compilation_unit", "namespace_declaration", "declaration_list"}:
            stack.extend(reversed(node.named_children))
    return None


def find_scope(node: Node) -> Node | None:
    """The class around a marker."""
    above: Node | None = node
    while above is not None and above.type not in CLASSES:
        above = above.parent
    return above
