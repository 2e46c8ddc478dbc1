"""Where a failure can be planted in the code: before a statement of a function, or around an expression that it runs.

A test that fails with it runs that place. Only the innermost place counts, and of a statement with a body its head:
what runs the head need not run every part.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_item", "method_declaration", "constructor_declaration", "function_declaration"})
_LEAST, _MOST = 10_000, 1_000_000


@dataclass(frozen=True)
class _Language:
    """How a language fails if one number is less than another, and where that can be written.

    ``blocks`` are nodes whose children are statements. ``values`` maps nodes to the field of the expression that they
    evaluate, None for the last named child, and to the texts that make a block of it. ``parts`` are nodes within which
    other lines begin to count; ``never`` is what no failure stands before.
    """

    fails: str
    blocks: frozenset[str]
    values: Mapping[str, tuple[str | None, str, str]]
    parts: frozenset[str]
    never: frozenset[str] = frozenset()


_JAVASCRIPT = _Language(
    'if (Number("{}") < {}) throw new Error("planted");',
    frozenset({"statement_block"}),
    {"arrow_function": ("body", "{{ {} return (", "); }}")},
    frozenset({"statement_block", "class_body", "switch_body"}),
    frozenset({"function_declaration", "class_declaration", "generator_function_declaration"}),
)
_LANGUAGES: Mapping[str, _Language] = {
    "rust": _Language(
        'if ::std::hint::black_box({}_i64) < {} {{ panic!("planted"); }}',
        frozenset({"block"}),
        {"match_arm": ("value", "{{ {} ", " }}"), "closure_expression": ("body", "{{ {} ", " }}")},
        frozenset({"block", "match_block", "token_tree", "declaration_list"}),
        frozenset({"function_item", "struct_item", "impl_item", "enum_item", "mod_item", "const_item", "static_item"}),
    ),
    "java": _Language(
        'if (java.lang.Integer.parseInt("{}") < {}) throw new java.lang.AssertionError("planted");',
        frozenset({"block", "constructor_body", "switch_block_statement_group"}),
        {},
        frozenset({"block", "constructor_body", "switch_block", "class_body"}),
        frozenset({"switch_label", "explicit_constructor_invocation", "class_declaration", "record_declaration"}),
    ),
    "kotlin": _Language(
        'if ("{}".toInt() < {}) throw AssertionError("planted");',
        frozenset({"block"}),
        {"when_entry": (None, "{{ {} ", " }}"), "function_body": (None, "run {{ {} ", " }}")},
        frozenset({"block", "class_body", "lambda_literal"}),
        frozenset({"function_declaration", "class_declaration", "object_declaration"}),
    ),
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
}
PLANTABLE = frozenset(_LANGUAGES)
"""Languages in which a failure can be planted."""


@dataclass(frozen=True)
class Place:
    """A place for a failure: it stands before the bytes from ``start`` to ``end``, or in a block around them."""

    start: int
    end: int
    fails: str
    before: str = "{} "
    after: str = ""

    def edit(self, source: bytes, *, fails: bool) -> list[tuple[int, bytes]]:
        """Return the offsets where text is to be inserted, with the text. ``fails``: or it does nothing.

        Before a statement that begins a line it is a line of its own.
        """
        less, more = sorted(secrets.randbelow(_MOST - _LEAST) + _LEAST for _ in range(2))
        text = self.fails.format(*((less, more + 1) if fails else (more + 1, less)))
        begin = source.rfind(b"\n", 0, self.start) + 1
        indent = source[begin : self.start]
        if not self.after and not indent.strip():
            return [(begin, indent + text.encode() + b"\n")]
        found = [(self.start, self.before.format(text).encode())]
        return [*found, (self.end, self.after.format().encode())] if self.after else found


def find_place(node: Node | None, language: str, row: int | None = None) -> Place | None:
    """Find the innermost place that runs ``node``; None if there is none, or if ``row``, from 0, isn't in its head."""
    known = _LANGUAGES[language]
    while node is not None and node.parent is not None:
        if row is not None and (branch := _read_branch(node, row, known)) is not None:
            return branch
        if node.is_named and (place := _read_place(node, node.parent, known)) is not None:
            return place if row is None or _is_in_head(node, row, known) else None
        if node.type in known.never:
            return None
        node = node.parent
    return None


def _read_branch(node: Node, row: int, known: _Language) -> Place | None:
    """Read what a branch, or a function, runs whose pattern, label or head stands in the row, if it begins there."""
    if node.type == "switch_label":
        runs = node.next_named_sibling
        is_here = runs is not None and runs.start_point[0] == row
        return Place(runs.start_byte, runs.end_byte, known.fails) if runs is not None and is_here else None
    if node.type in _FUNCTIONS:
        bodies = (each for each in node.named_children if each.type in known.values or each.type in known.blocks)
        body = next(bodies, None)
        is_block = body is not None and body.type in known.blocks and body.start_point[0] == row
        return _read_first(body, row, known) if is_block else _read_value(body, row, known)
    return _read_value(node, row, known)


def _read_value(node: Node | None, row: int, known: _Language) -> Place | None:
    """Read what a branch evaluates, if that begins in the row."""
    if node is None or node.type not in known.values:
        return None
    field, before, after = known.values[node.type]
    runs = node.named_children[-1] if field is None else node.child_by_field_name(field)
    if runs is None or runs.start_point[0] != row:
        return None
    if runs.type not in known.blocks:
        return Place(runs.start_byte, runs.end_byte, known.fails, before, after)
    return _read_first(runs, None, known)


def _read_first(block: Node | None, row: int | None, known: _Language) -> Place | None:
    """Read the first statement of a block; None without one that begins in ``row``, if that is given."""
    children = block.named_children if block is not None else []
    first = next((each for each in children if "comment" not in each.type), None)
    if first is None or first.type in known.never or row not in {None, first.start_point[0]}:
        return None
    return Place(first.start_byte, first.end_byte, known.fails)


def _read_place(node: Node, parent: Node, known: _Language) -> Place | None:
    if node.type in known.never or node.type in known.blocks:
        return None
    if parent.type in known.blocks:
        return Place(node.start_byte, node.end_byte, known.fails)
    if parent.type in known.values:
        field, before, after = known.values[parent.type]
        value = parent.named_children[-1] if field is None else parent.child_by_field_name(field)
        if value == node:
            return Place(node.start_byte, node.end_byte, known.fails, before, after)
    return None


def _is_in_head(node: Node, row: int, known: _Language) -> bool:
    """Whether a row belongs to what runs whenever the node does: it stands before any part with lines of its own."""
    starts = [part.start_point[0] for part in _list_parts(node, known)]
    return row <= min(starts, default=node.end_point[0])


def _list_parts(node: Node, known: _Language) -> list[Node]:
    found: list[Node] = []
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type in known.parts and each.end_point[0] > each.start_point[0]:
            found.append(each)
        else:
            pending += each.named_children
    return found
