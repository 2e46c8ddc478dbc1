"""Which methods of a Java test file can be left out alone, and what an import names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.java import CLASSES
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND_TESTS = frozenset({"setUp", "tearDown"})
"""What JUnit 3 calls by its name before and after each test."""

_ANNOTATIONS = frozenset({"annotation", "marker_annotation"})


def is_separate(method: Node, root: Node, *, is_test: bool) -> bool:
    """Whether the rest of a file does the same without a method, but for what then doesn't compile.

    A test is so. Of other methods those that a framework calls aren't, by an annotation, by their name in a text
    or by that of a superclass's method: without them the tests would run all the same, and do something else.
    """
    if is_test:
        return True
    owner = method.parent.parent if method.parent is not None else None
    if owner is None or owner.type not in CLASSES:
        return False
    if any(owner.child_by_field_name(name) is not None for name in ("superclass", "interfaces")):
        return False
    modifiers = next((child for child in method.children if child.type == "modifiers"), None)
    if modifiers is not None and any(child.type in _ANNOTATIONS for child in modifiers.children):
        return False
    name = text_of(method.child_by_field_name("name"))
    return name not in _AROUND_TESTS and name not in _list_texts(root)


def list_imported(node: Node) -> Iterator[str]:
    """List the last name of an import: that of a class, or of a static member; none of a star import."""
    if found := re.search(r"(\w+)\s*;\s*$", text_of(node)):
        yield found[1]


def _list_texts(root: Node) -> frozenset[str]:
    """List the words in the string literals of a file."""
    texts = (text_of(node) for node in walk(root) if node.type == "string_literal")
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))
