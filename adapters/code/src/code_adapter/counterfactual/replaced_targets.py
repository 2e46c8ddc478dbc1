"""Find names in texts by which tests say what to replace: ``patch("shop.fetch")``, ``spyOn(shop, "fetch")``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_REPLACING = frozenset({"patch", "object", "setattr", "delattr", "spyOn", "method", "stub"})
"""Functions of unittest.mock, pytest, Jest, Vitest, node:test and sinon, by the last part of their names."""

_CALLS = frozenset({"call", "call_expression"})
_CONTENTS = frozenset({"string_content", "string_fragment"})
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


class Target(NamedTuple):
    """A name in a source: where it begins and ends, in bytes, and its text."""

    start: int
    end: int
    text: str


def list_targets(tree: Tree) -> Iterator[Target]:
    """List the names in texts that are handed to such a function, each part of a dotted one by itself."""
    for node in walk(tree.root):
        if node.type not in _CONTENTS or not _is_handed_over(node):
            continue
        content = tree.source[node.start_byte : node.end_byte]
        if _DOTTED.fullmatch(content):
            for part in re.finditer(rb"\w+", content):
                yield Target(node.start_byte + part.start(), node.start_byte + part.end(), part[0].decode())


def _is_handed_over(content: Node) -> bool:
    text = content.parent
    arguments = text.parent if text is not None else None
    call = arguments.parent if arguments is not None else None
    if call is None or call.type not in _CALLS:
        return False
    function = call.child_by_field_name("function")
    return function is not None and re.split(r"\W+", text_of(function))[-1] in _REPLACING
