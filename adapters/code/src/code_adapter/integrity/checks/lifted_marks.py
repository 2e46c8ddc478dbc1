"""Tell a hook of pytest that lets fewer tests off than before from one that does something else.

Only whole statements may be gone, and only such as mark or skip a test: whatever else a hook did may have held tests
to something, and a condition that is gone lets more of them off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import fingerprint, is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LETS_OFF = re.compile(
    r"(?:\w+\.)*add_marker\(\s*(?:(?:pytest\.)?(?:mark\.)?(?:skip|xfail)|['\"](?:skip|xfail))|(?:pytest\.)?skip\("
)
_COMPOUND = frozenset({"if_statement", "for_statement", "with_statement"})


def lets_fewer_off(before: Node, after: Node) -> bool:
    """Whether function ``after`` is ``before`` without some of the statements that mark or skip tests."""
    return _is_same_around(before, after) and _loses(_list_statements(before), _list_statements(after))


def _loses(before: Sequence[Node], after: Sequence[Node]) -> bool:
    waiting = list(after)
    for statement in before:
        if waiting and _is_rest_of(waiting[0], statement):
            waiting.pop(0)
        elif not _only_lets_off(statement):
            return False
    return not waiting


def _is_rest_of(after: Node, before: Node) -> bool:
    """Whether a statement is the same, or has the same head and less below it."""
    if fingerprint(before) == fingerprint(after):
        return True
    if before.type != after.type or before.type not in _COMPOUND or not _is_same_around(before, after):
        return False
    return _loses(_list_statements(before), _list_statements(after))


def _only_lets_off(statement: Node) -> bool:
    if statement.type == "if_statement":
        bodies = [child for child in statement.children if child.type in {"block", "elif_clause", "else_clause"}]
        return len(bodies) == 1 and all(map(_only_lets_off, _list_statements(statement)))
    return statement.type == "expression_statement" and _LETS_OFF.match(text_of(statement)) is not None


def _is_same_around(before: Node, after: Node) -> bool:
    """Whether two nodes differ in their one block alone."""
    heads = [[child for child in node.children if child.type != "block"] for node in (before, after)]
    blocks = [len(node.children) - len(head) for node, head in zip((before, after), heads, strict=True)]
    return blocks == [1, 1] and [*map(fingerprint, heads[0])] == [*map(fingerprint, heads[1])]


def _list_statements(node: Node) -> list[Node]:
    block = next(child for child in node.children if child.type == "block")
    return [child for child in block.named_children if not is_comment(child)]
