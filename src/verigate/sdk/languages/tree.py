"""Parse and walk syntax trees, and compare them by fingerprint.

Grammars: tree-sitter (https://tree-sitter.github.io), one Python package per language.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from verigate.sdk.errors import AdapterError
from verigate.sdk.languages.comment_runs import join_comment_runs

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_GRAMMARS = {
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "python": ("tree_sitter_python", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}

_STEPS = 1000
_BYTES_PER_STEP = 3
"""The parser reports each hundred of its operations. Sources that people wrote have 20 to 150 bytes for a report,
Kotlin with many brackets 9. A text of 1,000 bytes was found with more than 13,000 reports (docs/fuzzing.md)."""

_CHUNK = 1 << 16
_SHOWN = 60

_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment", "line_continuation"})
_OPAQUE = frozenset(
    {
        "string",
        "string_content",
        "concatenated_string",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string_literal",
        "text_block",
        "char_literal",
        "character_literal",
        "regex",
        "jsx_text",
        "encapsed_string",
        "heredoc",
        "heredoc_body",
        "interpolated_string_expression",
        "multiline_string_literal",
        "nowdoc",
        "text",
        "verbatim_string_literal",
    }
)
"""Literals: whitespace in them is significant, and some of their text belongs to no leaf."""

_STRINGS = frozenset(
    {
        "string",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string_literal",
        "encapsed_string",
        "multiline_string_literal",
        "verbatim_string_literal",
    }
)
_INTERPOLATIONS = frozenset(
    {"interpolation", "template_substitution", "variable_name", "dynamic_variable_name"}
    | {"member_access_expression", "subscript_expression", "member_call_expression", "function_call_expression"}
)
"""What stands in a string of PHP may be an expression of any kind: these are the ones that do."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed file. ``source`` is the exact text; nodes refer to it by byte offsets."""

    source: bytes
    root: Node

    @property
    def broken(self) -> bool:
        """Whether the file has a syntax error: the parser had to skip or insert tokens."""
        return self.root.has_error

    def first_error(self) -> int | None:
        """Return the line, from 1, of the first syntax error; None if there is none."""
        if not self.broken:
            return None
        for node in walk(self.root, enter=lambda node: node.has_error):
            if node.is_error or node.is_missing:
                return line_of(node)
        return 1


def parse(source: bytes, grammar: str) -> Tree:
    """Parse ``source`` (UTF-8, a byte order mark is skipped) with ``grammar``; raises nothing for syntax errors.

    Raises AdapterError for a text that the grammar can read in so many ways that it would take minutes or more.
    """
    text = source[3:] if source.startswith(b"\xef\xbb\xbf") else source
    read = join_comment_runs(text) if grammar == "python" else text
    most = _STEPS + len(read) // _BYTES_PER_STEP
    steps = count()
    parser = _parser(grammar)
    try:
        counted = parser.parse(
            lambda offset, _: read[offset : offset + _CHUNK], progress_callback=lambda *_: next(steps) >= most
        )
        # It takes over what was counted, at no cost. Nodes of this tree have their text at hand.
        tree = parser.parse(read, counted)
    except ValueError as error:
        parser.reset()
        begins = " ".join(text[:_SHOWN].decode("utf-8", "replace").split())
        raise AdapterError(
            f"a source of {len(text):,} bytes can't be parsed in reasonable time by the grammar of {grammar}",
            where=f"the source that begins with {begins!r}",
            hint="nested brackets that are never closed, or that aren't of this language, can have many readings",
        ) from error
    return Tree(text, tree.root_node)


@cache
def _parser(grammar: str) -> Parser:
    from tree_sitter import Language, Parser

    module, name = _GRAMMARS[grammar]
    return Parser(Language(getattr(importlib.import_module(module), name)()))


def text_of(node: Node | None) -> str:
    """The node's source text; empty for None."""
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "backslashreplace")


def line_of(node: Node) -> int:
    """The node's first line, from 1."""
    return int(node.start_point[0]) + 1


def end_line_of(node: Node) -> int:
    """The node's last line, from 1."""
    row, column = node.end_point
    return int(row) + (1 if column or row == node.start_point[0] else 0)


def walk(root: Node, enter: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield ``root`` and all its descendants in source order, without recursion.

    A node for which ``enter`` returns False is skipped with its descendants.
    """
    # A cursor takes a quarter of the time of asking each node for its children.
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is None:
            return
        entered = enter is None or enter(node)
        if entered:
            yield node
            if cursor.goto_first_child():
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def is_comment(node: Node) -> bool:
    """Whether the node is a comment in any of the grammars."""
    return node.type in _COMMENTS


def string_value(node: Node | None) -> str | None:
    """Return the text of a string literal without quotes and prefix; None for other nodes and for interpolation."""
    if node is None or node.type not in _STRINGS:
        return None
    if any(child.type in _INTERPOLATIONS for child in node.named_children):
        return None
    text = text_of(node)
    start = min((at for at in (text.find(quote) for quote in "'\"`") if at >= 0), default=-1)
    if start < 0:
        return None
    quote = text[start]
    body = text[start:].rstrip("#")
    width = 3 if body.startswith(quote * 3) and len(body) >= 6 else 1
    return body[width:-width]


def fingerprint(node: Node, without: Collection[int] = ()) -> str:
    """Digest the tree's shape and tokens; comments, white space and trailing separators don't count.

    ``without`` are the ids of nodes to leave out. Indentation counts only where it changes the tree (Python).
    """
    digest = hashlib.sha256()
    stack: list[tuple[Node | None, bool]] = [(node, False)]
    while stack:
        current, last = stack.pop()
        if current is None:
            digest.update(b"\1)")
            continue
        if current.type in _COMMENTS or current.id in without:
            continue
        if current.child_count == 0 or current.type in _OPAQUE:
            token = (current.text or b"").strip() if current.type not in _OPAQUE else current.text or b""
            if token and not (last and token in {b";", b","}):
                digest.update(b"\1=" + current.type.encode() + b"\1" + token)
            continue
        digest.update(b"\1(" + current.type.encode())
        stack.append((None, False))
        children = [child for child in current.children if child.type not in _COMMENTS]
        stack.extend((children[index], _closes(children, index)) for index in range(len(children) - 1, -1, -1))
    return digest.hexdigest()


def _closes(children: list[Node], index: int) -> bool:
    """Whether ``children[index]`` is at a trailing separator's position."""
    following = children[index + 1].type if index + 1 < len(children) else ""
    doubled = index > 0 and children[index - 1].type == ","
    return following in {"", ")", "]", "}", ">"} and not doubled
