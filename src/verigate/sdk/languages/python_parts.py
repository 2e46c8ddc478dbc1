"""Parts of Python's trees that definitions and routes both read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node


def does_nothing(body: Node | None) -> bool:
    """Whether a block is only a docstring, ``pass``, ``...`` or ``raise NotImplementedError``."""
    if body is None:
        return True
    for statement in body.named_children:
        if is_comment(statement) or statement.type == "pass_statement":
            continue
        if statement.type == "expression_statement":
            kinds = {child.type for child in statement.named_children}
            if kinds <= {"string", "concatenated_string", "ellipsis"}:
                continue
            return False
        if statement.type == "raise_statement" and _not_implemented(statement):
            continue
        return False
    return True


def _not_implemented(statement: Node) -> bool:
    raised = statement.named_children[0] if statement.named_children else None
    if raised is not None and raised.type == "call":
        raised = raised.child_by_field_name("function")
    return text_of(raised) == "NotImplementedError"
