"""Read the tables of cases that feed a test, by syntax tree.

A table stands in what is written on a test (``parametrize``, ``@CsvSource``, ``#[case]``), around it (a loop,
``describe.each``), in the loops of its body, or under a name that one of these uses. A row is the literals of one
element, the names of keys and of rows among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.calls import read_called, read_last_name
from verigate.sdk.languages.tree import is_comment, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.languages.test_language import FoundTest
    from verigate.sdk.languages.tree import Tree

Row = frozenset[str]

_LISTS = frozenset(
    {"list", "tuple", "set", "dictionary", "array", "object", "literal_value", "array_expression", "hash"}
    | {"element_value_array_initializer", "array_initializer", "initializer_expression", "array_creation_expression"}
    | {"collection_literal", "collection_expression"}
)
_MADE = re.compile(
    r"of|ofEntries|asList|listOf|arrayOf|mapOf|setOf|sequenceOf|arguments|entry|data|param|row|Array|List|Map|Set|vec"
)
"""Calls whose arguments are the elements of a list, or the values of a row."""

_LOOPS = frozenset(
    {"for_statement", "for_in_statement", "for_expression", "enhanced_for_statement", "foreach_statement"}
)
_WALKED = re.compile(
    r"(?:forEach|for_each|each|map|flatMap|iter|into_iter|entries|items|values|each_with_index|times)$"
)
_EACH = re.compile(r"\.(?:each|for)$")
_ABOVE = frozenset({"decorator", "attribute_item", "attribute_list", "annotation", "marker_annotation", "modifiers"})
_CALLS = frozenset({"call_expression", "call", "method_invocation", "invocation_expression"})
_DEFINED = frozenset(
    {"assignment", "variable_declarator", "short_var_declaration", "let_declaration", "var_spec", "const_spec"}
    | {"const_item", "static_item", "const_element", "property_declaration"}
)
_FUNCTIONS = frozenset({"function_definition", "method_declaration", "function_item", "function_declaration", "method"})
_SCOPES = _FUNCTIONS | {
    *("arrow_function", "function_expression", "method_definition", "func_literal", "closure_expression", "lambda"),
    *("lambda_expression", "lambda_literal", "anonymous_function", "generator_function_declaration", "do_block"),
}
_STRINGS = re.compile(
    r"(?:\w+_)?string(?:_literal)?|(?:char|character|rune)_literal|template_string|encapsed_string|heredoc_body"
)
_NUMBERS = re.compile(r"integer|float|number|decimal|(?:\w+_)?(?:integer|int|float|floating_point|real|number)_literal")
_KEYS = frozenset({"property_identifier", "shorthand_property_identifier", "hash_key_symbol", "simple_symbol"})
_OPENING = re.compile(r"^[A-Za-z@$]{0,3}(?:#*\"{3}|'{3}|#*\"|'|`)")
_CLOSING = re.compile(r"(?:\"{3}#*|'{3}|\"#*|'|`)$")
_SEPARATORS = re.compile(r"[,|;\t]")
_MOST_ROWS = 2000
_MOST_TABLES = 100
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class CaseTable:
    """The rows that feed a test, and the literals that it has besides; ``largest`` is the size of its largest table.

    Among the rows are those of lists that are no cases, such as names of parameters and of rows.
    """

    rows: tuple[Row, ...] = ()
    fixed: Row = frozenset()
    largest: int = 0


_Place = tuple[int | None, str]
"""A name, and the function in which it stands for something, None for the file."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """The rows of each table, and the nodes of these."""

    rows: tuple[tuple[Row, ...], ...]
    nodes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Definitions:
    """What the names of a file stand for: values of variables, and bodies of functions. Each is read once."""

    values: Mapping[_Place, list[Node]] = field(default_factory=dict)
    read: dict[tuple[int, int], _Tables] = field(default_factory=dict)


def read_definitions(tree: Tree) -> Definitions:
    """Read which value or function each name of a file stands for."""
    found: dict[_Place, list[Node]] = {}
    waiting: list[tuple[Node, int | None]] = [(tree.root, None)]
    while waiting:
        node, around = waiting.pop()
        if node.type in _DEFINED:
            name = next((part for key in ("left", "name", "pattern") if (part := node.child_by_field_name(key))), None)
            value = node.child_by_field_name("right") or node.child_by_field_name("value")
            value = value or (node.named_children[-1] if len(node.named_children) > 1 else None)
            if name is not None and value is not None:
                found.setdefault((around, text_of(name).lstrip("$")), []).append(value)
        elif node.type in _FUNCTIONS and (body := node.child_by_field_name("body")) is not None:
            found.setdefault((around, text_of(node.child_by_field_name("name"))), []).append(body)
        inner = node.id if node.type in _SCOPES else around
        waiting += [(child, inner) for child in reversed(node.named_children)]
    return Definitions(found)


def read_table(test: FoundTest, definitions: Definitions) -> CaseTable:
    """Read the rows of the tables that feed a test."""
    rows: list[Row] = []
    inside: set[int] = set()
    largest = 0
    scopes = list(_list_scopes(test))
    for region in _list_regions(test):
        found = _read_region(region, definitions, scopes, _DEPTH)
        inside |= found.nodes
        for table in found.rows if len(rows) < _MOST_ROWS else ():
            rows += table
            largest = max(largest, len(table))
    fixed = frozenset(word for node in _list_literals(test.body, inside) for word in _read_words(node))
    return CaseTable(tuple(rows[:_MOST_ROWS]), fixed, largest)


def _list_scopes(test: FoundTest) -> Iterator[int | None]:
    """List the functions whose names a test sees: itself, those in it, those around it, and the file."""
    yield from (node.id for node in walk(test.node) if node.type in _SCOPES)
    above = test.node.parent
    while above is not None:
        if above.type in _SCOPES:
            yield above.id
        above = above.parent
    yield None


def read_literals(node: Node) -> Row:
    """Read the values of all literals of a node: strings without their quotes, numbers without their separators."""
    return frozenset(word for each in _list_literals(node, frozenset()) for word in _read_words(each))


def _list_regions(test: FoundTest) -> Iterator[Node]:
    """List where a table of a test may stand."""
    above = {node.id: node for node in test.leading}
    above |= {child.id: child for child in test.node.children if child.type in _ABOVE}
    yield from above.values()
    node: Node | None = test.node
    while node is not None:
        yield from _list_iterated(node)
        function = node.child_by_field_name("function") if node.type in _CALLS else None
        if function is not None and function.type in _CALLS and _EACH.search(read_called(function)[-20:]):
            yield function.child_by_field_name("arguments") or function
        node = node.parent
    for inner in walk(test.body):
        yield from _list_iterated(inner)


def _list_iterated(node: Node) -> Iterator[Node]:
    if node.type in _LOOPS:
        clause = next((child for child in node.named_children if child.type == "range_clause"), node)
        over = clause.child_by_field_name("right") or clause.child_by_field_name("value")
        over = over or clause.child_by_field_name("collection")
        yield from [over] if over is not None else []
    elif node.type in _CALLS:
        function = node.child_by_field_name("function") or node
        target = next(
            (part for key in ("object", "value", "receiver") if (part := function.child_by_field_name(key))), None
        )
        if target is not None and _WALKED.search(read_last_name(node)):
            yield target


def _read_region(region: Node, definitions: Definitions, scopes: Sequence[int | None], depth: int) -> _Tables:
    """Read the rows of each table of a region, and of what its names stand for."""
    key = (region.id, depth)
    if key in definitions.read:
        return definitions.read[key]
    definitions.read[key] = _Tables((), frozenset())  # a name that stands for itself
    tables = list(_find_tables(region))
    rows = [tuple(islice(_read_rows(table), _MOST_ROWS)) for table in tables]
    nodes = {table.id for table in tables}
    if not tables and region.type in _ABOVE:
        rows.append(tuple(row for each in _list_marks(region) if (row := read_literals(each))))
    covered = frozenset(nodes)
    for node in walk(region, lambda each: each.id not in covered) if depth else ():
        for scope in scopes if (name := _read_name(node)) else ():
            for value in definitions.values.get((scope, name), ()):
                found = _read_region(value, definitions, scopes, depth - 1)
                rows += found.rows if len(rows) < _MOST_TABLES else ()
                nodes |= found.nodes
    made = _Tables(tuple(rows[:_MOST_TABLES]), frozenset(nodes))
    definitions.read[key] = made
    return made


def _read_name(node: Node) -> str:
    """Read a name, or a text that may be one, as in ``@MethodSource("cases")``; empty for another node."""
    if node.type.endswith("identifier") or node.type in {"variable_name", "name", "constant"}:
        return text_of(node).lstrip("$:")
    return _strip(text_of(node)) if _STRINGS.fullmatch(node.type) else ""


def _list_marks(region: Node) -> Iterator[Node]:
    inner = [child for child in region.named_children if child.type in {"annotation", "attribute"}]
    yield from inner or [region]


def _find_tables(node: Node) -> Iterator[Node]:
    """Find the outermost lists, and templates with a row in each line."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type in _LISTS or _is_made(each) or _is_template(each) or _is_text_table(each):
            yield each
        else:
            waiting += reversed([child for child in each.named_children if not is_comment(child)])


