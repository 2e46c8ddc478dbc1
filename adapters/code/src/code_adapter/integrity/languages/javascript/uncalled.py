"""Find code of JavaScript or TypeScript test files that never runs, or is skipped under another name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_NEVER = frozenset({"false", "0", "null", "undefined", '""', "''", "!true", "!1"})
_SKIPPING = frozenset({"skip", "todo", "only"})


def find_uncalled(tree: Tree) -> frozenset[int]:
    """Return the ids of nodes that never run: dead branches, and functions whose name is used nowhere else."""
    return frozenset(_uncalled(tree.root))


def _uncalled(root: Node) -> Iterator[int]:
    source = text_of(root)
    for node in walk(root):
        if node.type == "if_statement":
            condition = text_of(node.child_by_field_name("condition")).strip("() ")
            consequence = node.child_by_field_name("consequence")
            if condition in _NEVER and consequence is not None:
                yield consequence.id
        elif is_never_called(node, source):
            yield node.id


def is_never_called(node: Node, around: str) -> bool:
    """Whether a named function isn't exported and its name occurs only once."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    if node.type != "function_declaration" and (
        value is None or value.type not in {"arrow_function", "function_expression"}
    ):
        return False
    statement = node if value is None else node.parent
    if statement is not None and statement.parent is not None and statement.parent.type == "export_statement":
        return False
    name = text_of(node.child_by_field_name("name"))
    return _count_names(around)[name] == 1


@lru_cache(maxsize=4)
def _count_names(text: str) -> Mapping[str, int]:
    """Count the names in a text once, however many of them are asked for: a file may have thousands of functions."""
    return Counter(re.findall(r"[\w$]+", text))


def find_skipping_name(node: Node) -> str | None:
    """``import { skip as test }``, ``const { todo: test } = require(...)``, ``const o = { skip: true }``; else None."""
    if node.type == "import_specifier" and text_of(node.child_by_field_name("name")) in _SKIPPING:
        return text_of(node)
    if node.type not in {"pair", "pair_pattern"}:
        return None
    key = text_of(node.child_by_field_name("key")).strip("'\"")
    if key not in _SKIPPING:
        return None
    if node.type == "pair_pattern":
        return text_of(node)
    above = node.parent.parent if node.parent is not None else None
    held = above is not None and above.type in {"variable_declarator", "assignment_expression"}
    return text_of(node) if held and text_of(node.child_by_field_name("value")) == "true" else None
