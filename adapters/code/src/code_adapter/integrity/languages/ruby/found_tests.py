"""Find the tests of a file of Ruby: RSpec's and minitest/spec's examples, test methods, and Rails' ``test "title"``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.ruby.titles import (
    SHARED,
    SUITES,
    TESTS,
    is_suite,
    list_arguments,
    read_callee,
    read_title,
)
from code_adapter.integrity.languages.test_language import FoundTest
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_CLASSES = frozenset({"class", "module"})


def find_tests(tree: Tree) -> Iterator[FoundTest]:
    """Find examples and test methods, with the suites and classes around them."""
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    while stack:
        node, around = stack.pop()
        inside = around
        if node.type == "method":
            name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
            if name.startswith("test_") and _is_in_class(node):
                yield FoundTest(name, f"{around}{name}", node, body if body is not None else node)
                continue
        elif node.type in _CLASSES and node.child_by_field_name("name") is not None:
            inside = f"{around}{text_of(node.child_by_field_name('name'))} > "
        elif (callee := read_callee(node)) in TESTS:
            block = node.child_by_field_name("block")
            if block is not None or _is_pending(node):
                title = read_title(node)
                yield FoundTest(title, f"{around}{title}", node, _find_body(node), tuple(_find_described(node)))
                continue
        elif callee in SUITES | SHARED and is_suite(node):
            inside = f"{around}{read_title(node)} > "
        stack.extend((child, inside) for child in reversed(node.children))


def _find_described(call: Node) -> Iterator[Node]:
    """Find the constants that the suites around a test are about: ``described_class`` in it is one of them."""
    above = call.parent
    while above is not None:
        if is_suite(above):
            yield from (node for node in list_arguments(above)[:1] if node.type in {"constant", "scope_resolution"})
        above = above.parent


def _find_body(call: Node) -> Node:
    block = call.child_by_field_name("block")
    return (block.child_by_field_name("body") or block) if block is not None else call


def _is_pending(call: Node) -> bool:
    """``it "adds"`` without a block, which RSpec and Minitest report as pending."""
    arguments = call.child_by_field_name("arguments")
    above = call.parent
    stands = above is not None and above.type in {"body_statement", "block_body", "program"}
    titled = arguments is not None and arguments.named_children and arguments.named_children[0].type == "string"
    return bool(stands and titled and text_of(call.child_by_field_name("method")) not in {"should", "test"})


def _is_in_class(method: Node) -> bool:
    above = method.parent
    while above is not None and above.type in {"body_statement", "if_modifier", "unless_modifier", "then", "if"}:
        above = above.parent
    return above is not None and above.type in {*_CLASSES, "do_block", "block", "argument_list"}


def find_scope(node: Node) -> Node | None:
    """The class or the suite around a marker, or the suite that it stands on."""
    above: Node | None = node
    while above is not None and above.type != "class" and not is_suite(above):
        above = above.parent
    return above
