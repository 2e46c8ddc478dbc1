"""Find definitions in Python test files that look like tests but aren't collected by pytest.

They are dead, deleted, defined again, in a class that pytest can't make, or under a decorator that drops them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_NEVER = frozenset({"False", "0", "None", '""', "''", "TYPE_CHECKING", "typing.TYPE_CHECKING", "not True", "()", "[]"})
_UNMARKED = re.compile(r"(?P<name>\w+)\.__test__$")


def find_uncollected(tree: Tree) -> frozenset[int]:
    """Return the ids of definitions, including decorators and content, that no runner collects."""
    return frozenset((*_in_scope(tree.root), *_dropped(tree.root)))


def _dropped(root: Node) -> Iterator[int]:
    """Tests under a decorator of the same file that neither calls nor returns what it is given."""
    droppers = {
        text_of(node.child_by_field_name("name"))
        for node in root.named_children
        if node.type == "function_definition" and _drops_its_argument(node)
    }
    for node in walk(root) if droppers else ():
        decorators = [child for child in node.children if child.type == "decorator"]
        if any(text_of(child).removeprefix("@").partition("(")[0].strip() in droppers for child in decorators):
            yield node.id


def _drops_its_argument(function: Node) -> bool:
    """Whether no parameter, of it or of a function in it, is used in the body other than being given."""
    text = text_of(function.child_by_field_name("body"))
    inner = " ".join(re.findall(r"(?:def\s+\w+\s*\(|lambda\b)([^):]*)", text))
    names = re.findall(r"[A-Za-z_]\w*", f"{text_of(function.child_by_field_name('parameters'))} {inner}")
    body = re.sub(r"(?:def\s+\w+\s*\([^)]*\)|lambda\b[^:]*:|#[^\n]*)", "", text)
    return bool(names) and not any(re.search(rf"\b{re.escape(name)}\b", body) for name in names)


def _in_scope(scope: Node) -> Iterator[int]:
    """Of a module or the body of a class: what is bound under a name last is what the name means."""
    last: dict[str, Node] = {}
    for child in scope.named_children:
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if inner is None:
            continue
        if inner.type in {"function_definition", "class_definition"}:
            name = text_of(inner.child_by_field_name("name"))
            if name in last:
                yield last[name].id
            last[name] = child
            if inner.type == "class_definition":
                yield from _in_class(child, inner)
        elif child.type == "if_statement" and _is_dead(child):
            consequence = child.child_by_field_name("consequence")
            if consequence is not None:
                yield consequence.id
        else:
            yield from (last.pop(name).id for name in _unbound(child) if name in last)


def _in_class(child: Node, inner: Node) -> Iterator[int]:
    body = inner.child_by_field_name("body")
    if body is None:
        return
    yield from _in_scope(body)
    bases = text_of(inner.child_by_field_name("superclasses"))
    methods = {
        text_of((node.child_by_field_name("definition") or node).child_by_field_name("name"))
        for node in body.named_children
        if node.type in {"function_definition", "decorated_definition"}
    }
    unmade = methods.intersection({"__init__", "__new__"}) and "Test" not in bases
    unrun = methods.intersection({"run", "__call__", "_callTestMethod"}) and "super()" not in text_of(body)
    if unmade or unrun:
        yield child.id


def _is_dead(node: Node) -> bool:
    return text_of(node.child_by_field_name("condition")).strip("() ") in _NEVER


def _unbound(statement: Node) -> Iterator[str]:
    """Names that this statement takes away: ``del test_x``, ``test_x = None``, ``test_x.__test__ = False``."""
    if statement.type == "delete_statement":
        yield from re.findall(r"\w+", text_of(statement).removeprefix("del"))
    for node in statement.named_children if statement.type == "expression_statement" else ():
        if node.type == "assignment":
            left = text_of(node.child_by_field_name("left"))
            unmarked = _UNMARKED.match(left)
            if unmarked and text_of(node.child_by_field_name("right")) == "False":
                yield unmarked["name"]
            elif re.fullmatch(r"\w+", left):
                yield left
