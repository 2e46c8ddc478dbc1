"""Find the tests of a file of PHP: PHPUnit's methods, and what Pest defines by a title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.php.titles import (
    FUNCTIONS,
    TESTS,
    find_whole,
    has_throws,
    list_arguments,
    read_callee,
    read_title,
)
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_TAGGED = re.compile(r"@test\b")
_ATTRIBUTE = re.compile(r"#\[(?:[^\]\n]*[\s,\\\[])?Test\b(?!\w)")
CLASSES = frozenset({"class_declaration", "trait_declaration"})


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find test methods and tests with a title."""
    main = next((node for node in tree.root.named_children if node.type in CLASSES), None)
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    while stack:
        node, around = stack.pop()
        inside = around
        if node.type == "method_declaration":
            leading = _find_comments(node)
            body, name = node.child_by_field_name("body"), text_of(node.child_by_field_name("name"))
            if body is not None and _is_test(node, name, leading):
                yield FoundTest(name, f"{around}{name}", node, body, leading)
                continue
        elif node.type in CLASSES and main is not None and node.id != main.id:
            inside = f"{around}{text_of(node.child_by_field_name('name'))}."
        elif callee := read_callee(node):
            if callee in TESTS:
                yield FoundTest(read_title(node), f"{around}{read_title(node)}", find_whole(node), _find_body(node))
                continue
            inside = f"{around}{read_title(node)} > "
        stack.extend((child, inside) for child in reversed(node.children))


def _find_body(call: Node) -> Node:
    functions = [each for each in list_arguments(call) if each.type in FUNCTIONS]
    whole = find_whole(call)
    # ``it('adds')->expect(...)->toBe(...)`` of Pest has no function: the chain asserts.
    if not functions or has_throws(whole):
        return whole
    return functions[-1].child_by_field_name("body") or call


def _find_comments(method: Node) -> tuple[Node, ...]:
    before = method.prev_sibling
    return (before,) if before is not None and is_comment(before) else ()


def _is_test(method: Node, name: str, leading: tuple[Node, ...]) -> bool:
    if re.match(r"test(?![a-z])", name) or name.startswith("test_"):
        return True
    attributes = text_of(method.child_by_field_name("attributes"))
    return bool(_ATTRIBUTE.search(attributes)) or any(_TAGGED.search(text_of(comment)) for comment in leading)


def find_scope(node: Node) -> Node | None:
    """The class or the suite around a marker."""
    above: Node | None = node
    while above is not None and above.type not in CLASSES and read_callee(above) != "describe":
        above = above.parent
    return above
