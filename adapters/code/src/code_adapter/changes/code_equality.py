"""Whether two versions of a source file are the same code: equal syntax trees without comments and docstrings.

Comments that a compiler, an interpreter or a bundler obeys are part of the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from code_adapter.changes.directives import list_directives
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import fingerprint, parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.languages.tree import Tree

Equality = Literal["equal", "strings", "differs", "unknown"]

_BODIES = frozenset({"module", "block"})
_STRINGS = frozenset(
    {"string", "concatenated_string", "template_string", "interpreted_string_literal", "raw_string_literal"}
    | {"string_literal", "text_block", "jsx_text"}
    | {"encapsed_string", "heredoc", "nowdoc", "heredoc_body", "interpolated_string_expression"}
    | {"multiline_string_literal", "verbatim_string_literal"}
)
_MOST_BYTES = 1 << 20


def compare_code(file: ChangedFile) -> Equality:
    """Compare both versions; ``strings``: the text of literals alone differs.

    A file that is new or gone differs; one that no grammar reads is unknown.
    """
    before, after = file.before, file.after
    if before is None or after is None:
        side = after or before
        return "differs" if side is not None and language_of(side.path) is not None else "unknown"
    old, new = before.content, after.content
    if old is None or new is None or grammar_of(before.path) != grammar_of(after.path):
        return "unknown"
    grammar = grammar_of(after.path)
    if grammar is None:
        return "equal" if old == new else "unknown"
    if max(len(old), len(new)) > _MOST_BYTES:
        return "unknown"
    return _compare_trees(*(parse(content, grammar) for content in (old, new)), path=after.path)


def _compare_trees(*trees: Tree, path: str) -> Equality:
    if any(tree.broken for tree in trees):
        return "unknown"
    language = language_of(path) or ""
    if len({list_directives(tree, language) for tree in trees}) > 1:
        return "differs"
    python = language == "python"
    if len({fingerprint(tree.root, _find_docstrings(tree.root) if python else ()) for tree in trees}) == 1:
        return "equal"
    return "strings" if len({fingerprint(tree.root, _find_strings(tree.root)) for tree in trees}) == 1 else "differs"


def _find_strings(root: Node) -> frozenset[int]:
    """Find the ids of string literals, whose text people read; what is interpolated in them is text too."""
    return frozenset(node.id for node in walk(root) if node.type in _STRINGS)


def _find_docstrings(root: Node) -> frozenset[int]:
    """Find the ids of Python's docstrings: a string alone, first in a module, class or function."""
    found: set[int] = set()
    for node in walk(root):
        if node.type not in _BODIES:
            continue
        first = next((child for child in node.named_children if child.type != "comment"), None)
        if first is not None and first.type == "expression_statement" and first.named_child_count == 1:
            inner = first.named_children[0]
            if inner.type in {"string", "concatenated_string"}:
                found.add(first.id)
    return frozenset(found)
