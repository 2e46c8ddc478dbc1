"""Whether two versions of a source file are the same code: equal syntax trees without comments and docstrings.

Comments that a compiler, an interpreter or a bundler obeys are part of the code. Documentation that a
program reads is neither code nor mere documentation.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from code_adapter.changes.directives import list_directives
from code_adapter.changes.documentation_readers import find_docstrings, list_read_texts
from code_adapter.changes.literal_values import changes_value
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import fingerprint, parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.languages.tree import Tree

Equality = Literal["equal", "documentation", "strings", "values", "differs", "unknown"]

_STRINGS = frozenset(
    {"string", "concatenated_string", "template_string", "interpreted_string_literal", "raw_string_literal"}
    | {"string_literal", "text_block", "jsx_text"}
    | {"encapsed_string", "heredoc", "nowdoc", "heredoc_body", "interpolated_string_expression"}
    | {"multiline_string_literal", "verbatim_string_literal"}
)
_ATTRIBUTES = frozenset({"attribute_item", "inner_attribute_item"})
_OF_DOCUMENTATION = re.compile(rb"#!?\[\s*(?:doc\s*[=(]|cfg_attr\(\s*docsrs\w*\s*,)")
_MOST_BYTES = 1 << 20


def compare_code(file: ChangedFile, asked: Collection[str] = ()) -> Equality:
    """Compare both versions.

    ``documentation``: only docstrings or comments differ, of which programs read some; ``strings``: only literals do;
    ``values``: so they do, and one is no text for people.

    A file that is new or gone differs; one that no grammar reads is unknown. ``asked`` are names of modules, functions
    and classes of Python whose docstrings other files read.
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
    return _compare_trees(*(parse(content, grammar) for content in (old, new)), path=after.path, asked=asked)


def _compare_trees(*trees: Tree, path: str, asked: Collection[str]) -> Equality:
    if any(tree.broken for tree in trees):
        return "unknown"
    language = language_of(path) or ""
    if len({list_directives(tree, language) for tree in trees}) > 1:
        return "differs"
    if len({fingerprint(tree.root, _find_documentation(tree, language)) for tree in trees}) == 1:
        pure = PurePosixPath(path)
        module = pure.parent.name if pure.stem == "__init__" else pure.stem
        same = len({list_read_texts(tree, language, module, asked) for tree in trees}) == 1
        return "equal" if same else "documentation"
    if language == "rust" and len({fingerprint(tree.root, _find_doc_attributes(tree)) for tree in trees}) == 1:
        return "documentation"
    if len({fingerprint(tree.root, _find_strings(tree.root)) for tree in trees}) > 1:
        return "differs"
    documentation = frozenset(each for tree in trees for each in _find_documentation(tree, language))
    old, new = (tree.root for tree in trees)
    return "values" if changes_value(old, new, _STRINGS, documentation) else "strings"


def _find_documentation(tree: Tree, language: str) -> frozenset[int]:
    """Find the ids of docstrings, and of strings that are statements, such as those below attributes, which do nothing.

    Comments don't count anyway.
    """
    if language != "python":
        return frozenset()
    return frozenset(each.node.id for each in find_docstrings(tree.root)) | {
        node.id for node in walk(tree.root) if node.type == "expression_statement" and _is_text_alone(node)
    }


def _find_doc_attributes(tree: Tree) -> frozenset[int]:
    """Find the ids of attributes of Rust that count where documentation is built, unless a build says otherwise."""
    return frozenset(
        node.id
        for node in walk(tree.root)
        if node.type in _ATTRIBUTES and _OF_DOCUMENTATION.match(tree.source[node.start_byte : node.end_byte])
    )


def _is_text_alone(statement: Node) -> bool:
    if statement.named_child_count != 1 or statement.named_children[0].type not in {"string", "concatenated_string"}:
        return False
    return all(node.type != "interpolation" for node in walk(statement))


def _find_strings(root: Node) -> frozenset[int]:
    """Find the ids of string literals, whose text people read; what is interpolated in them is text too."""
    return frozenset(node.id for node in walk(root) if node.type in _STRINGS)
