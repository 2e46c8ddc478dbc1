"""Read single nodes of Ruby as assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_plain
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BY_NAME = re.compile(r"(?:assert|refute)(?:_\w+|)|flunk|must_\w+|wont_\w+|to_not|not_to|to|verify!?|should(?:_not)?")
_EXPECTS = re.compile(r"(?:expect(?:_any_instance_of)?|is_expected|are_expected|_|value)\b")
_ON_VALUES = frozenset({"to", "not_to", "to_not"})
_STATEMENTS = frozenset({"body_statement", "block_body", "then", "else", "begin", "program"})


def read_assertion(node: Node) -> Assertion | None:
    """Read a call, or a name that stands alone, as an assertion."""
    if node.type == "identifier":
        alone = node.parent is not None and node.parent.type in _STATEMENTS
        return Assertion(text_of(node), line_of(node)) if alone and text_of(node) == "flunk" else None
    if node.type != "call":
        return None
    name = text_of(node.child_by_field_name("method")).rstrip("?")
    receiver = node.child_by_field_name("receiver")
    if not _BY_NAME.fullmatch(name) or (name == "should" and receiver is None and _is_titled(node)):
        return None
    if name in _ON_VALUES and not _EXPECTS.match(text_of(receiver)):
        return None
    if name == "verify" and receiver is None:
        return None
    return Assertion(_read_text(node), line_of(node))


def _is_titled(call: Node) -> bool:
    """``should "add" do`` of shoulda-context, which defines a test; ``should be_valid`` asserts."""
    arguments = call.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    return first is None or first.type == "string" or call.child_by_field_name("block") is not None


def _read_text(call: Node) -> str:
    """The text of an assertion, its arguments in parentheses as one may write them or not."""
    arguments = call.child_by_field_name("arguments")
    text = read_plain(call)
    if arguments is None or text_of(arguments).startswith("(") or call.child_by_field_name("receiver") is not None:
        return text
    name, block = text_of(call.child_by_field_name("method")), call.child_by_field_name("block")
    return f"{name}({read_plain(arguments)})" + (f" {read_plain(block)}" if block is not None else "")
