"""Find where code of Python lets a test off: it skips whoever calls it, or expects them to fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.python.runner_names import find_runner_names, resolve_name
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_LETS_OFF = re.compile(
    r"(?:raise\s+)?(?:pytest|_pytest\.outcomes)\.(?:skip|xfail|importorskip|Skipped|XFailed)\b|"
    r"(?:raise\s+)?(?:unittest\.(?:case\.)?)?SkipTest\b|self\.skipTest\(|"
    r"[\w.]+\.(?:applymarker|add_marker)\(\s*['\"]?(?:pytest\.)?(?:mark\.)?(?:skip|xfail)"
)
_NAMED = re.compile(r"(?:pytest\.(?:skip|xfail|importorskip)|_pytest\.outcomes\.\w+|unittest\.(?:case\.)?SkipTest)$")
HINT = re.compile(rb"skip|Skip|xfail|XFail|_pytest")
"""What every place has, or the file's imports: without it there is nothing to look for."""


def list_let_offs(tree: Tree, *, support: bool) -> Iterator[tuple[Node, str]]:
    """List the places with their texts; outside of test ``support`` also what only names an outcome."""
    names = find_runner_names(tree.source)
    for node in walk(tree.root):
        if node.type in {"call", "raise_statement"}:
            if node.parent is not None and node.parent.type in {"raise_statement", "decorator"}:
                continue
            shown = resolve_name(" ".join(text_of(node).split()), names)
            if _LETS_OFF.match(shown):
                yield node, shown
        elif not support and node.type in {"identifier", "attribute"} and _is_value(node):
            shown = resolve_name(text_of(node), names)
            if _NAMED.match(shown):
                yield node, shown


def _is_value(node: Node) -> bool:
    """``E = unittest.SkipTest``, or handed on as an argument."""
    above = node.parent
    return above is not None and (
        above.type in {"argument_list", "return_statement", "list", "tuple", "conditional_expression", "lambda"}
        or (above.type == "assignment" and _is(above.child_by_field_name("right"), node))
        or (above.type == "class_definition")
    )


def _is(one: Node | None, other: Node) -> bool:
    return one is not None and one.id == other.id
