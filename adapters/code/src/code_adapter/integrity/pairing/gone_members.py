"""Find members that a change removes from the product: methods of object literals, and fields of classes.

A test that is about such a member can't stay. A member that only gets another name is none: the body of a method is
compared with those that are new, and for a field the test's successor has to be about a class that is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.roles import is_test_code
from code_adapter.syntax.symbols import extract
from verigate.sdk import path_text
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side
    from verigate.sdk.languages.tree import Tree

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})
_MEMBERS = frozenset({"pair", "method_definition"})
_FIELDS = frozenset({"field_declaration", "public_field_definition"})
_SHORTEST = 4
_MOST_NAMES = 20


@dataclass(frozen=True, slots=True)
class MovedFields:
    """Fields that the product no longer has anywhere, by the classes, new with the change, that their files now use."""

    classes: dict[str, frozenset[str]]

    def find_class(self, words: frozenset[str], successor: frozenset[str]) -> tuple[str, str] | None:
        """Find a field among the words of a test, and the new class among those of its successor."""
        for name, classes in sorted(self.classes.items()):
            if name in words and classes & successor:
                return name, min(classes & successor)
        return None


def list_methods(tree: Tree | None, path: str) -> Iterator[tuple[str, frozenset[str]]]:
    """List the methods of object literals with the words of their bodies."""
    if tree is None or language_of(path) not in {"javascript", "typescript"}:
        return
    for node in walk(tree.root):
        if node.type not in _MEMBERS or node.parent is None or node.parent.type != "object":
            continue
        value = node.child_by_field_name("value") if node.type == "pair" else node
        if value is None or (node.type == "pair" and value.type not in _FUNCTIONS):
            continue
        name = text_of(node.child_by_field_name("key" if node.type == "pair" else "name"))
        if re.fullmatch(r"[A-Za-z_$][\w$]*", name) and len(name) >= _SHORTEST:
            yield name, frozenset(text_of(value.child_by_field_name("body")).split())


def drop_used(names: Iterable[str], changes: ChangeSet) -> frozenset[str]:
    """Leave out the names that the subject's product still has somewhere."""
    return frozenset(name for name in sorted(names)[:_MOST_NAMES] if not any(_list_places(name, changes)))


def find_moved_fields(changes: ChangeSet) -> MovedFields:
    """Find the fields that are gone, and the new classes that the files which had them use now."""
    sides = [
        (old, new)
        for _, old, new in changes.sides()
        if not any(side is not None and (is_test_code(side.path) or not language_of(side.path)) for side in (old, new))
    ]
    known = {name for old, _ in sides for name in _list_classes(old)}
    fresh = {name for old, new in sides if old is None for name in _list_classes(new)} - known
    classes: dict[str, frozenset[str]] = {}
    for old, new in sides if fresh else ():
        if old is not None and new is not None:
            used = fresh & set(re.findall(r"\w+", text(new)))
            gone = set(_list_fields(changes.tree(old))) - set(_list_fields(changes.tree(new))) if used else set()
            classes |= dict.fromkeys(drop_used(gone, changes), frozenset(used))
    return MovedFields(classes)


def _list_classes(side: Side | None) -> Iterator[str]:
    if side is not None:
        yield from (each.name for each in extract(side.content or b"", side.path).symbols if each.kind in _CLASSES)


_CLASSES = frozenset({"class", "struct", "interface", "type", "enum"})


def _list_fields(tree: Tree | None) -> Iterator[str]:
    for node in walk(tree.root) if tree is not None else ():
        if node.type in _FIELDS:
            yield from (name for name in map(text_of, _list_names(node)) if len(name) >= _SHORTEST)


def _list_names(field: Node) -> list[Node]:
    declared = [child.child_by_field_name("name") for child in field.children_by_field_name("declarator")]
    return [node for node in (*declared, *field.children_by_field_name("name")) if node is not None]


def _list_places(name: str, changes: ChangeSet) -> Iterator[str]:
    """List the files of the subject's product that have a name."""
    run = changes.repository.git("grep", "--cached", "-l", "-z", "-w", "-F", "-e", name, check=False)
    for path in run.stdout.split(b"\0"):
        if path and language_of(path_text(path)) is not None and not is_test_code(path_text(path)):
            yield path_text(path)
