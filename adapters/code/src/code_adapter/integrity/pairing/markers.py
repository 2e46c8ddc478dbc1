"""Attribute the markers of a file to its tests: skips, expected failures, ``.only``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.languages.test_language import FoundTest, MarkerKind, TestLanguage
    from verigate.sdk.languages.tree import Tree


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that skips tests, expects them to fail, or runs only some. ``case`` is its test.

    Without ``case`` it is about all tests of a class, a suite, a module or the file: ``covered`` are their names.
    ``inside`` is then the function that it stands in, if any, which tests may call. ``named`` is one of Python that
    gets a name, which the file uses in decorators alone: these are its markers.
    """

    kind: MarkerKind
    text: str
    line: int
    path: str
    case: str | None
    conditional: bool = False
    named: bool = False
    covered: tuple[str, ...] = ()
    inside: str = ""


def list_markers(tree: Tree, path: str, language: TestLanguage, found: Sequence[FoundTest]) -> Iterator[Marker]:
    """List the markers of a file with their tests. ``found`` are the file's tests."""
    spans = [(item.node.start_byte, item.node.end_byte, item) for item in found]
    for made in language.find_markers(tree):
        node = made.node
        inside = (item for start, end, item in spans if start <= node.start_byte < end)
        owner = next(inside, None) or next((item for item in found if _leads(node, item)), None)
        if owner is None and found and node.type == "comment":
            owner = found[0]
        yield Marker(
            made.kind,
            " ".join(made.text.split())[:200],
            line_of(node),
            path,
            owner.qualified if owner else None,
            made.conditional,
            named=owner is None and made.named,
            covered=() if owner else _list_covered(language.find_scope(node), found),
            inside="" if owner else _name_function(node),
        )


def _name_function(node: Node) -> str:
    """Name the function around a node, if it runs only where it is called: no fixture, and nothing a runner calls."""
    above = node.parent
    while above is not None and above.type not in {"function_definition", "class_definition"}:
        above = above.parent
    if above is None or above.type == "class_definition":
        return ""
    decorated = above.parent is not None and above.parent.type == "decorated_definition"
    name = text_of(above.child_by_field_name("name"))
    return "" if decorated or _CALLED.match(name) else name


_CALLED = re.compile(
    r"(?:async)?_?set_?up|tear_?down|pytest_|__|(?:run|debug|id)(?:test)?$|do|add|count|skip|assert|fail|load_tests|sub_?test",
    re.IGNORECASE,
)
"""Functions that pytest or unittest call, or are made of."""


def _leads(node: Node, item: FoundTest) -> bool:
    return node.id in {part.id for part in item.leading}


def _list_covered(scope: Node | None, found: Sequence[FoundTest]) -> tuple[str, ...]:
    """List the tests in the class, suite or module that a marker stands on, or else all of the file."""
    start, end = (scope.start_byte, scope.end_byte) if scope is not None else (0, sys.maxsize)
    return tuple(item.qualified for item in found if start <= item.node.start_byte and item.node.end_byte <= end)
