"""Read single nodes of Kotlin as assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_plain
from code_adapter.integrity.languages.calls import read_called, read_last_name
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_STARTS = re.compile(
    r"(?:\w+\.)*(?:assert(?!(?:ed|ing|ion|or|Softly|All)\b)\w*|(?:co)?[vV]erify\w*|fail|expect\w*|then)\s*(?:<[^>]*>\s*)?[({]"
)
_SHOULD = re.compile(r"should\w*|must\w*")
_THROWS = re.compile(r"(?:assertFailsWith|assertThrows|shouldThrow\w*|assertFails|expectThrows)\s*<")


def read_assertion(node: Node) -> Assertion | None:
    """Read a call, or a word between two values, as an assertion."""
    if node.type == "infix_expression":
        between = node.named_children[1:2]
        known = bool(between) and _SHOULD.fullmatch(text_of(between[0])) is not None
    elif node.type == "binary_expression":
        # The grammar takes ``shouldThrow<E> { }`` for two comparisons.
        known = _THROWS.match(text_of(node)) is not None
    elif node.type == "call_expression":
        name = read_last_name(node)
        known = _STARTS.match(read_plain(node)) is not None or _SHOULD.fullmatch(name) is not None
        known = known and "fun " not in read_called(node)
    else:
        return None
    return Assertion(read_plain(node), line_of(node)) if known else None
