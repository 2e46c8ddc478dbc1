"""Decorators and stubs of JavaScript, for its definitions and routes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_UNDONE = re.compile(r"not.{0,3}(yet.{0,3})?implemented|unimplemented|\btodo\b", re.IGNORECASE)


def decorators(node: Node) -> tuple[Node, ...]:
    """Return the decorators of a method or class; those of an exported class belong to the export statement."""
    found: list[Node] = []
    previous = node.prev_sibling
    while previous is not None and (previous.type in {"decorator", "export", "default"} or is_comment(previous)):
        if previous.type == "decorator":
            found.insert(0, previous)
        previous = previous.prev_sibling
    return tuple(found)


def does_nothing(body: Node | None) -> bool:
    """Whether a body is empty, returns at once, or only throws or logs that it isn't implemented."""
    if body is None:
        return False
    if body.type != "statement_block":
        return False
    statements = [child for child in body.named_children if not is_comment(child)]
    if not statements:
        return True
    only = statements[0]
    if only.type == "throw_statement":
        return len(statements) > 1 or bool(_UNDONE.search(text_of(only)))
    if only.type == "return_statement" and not only.named_children:
        return True
    texts = [text_of(child) for child in statements]
    return all(re.match(r"console\.\w+\(", text) and _UNDONE.search(text) for text in texts)
