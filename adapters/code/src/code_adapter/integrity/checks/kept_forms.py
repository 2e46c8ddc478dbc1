"""Recognise what still says what it said: set-ups that skip for the same reasons, and files of snapshots that grow."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import fingerprint, text_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_SKIPS = frozenset({"pytest.skip", "skip", "self.skipTest", "pytest.xfail"})
_TEXTS = frozenset({"string", "concatenated_string"})

_ENTRY = re.compile(r"^exports\[`((?:[^`\\]|\\.)*)`\] = ", re.MULTILINE)
"""A snapshot of jest or Vitest in a ``.snap`` file."""


def skips_as_before(before: Tree, after: Tree, name: str) -> bool:
    """Whether all functions of Python called ``name`` are as they were but for the text of reasons to skip."""
    was, now = (Counter(map(_digest, _find_functions(tree, name))) for tree in (before, after))
    return bool(was) and was == now


def _find_functions(tree: Tree, name: str) -> Iterator[Node]:
    for node in walk(tree.root):
        if node.type == "function_definition" and text_of(node.child_by_field_name("name")) == name:
            yield node


def _digest(function: Node) -> str:
    return fingerprint(function, {node.id for node in walk(function) if _is_reason(node)})


def _is_reason(node: Node) -> bool:
    """Whether a node is the only argument of a call that skips, and a text: nothing else is called for it."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or call.type != "call" or text_of(call.child_by_field_name("function")) not in _SKIPS:
        return False
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.named_child_count != 1 or arguments.named_children[0].id != node.id:
        return False
    called = node.child_by_field_name("function") if node.type == "call" else None
    if called is None or called.type != "attribute" or text_of(called.child_by_field_name("attribute")) != "format":
        return node.type in _TEXTS
    filled = called.child_by_field_name("object")
    return filled is not None and filled.type in _TEXTS


def keeps_snapshots(before: str, after: str) -> bool:
    """Whether a ``.snap`` file has each snapshot that it had, word for word."""
    was, now = (_read_snapshots(text) for text in (before, after))
    return bool(was) and all(now.get(name) == value for name, value in was.items())


def _read_snapshots(text: str) -> dict[str, str]:
    """Read name -> value; what stands above the first one has no name."""
    places = [*_ENTRY.finditer(text)]
    ends = [*(place.start() for place in places[1:]), len(text)]
    return {place[1]: text[place.end() : end].strip() for place, end in zip(places, ends, strict=False)}
