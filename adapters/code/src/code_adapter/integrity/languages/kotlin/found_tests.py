"""Find the tests of a file of Kotlin: annotated functions, and what Kotest defines by a title."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.kotlin.titles import TESTS, is_spec, read_titled
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.kotlin import find_part
from verigate.sdk.languages.kotlin_routes import read_annotations
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_ANNOTATIONS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "Property", "TestTemplate"})
CLASSES = frozenset({"class_declaration", "object_declaration"})


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find tests, with the classes around them but for the first, and the containers of Kotest."""
    main = next((node for node in tree.root.named_children if node.type in CLASSES), None)
    stack: list[tuple[Node, str, bool]] = [(tree.root, "", False)]
    while stack:
        node, around, spec = stack.pop()
        inside = around
        if node.type == "function_declaration" and not _ANNOTATIONS.isdisjoint(read_annotations(node)):
            name = text_of(node.child_by_field_name("name")).strip("`")
            body = find_part(node, "function_body")
            if body is not None:
                yield FoundTest(name, f"{around}{name}", node, find_part(body, "block") or body)
                continue
        elif node.type in CLASSES:
            if main is None or node.id != main.id:
                inside = f"{around}{text_of(node.child_by_field_name('name'))}."
            spec = spec or is_spec(node)
        elif spec and (titled := read_titled(node)) is not None:
            callee, title, block = titled
            if callee in TESTS or (not callee and not _holds_tests(block)):
                yield FoundTest(title, f"{around}{title}", node, block)
                continue
            inside = f"{around}{title} > "
        stack.extend((child, inside, spec) for child in reversed(node.children))


def _holds_tests(block: Node) -> bool:
    """Whether a block of a string, as in WordSpec, has tests of its own."""
    return any(read_titled(child) is not None for child in block.named_children)


def find_scope(node: Node) -> Node | None:
    """The class or the container around a marker."""
    above: Node | None = node
    while above is not None and above.type not in CLASSES and read_titled(above) is None:
        above = above.parent
    return above
