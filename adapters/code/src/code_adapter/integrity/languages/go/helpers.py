"""Find which tests of Go a new helper skips: its callers, not all tests of its file.

A helper that is new skips nobody but who calls it. A test that was there, or a helper that was, must not call it,
unless under a condition about the platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.platforms import PLATFORM, is_about_platform
from verigate.sdk.languages.tree import end_line_of, line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_RUN_BY_GO = re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?:[^a-z].*)?|init")


def find_settled_skips(changes: ChangeSet) -> frozenset[tuple[str, int]]:
    """Find the skips, by path and line, in new helpers that no test and no helper of the base calls."""
    settled: set[tuple[str, int]] = set()
    known = {name for _, old, _ in changes.sides() for name, _ in _list_functions(changes, old)}
    functions = [(new, name, node) for _, _, new in changes.sides() for name, node in _list_functions(changes, new)]
    fresh = {name for _, name, _ in functions} - known
    called = {name: set(_list_calls(node)) for _, name, node in functions}
    outside = {name for _, _, new in changes.sides() for name in _list_uses_outside(changes, new)}
    reached = {name for name in called if name in known | outside}
    grown = set(reached)
    while grown:
        grown = set().union(*(called.get(name, set()) for name in grown)) - reached
        reached |= grown
    for side, name, node in functions:
        if name in fresh - reached and not _RUN_BY_GO.fullmatch(name) and side is not None:
            lines = range(line_of(node), end_line_of(node) + 1)
            settled |= {(side.path, line) for line in lines}
    return frozenset(settled)


def _list_functions(changes: ChangeSet, side: Side | None) -> Iterator[tuple[str, Node]]:
    if side is None or not side.path.endswith("_test.go"):
        return
    tree = changes.tree(side)
    for node in tree.root.named_children if tree is not None else ():
        if node.type == "function_declaration":
            yield text_of(node.child_by_field_name("name")), node


def _list_uses_outside(changes: ChangeSet, side: Side | None) -> Iterator[str]:
    """List what variables and methods name: which test comes to them isn't followed."""
    tree = changes.tree(side) if side is not None and side.path.endswith("_test.go") else None
    for node in tree.root.named_children if tree is not None else ():
        if node.type != "function_declaration":
            yield from (text_of(each) for each in walk(node) if each.type == "identifier")


def _list_calls(function: Node) -> Iterator[str]:
    """List the functions that one names, other than under a condition about the platform."""
    body = function.child_by_field_name("body")
    for node in walk(body) if body is not None else ():
        if node.type == "identifier" and not _is_for_platform(node):
            yield text_of(node)


def _is_for_platform(node: Node) -> bool:
    """Whether a call stands under ``if runtime.GOOS == ...`` or in a case of ``switch runtime.Compiler``."""
    if is_about_platform(node):
        return True
    above: Node | None = node
    while above is not None and above.type != "function_declaration":
        if above.type == "expression_case" and above.parent is not None:
            value = above.parent.child_by_field_name("value")
            return value is not None and PLATFORM.search(text_of(value)) is not None
        above = above.parent
    return False
