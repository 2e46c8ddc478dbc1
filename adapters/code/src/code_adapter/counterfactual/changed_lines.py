"""The lines of the code of the subject that a change changed, by the statements that they belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from code_adapter.counterfactual.mixed_sources import list_test_rows, may_hold_tests
from code_adapter.counterfactual.plantable_code import PLANTABLE, find_place
from code_adapter.counterfactual.sides import Sides
from code_adapter.counterfactual.test_tree import MIXED
from code_adapter.syntax.changes import read_blobs
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree
    from verigate.sdk.subject import Repository

MEASURED = frozenset({"python", "javascript", "typescript", "go"})
"""Languages of which it is known how to see which lines run."""

_PLANTED_ALONE = PLANTABLE - MEASURED

_MOST_LINES = 20_000
_MOST_FILES = 200
_ENDINGS = ("_statement", "_declaration", "_definition", "_clause", "_spec")
_BLOCKS = frozenset({"block", "statement_block", "class_body", "switch_body", "body", "declaration_list"})
_DOCUMENTS = (".md", ".rst", ".adoc", ".txt")


@dataclass(frozen=True)
class Statement:
    """A statement, or the head of one with a body, that changed: its lines, from 1, and the byte where it starts."""

    first: int
    last: int
    start: int


@dataclass(frozen=True)
class ChangedFile:
    """A changed file of the code of the subject, with its changed statements."""

    path: str
    language: str
    source: bytes
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class ChangedCode:
    """The changed files of the code. ``others`` is whether anything changed of which nobody sees whether it runs."""

    files: tuple[ChangedFile, ...]
    others: bool


NO_CODE = ChangedCode((), others=False)
"""Nothing was looked at."""


def read_changed_code(repository: Repository, sides: Sides) -> ChangedCode:
    """Read what differs between the code of base and of the subject."""
    changed = [
        path
        for path in sides.code
        if sides.base.files.get(path) != sides.head.files.get(path) and not path.lower().endswith(_DOCUMENTS)
    ]
    if len(changed) > _MOST_FILES:
        return ChangedCode((), others=True)
    versions = (sides.base, sides.head)
    blobs = read_blobs(
        repository, {each.files[path].oid for each in versions for path in changed if path in each.files}
    )
    files: list[ChangedFile] = []
    others = False
    for path in changed:
        before, after = (blobs[each.files[path].oid] if path in each.files else b"" for each in versions)
        is_read = path.rpartition("/")[2] not in MIXED
        found = read_changed_file(path, before, after, MEASURED | _PLANTED_ALONE) if is_read else None
        if found is None:
            others = True
        else:
            files.append(found[0])
            others = others or found[1]
    return ChangedCode(tuple(file for file in files if file.statements), others)


def read_changed_file(
    path: str, before: bytes | int, after: bytes | int, languages: Collection[str] = MEASURED
) -> tuple[ChangedFile, bool] | None:
    """Read a file and whether a part of it can't be measured; None if none can."""
    language = language_of(path)
    if language not in languages or isinstance(before, int) or isinstance(after, int):
        return None
    old, new = before.decode("utf-8", "replace").split("\n"), after.decode("utf-8", "replace").split("\n")
    if len(old) > _MOST_LINES or len(new) > _MOST_LINES:
        return None
    tree = parse(after, grammar_of(path) or "")
    if tree.broken or tree.source != after:
        return None
    if language in _PLANTED_ALONE:
        return _read_plantable(path, language, tree, (old, new))
    chosen: dict[tuple[int, int], Statement] = {}
    others = not after
    for row in sorted(set(_list_changed_rows(old, new))):
        node = _find_statement(tree, row, new[row])
        if node is None:
            others = others or (bool(new[row].strip()) and not _is_in_comment(tree, row, new[row]))
        elif _is_document(node):
            others = True
        else:
            first, last = _read_lines(node, row)
            chosen[first, last] = Statement(first, last, node.start_byte)
    return ChangedFile(path, language or "", after, tuple(chosen.values())), others


def _read_plantable(
    path: str, language: str, tree: Tree, lines: tuple[Sequence[str], Sequence[str]]
) -> tuple[ChangedFile, bool]:
    """Read a file of a language without reports of lines: what counts is where a failure can be planted."""
    tests = list_test_rows(path, tree.source) if may_hold_tests(path) else frozenset()
    chosen: dict[int, Statement] = {}
    others = not tree.source
    for row in sorted(set(_list_changed_rows(*lines))):
        node = _find_node(tree, row, lines[1][row])
        if node is None or is_comment(node) or row + 1 in tests or not any(map(str.isalnum, lines[1][row])):
            continue
        place = find_place(node, language, row)
        if place is None:
            others = True
        else:
            chosen.setdefault(place.start, Statement(row + 1, row + 1, place.start))
    return ChangedFile(path, language, tree.source, tuple(chosen.values())), others


def _list_changed_rows(old: Sequence[str], new: Sequence[str]) -> Iterator[int]:
    """Yield rows of the new text, from 0, that differ, and both neighbours of what was deleted."""
    for kind, _, _, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in {"replace", "insert"}:
            yield from range(start, end)
        elif kind == "delete":
            yield from (row for row in (start - 1, start) if 0 <= row < len(new))


def _find_statement(tree: Tree, row: int, line: str) -> Node | None:
    """Find the innermost statement in which the first word of a line stands; None for blank lines and comments."""
    node = _find_node(tree, row, line)
    if node is None or is_comment(node):
        return None
    while node is not None and not node.type.endswith(_ENDINGS):
        node = node.parent
    return node


def _find_node(tree: Tree, row: int, line: str) -> Node | None:
    if not line.strip():
        return None
    column = len(line[: len(line) - len(line.lstrip())].encode())
    return tree.root.descendant_for_point_range((row, column), (row, column))


def _is_in_comment(tree: Tree, row: int, line: str) -> bool:
    node = _find_node(tree, row, line)
    return node is not None and is_comment(node)


def _is_document(node: Node) -> bool:
    """Whether a statement is nothing but a string: a docstring, which programs read and no line runs."""
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]


def _read_lines(node: Node, row: int) -> tuple[int, int]:
    """Return the lines of a statement, from 1; of one with a body those of its head, or ``row`` itself."""
    block = next((child for child in node.children if child.type in _BLOCKS), None)
    first, last = node.start_point[0], node.end_point[0]
    if node.type == "decorated_definition":
        return row + 1, row + 1
    if block is not None:
        last = max(first, block.start_point[0] - (0 if block.start_point[0] == first else 1))
        if row > last:
            return row + 1, row + 1
    return first + 1, last + 1
