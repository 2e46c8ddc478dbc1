"""What stands in a JavaScript or TypeScript test file and never runs, or is skipped by a name that doesn't say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_NEVER = frozenset({"false", "0", "null", "undefined", '""', "''", "!true", "!1"})
_SKIPPING = frozenset({"skip", "todo", "only"})


def uncalled(tree: Tree) -> frozenset[int]:
    """Ids of the nodes below which nothing runs: dead branches, and functions whose name stands nowhere else."""
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
    """A function that has a name, which the text around it says only once, and that isn't exported."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    if node.type != "function_declaration" and (
        value is None or value.type not in {"arrow_function", "function_expression"}
    ):
        return False
    statement = node if value is None else node.parent
    if statement is not None and statement.parent is not None and statement.parent.type == "export_statement":
        return False
    name = text_of(node.child_by_field_name("name"))
    return len(re.findall(rf"(?<![\w$]){re.escape(name)}(?![\w$])", around)) == 1


def skipping_name(node: Node) -> str | None:
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
