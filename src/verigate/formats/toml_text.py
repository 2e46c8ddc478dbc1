"""Parse TOML, and find the lines of its values for faults.

tomllib gives no positions; tree-sitter's grammar does, and is only loaded for faults.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.strict_json import LARGEST_INTEGER

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TOML_BYTES = 256 * 1024
_MAX_DOTS = 1000
"""Limit of the parts of one key: ``tomllib`` takes quadratic time in them."""

MAX_DEPTH = 64


class TomlError(ValueError):
    """A text that isn't TOML; ``line`` counts from 1, None if unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def loads(content: bytes) -> dict[str, Any]:
    """Parse a document into JSON types: dates, and numbers that JSON can't represent, become text. Raises TomlError."""
    import tomllib

    if len(content) > MAX_TOML_BYTES:
        raise TomlError(f"it is larger than the {MAX_TOML_BYTES} bytes that are read")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise TomlError(
            f"it is not UTF-8 at byte {problem.start}", content.count(b"\n", 0, problem.start) + 1
        ) from None
    for number, each in enumerate(text.split("\n"), start=1):
        if each.count(".") > _MAX_DOTS:
            raise TomlError(f"the line has more than the {_MAX_DOTS} dots that are read", number)
    try:
        document = tomllib.loads(text)
        return {key: _to_json_value(value, 1) for key, value in document.items()}
    except tomllib.TOMLDecodeError as problem:
        message, _, place = str(problem).partition(" (at ")
        line = place.removeprefix("line ").partition(",")[0]
        last = text.count("\n") + 1
        raise TomlError(f"it is not TOML: {message}", int(line) if line.isdigit() else last) from None
    except TomlError:
        raise
    except ValueError:
        # The standard library reads no integer of more than 4300 digits, and raises another class for it.
        raise TomlError("it has a number with more digits than are read") from None
    except RecursionError:
        raise TomlError("it is nested too deeply") from None


def _to_json_value(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise TomlError("it is nested too deeply")
    if isinstance(value, dict):
        return {key: _to_json_value(member, depth + 1) for key, member in value.items()}
    if isinstance(value, list):
        return [_to_json_value(item, depth + 1) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return str(value)
    return value if isinstance(value, str | bool | int | float) else str(value)


def find_lines(text: str, pointers: Iterable[str]) -> Mapping[str, int]:
    """Return the line, counted from 1, of each pointer; for a missing value that of the nearest container."""
    wanted = list(pointers)
    if not wanted:
        return {}
    known = {"": 1}
    for place, line in _walk_document(text):
        known.setdefault(place, line)
    found: dict[str, int] = {}
    for each in wanted:
        place = each
        while place not in known:
            place = place.rpartition("/")[0]
        found[each] = known[place]
    return found


def place_faults(content: bytes, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Add the line to the faults that have a pointer and none, in the order of the text."""
    listed = list(faults)
    wanted = [fault.pointer or "" for fault in listed if fault.line is None]
    places = find_lines(content.decode("utf-8", "replace"), wanted) if wanted else {}
    placed = [fault if fault.line is not None else fault._replace(line=places[fault.pointer or ""]) for fault in listed]
    return tuple(sorted(placed, key=lambda fault: fault.line or 0))


def _walk_document(text: str) -> Iterator[tuple[str, int]]:
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    tree = Parser(Language(tree_sitter_toml.language())).parse(text.encode())
    counts: dict[tuple[str | int, ...], int] = {}
    for node in tree.root_node.children:
        if node.type == "pair":
            yield from _walk_pair(node, ())
        elif node.type in {"table", "table_array_element"}:
            path = _resolve_header(_read_key(node.named_children[0]), counts) if node.named_children else ()
            if node.type == "table_array_element":
                counts[path] = counts.get(path, -1) + 1
                yield pointer.join(*path), _line_of(node)
                path = (*path, counts[path])
            yield pointer.join(*path), _line_of(node)
            for child in node.named_children[1:]:
                if child.type == "pair":
                    yield from _walk_pair(child, path)


def _resolve_header(keys: tuple[str, ...], counts: Mapping[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """Return the path of a table header, with the index of the last element after each array of tables."""
    path: tuple[str | int, ...] = ()
    for place, key in enumerate(keys):
        path = (*path, key)
        if path in counts and place < len(keys) - 1:
            path = (*path, counts[path])
    return path


def _walk_pair(node: Node, path: tuple[str | int, ...]) -> Iterator[tuple[str, int]]:
    if len(node.named_children) < 2:
        return
    keys = _read_key(node.named_children[0])
    for depth in range(1, len(keys) + 1):
        yield pointer.join(*path, *keys[:depth]), _line_of(node)
    yield from _walk_value(node.named_children[-1], (*path, *keys))


def _walk_value(node: Node, path: tuple[str | int, ...]) -> Iterator[tuple[str, int]]:
    if node.type == "inline_table":
        for child in node.named_children:
            if child.type == "pair":
                yield from _walk_pair(child, path)
    elif node.type == "array":
        for index, child in enumerate(each for each in node.named_children if each.type != "comment"):
            yield pointer.join(*path, index), _line_of(child)
            yield from _walk_value(child, (*path, index))


def _read_key(node: Node) -> tuple[str, ...]:
    if node.type == "dotted_key":
        return tuple(part for child in node.named_children for part in _read_key(child))
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type != "quoted_key":
        return (text,)
    import tomllib

    try:
        return (next(iter(tomllib.loads(f"{text} = 0"))),)
    except (tomllib.TOMLDecodeError, StopIteration):
        return (text,)


def _line_of(node: Node) -> int:
    return int(node.start_point[0]) + 1
