"""Write code in another way that does the same: a test that then fails reads sources, and notices any mutant.

Each function that may be mutated gets a statement that does nothing, so that its syntax tree and, where the language
has any, its bytecode differ. On the mutated lines values stand in parentheses, so that a line is another one, as with a
mutant. Lines keep their numbers where the language allows it. Words and numbers are random: no test can look for them.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = {
    "python": frozenset({"function_definition"}),
    "go": frozenset({"function_declaration", "method_declaration", "func_literal"}),
    "rust": frozenset({"function_item"}),
    "java": frozenset({"method_declaration"}),
    "javascript": frozenset(
        {
            *("function_declaration", "function_expression", "arrow_function", "method_definition"),
            *("generator_function", "generator_function_declaration"),
        }
    ),
}
_FUNCTIONS["typescript"] = _FUNCTIONS["javascript"]
_NOTHING = {
    "python": "{word} = {number}",
    "javascript": "void {number};",
    "typescript": "void {number};",
    "go": "_ = {number};",
    "rust": "let _ = {number};",
    "java": ";",
}
"""Statements without an effect, which no compiler refuses."""

_VALUES: dict[str, dict[str, str | int]] = {
    "python": {
        "return_statement": 0,
        "assignment": "right",
        "augmented_assignment": "right",
        "if_statement": "condition",
    },
    "javascript": {"return_statement": 0, "variable_declarator": "value", "assignment_expression": "right"},
    "java": {"return_statement": 0, "variable_declarator": "value", "assignment_expression": "right"},
    "go": {"return_statement": 0, "short_var_declaration": "right", "assignment_statement": "right"},
}
_VALUES["typescript"] = _VALUES["javascript"]
"""Where a statement has a value that parentheses don't change: the field, or its number. rustc warns of them."""

_NOT_ONE = frozenset({"assignment", "array_initializer"})

_COMMENT = {"python": b"# "}
_COMPOUND = frozenset(
    {
        *("if_statement", "for_statement", "while_statement", "try_statement", "with_statement", "match_statement"),
        *("function_definition", "class_definition", "decorated_definition"),
    }
)


def make_control(
    path: str, source: bytes, lines: Collection[int], *, word: str | None = None, number: int | None = None
) -> bytes:
    """Make another text of a file for mutants that begin on ``lines``: at least a comment at its end is new.

    ``word`` and ``number`` are what is new in it; random ones unless they are given.
    """
    word = f"{secrets.choice('abcdefghkm')}{secrets.token_hex(secrets.randbelow(6) + 1)}" if word is None else word
    number = secrets.randbelow(1000) if number is None else number
    commented = source + b"\n" + _COMMENT.get(language_of(path) or "", b"// ") + word.encode() + b"\n"
    language, grammar = language_of(path), grammar_of(path)
    if language not in _FUNCTIONS or grammar is None:
        return commented
    tree = parse(source, grammar)
    if tree.broken or tree.source != source:
        return commented
    changed = commented
    nothing = _NOTHING[language].format(word=word, number=number)
    edits = [*_list_edits(tree.root, language, source, frozenset(lines), nothing)]
    edits += _list_parentheses(tree.root, language, frozenset(lines))
    for at, text in sorted(edits, reverse=True):
        changed = changed[:at] + text + changed[at:]
    return commented if parse(changed, grammar).broken else changed


def _list_parentheses(root: Node, language: str, lines: Collection[int]) -> Iterator[tuple[int, bytes]]:
    """List where the parentheses of values on ``lines`` are inserted."""
    for node in walk(root):
        at = _VALUES.get(language, {}).get(node.type)
        if at is None or node.start_point[0] + 1 not in lines:
            continue
        value = node.child_by_field_name(at) if isinstance(at, str) else next(iter(node.named_children[at:]), None)
        if value is not None and value.type == "expression_list" and language == "go":
            value = value.named_children[0] if len(value.named_children) == 1 else None
        if value is not None and value.type not in _NOT_ONE:
            yield from ((value.start_byte, b"("), (value.end_byte, b")"))


def _list_edits(
    root: Node, language: str, source: bytes, lines: Collection[int], nothing: str
) -> Iterator[tuple[int, bytes]]:
    """List where something is inserted in the functions around ``lines``, and what."""
    stack = [root]
    while stack:
        node = stack.pop()
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if not any(first <= line <= last for line in lines):
            continue
        stack.extend(node.named_children)
        body = node.child_by_field_name("body") if node.type in _FUNCTIONS[language] else None
        edit = None
        if body is not None:
            edit = _edit_block(body, source, nothing) if language == "python" else _edit_braces(body, nothing)
        if edit is not None:
            yield edit


def _edit_braces(body: Node, nothing: str) -> tuple[int, bytes] | None:
    """Begin a block in braces with a statement; directives such as ``"use strict"`` stay the first of theirs."""
    first = next(iter(body.named_children), None)
    directive = first is not None and any(child.type == "string" for child in first.named_children)
    if directive or not body.children or body.children[0].type != "{":
        return None
    return body.start_byte + 1, f" {nothing}".encode()


def _edit_block(body: Node, source: bytes, nothing: str) -> tuple[int, bytes] | None:
    """Put a statement before the first one of a block of Python that is no docstring; on its line where that can be."""
    for statement in body.named_children:
        text = statement.type == "expression_statement" and all(
            child.type in {"string", "concatenated_string"} for child in statement.named_children
        )
        if text or statement.type in {"comment", "global_statement", "nonlocal_statement"}:
            continue
        if statement.type not in _COMPOUND:
            return statement.start_byte, f"{nothing}; ".encode()
        start = source.rfind(b"\n", 0, statement.start_byte) + 1
        indent = source[start : statement.start_byte]
        return None if indent.strip() else (start, indent + f"{nothing}\n".encode())
    return None