def _is_made(node: Node) -> bool:
    if node.type == "macro_invocation":
        return text_of(node).startswith("vec!")
    return node.type in _CALLS and _MADE.fullmatch(read_last_name(node)) is not None


def _is_template(node: Node) -> bool:
    return node.type == "template_string" and any(
        child.type == "template_substitution" for child in node.named_children
    )


def _is_text_table(node: Node) -> bool:
    return bool(_STRINGS.fullmatch(node.type)) and "\n" in text_of(node).strip()


def _read_rows(table: Node) -> Iterator[Row]:
    if _is_template(table):
        lines: dict[int, set[str]] = {}
        for child in (each for each in table.named_children if each.type == "template_substitution"):
            lines.setdefault(child.start_point[0], set()).update(read_literals(child))
        yield from (frozenset(words) for _, words in sorted(lines.items()))
    elif _is_text_table(table):
        yield from (row for line in _strip(text_of(table)).splitlines() if (row := frozenset(_split(line))))
    else:
        elements = table.child_by_field_name("arguments") or table
        tokens = next((child for child in elements.named_children if child.type == "token_tree"), None)
        for child in (tokens or elements).named_children:
            if not is_comment(child):
                yield read_literals(child)


def _list_literals(node: Node, without: Iterable[int]) -> Iterator[Node]:
    skipped = frozenset(without)
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.id in skipped:
            continue
        if _is_literal(each) or _is_key(each):
            yield each
        else:
            waiting += reversed(each.children)


def _is_key(node: Node) -> bool:
    return node.type in _KEYS and node.parent is not None and node.parent.type in {"pair", "object", "hash"}


def _is_literal(node: Node) -> bool:
    if _STRINGS.fullmatch(node.type):
        return not _is_template(node)
    return _NUMBERS.fullmatch(node.type) is not None


def _read_words(node: Node) -> Iterator[str]:
    text = text_of(node)
    if _STRINGS.fullmatch(node.type):
        yield _strip(text)
        if node.parent is not None and _is_in_mark(node):
            yield from _split(_strip(text))
    elif node.type in _KEYS:
        yield text.strip(":")
    else:
        yield text.replace("_", "").lower()


def _is_in_mark(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in {"method_declaration", "program", "block"}:
        if above.type in {"annotation", "modifiers"}:
            return True
        above = above.parent
    return False


def _split(line: str) -> Iterator[str]:
    """Split a row of comma-separated values, as ``@CsvSource`` has them."""
    for value in _SEPARATORS.split(line):
        if plain := value.strip():
            yield _strip(plain)


def _strip(text: str) -> str:
    return _CLOSING.sub("", _OPENING.sub("", text)) if _OPENING.match(text) else text
