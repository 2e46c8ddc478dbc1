"""Stubs of Python, for its definitions and routes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node


_UNDONE = re.compile(r"\btodo\b|\bfixme\b|not[ _-]?(?:yet[ _-]?)?implemented|\bunimplemented\b", re.IGNORECASE)
_NEVER = frozenset({"False", "0", "None", "TYPE_CHECKING", "typing.TYPE_CHECKING", "not True"})
_ENDS = frozenset({"return_statement", "raise_statement"})


def does_nothing(body: Node | None) -> bool:
    """Whether a block is only a docstring, ``pass``, ``...``, a bare ``return``, or raises as not implemented.

    So is a ``raise`` or bare ``return`` with dead code after it, and an endless loop over nothing. What
    stands under ``if False`` doesn't count.
    """
    if body is None:
        return True
    statements = [child for child in body.named_children if not is_comment(child)]
    for at, statement in enumerate(statements):
        kind, text = statement.type, text_of(statement)
        if kind in _ENDS:
            cut = at + 1 < len(statements) and (kind == "raise_statement" or text in {"return", "return None"})
            return cut or text == "return" or (kind == "raise_statement" and _is_not_implemented(statement))
        if kind == "while_statement" and _is_endless(statement):
            return True
        if not (kind == "pass_statement" or _is_no_op(statement, kind, text)):
            return False
    return True


def _is_no_op(statement: Node, kind: str, text: str) -> bool:
    if kind == "expression_statement":
        kinds = {child.type for child in statement.named_children}
        if kinds <= {"string", "concatenated_string", "ellipsis"}:
            return True
        return bool(re.match(r"_\s*=\s*\w+$|(?:print|\w*log\w*\.\w+)\(", text)) and (
            text.startswith("_") or bool(_UNDONE.search(text))
        )
    if kind == "assert_statement":
        return bool(re.match(r"assert\s+(?:False|0)\b", text))
    return kind == "delete_statement" or is_never(statement)


def _is_endless(loop: Node) -> bool:
    """``while True: pass``."""
    asked = text_of(loop.child_by_field_name("condition")).strip("() ")
    return asked in {"True", "1"} and does_nothing(loop.child_by_field_name("body"))


def is_never(statement: Node) -> bool:
    """``if False:`` without another branch."""
    if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
        return False
    return text_of(statement.child_by_field_name("condition")).strip("() ") in _NEVER


def _is_not_implemented(statement: Node) -> bool:
    raised = statement.named_children[0] if statement.named_children else None
    if raised is not None and raised.type == "call":
        raised = raised.child_by_field_name("function")
    return text_of(raised) == "NotImplementedError" or bool(_UNDONE.search(text_of(statement)))
