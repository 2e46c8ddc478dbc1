"""Sources in which tests stand with the code that they test: take each part from its own version.

Parts of tests are items of Rust under ``#[cfg(test)]``, blocks of vitest under ``import.meta.vitest``, and docstrings
of Python that hold examples. They are found in the syntax tree and matched by what they are called, so that a part
keeps its place where the code around it differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.rust import attributes
from verigate.sdk.languages.tree import parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

Key = tuple[str, ...]
"""The modules or classes around a part, its kind, its name, and its number among parts of this name."""

_BLANKED = re.compile(rb"[^\n]")
_CFG_TEST = re.compile(r"#!?\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b")
_TEST = re.compile(r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest|bench)\b")
_MARKS: Mapping[str, tuple[bytes, ...]] = {
    "rust": (b"test",),
    "javascript": (b"import.meta.vitest",),
    "typescript": (b"import.meta.vitest",),
    "python": (b">>> ",),
}


class _Part(NamedTuple):
    key: Key
    start: int
    end: int
    movable: bool
    """Whether it can stand where the other version has none: an item can, a docstring belongs to its function."""


class _Found(NamedTuple):
    parts: tuple[_Part, ...]
    places: Mapping[Key, int]
    """Where an item can be added to a module, as an offset in bytes."""


def may_hold_tests(path: str) -> bool:
    """Whether files of this language can hold tests among the code."""
    return language_of(path) in _MARKS


def read_test_parts(path: str, source: bytes) -> Mapping[Key, bytes]:
    """Return the parts of tests of a source."""
    return {part.key: source[part.start : part.end] for part in _find(path, source).parts}


def is_in_test_part(path: str, source: bytes, start: int, end: int) -> bool:
    """Whether these bytes of the source lie in one of its parts of tests."""
    return any(part.start <= start and end <= part.end for part in _find(path, source).parts)


def list_test_rows(path: str, source: bytes) -> frozenset[int]:
    """List the numbers, from 1, of the lines of the parts of tests that are code, which docstrings aren't."""
    rows: set[int] = set()
    for part in _find(path, source).parts:
        if part.movable:
            first = source.count(b"\n", 0, part.start) + 1
            rows.update(range(first, first + source.count(b"\n", part.start, part.end) + 1))
    return frozenset(rows)


def drop_test_parts(path: str, source: bytes) -> bytes:
    """Return the source without its parts of tests; lines keep their numbers."""
    out, at = [], 0
    for part in _find(path, source).parts:
        out += [source[at : part.start], _nothing(part), b"\n" * source.count(b"\n", part.start, part.end)]
        at = part.end
    return b"".join([*out, source[at:]])


def blank_code(path: str, source: bytes) -> bytes:
    """Return the source with blanks for all that is no part of tests; what is left keeps its place."""
    out, at = [], 0
    for part in _find(path, source).parts:
        out += [_BLANKED.sub(b" ", source[at : part.start]), source[part.start : part.end]]
        at = part.end
    return b"".join([*out, _BLANKED.sub(b" ", source[at:])])


def splice_sources(path: str, code: bytes, tests: bytes) -> bytes:
    """Return the source with the parts of tests of ``tests`` and everything else of ``code``."""
    of_code, wanted = _find(path, code), read_test_parts(path, tests)
    if read_test_parts(path, code) == wanted:
        return code
    if _cut(code, of_code.parts) == _cut(tests, _find(path, tests).parts):
        return tests
    movable = {part.key for part in _find(path, tests).parts if part.movable}
    edits = [(part.start, part.end, wanted.get(part.key, _nothing(part))) for part in of_code.parts]
    known = {part.key for part in of_code.parts}
    for key, text in wanted.items():
        place = of_code.places.get(key[:-3])
        if key not in known and key in movable and place is not None:
            edits.append((place, place, b"\n" + text.rstrip(b"\n") + b"\n"))
    out, at = [], 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        out += [code[at:start], text]
        at = end
    return b"".join([*out, code[at:]])


def _nothing(part: _Part) -> bytes:
    return b"" if part.movable else b"''"


def _cut(source: bytes, parts: tuple[_Part, ...]) -> list[bytes]:
    """Return the words of what is left without the parts."""
    out, at = [], 0
    for part in parts:
        out.append(source[at : part.start])
        at = part.end
    return b" ".join([*out, source[at:]]).split()


def _find(path: str, source: bytes) -> _Found:
    language = language_of(path) or ""
    if language not in _MARKS or not any(mark in source for mark in _MARKS[language]):
        return _Found((), {(): len(source)})
    tree = parse(source, grammar_of(path) or "")
    places: dict[Key, int] = {(): len(source)}
    seen: dict[Key, int] = {}
    parts = []
    for key, start, end, movable in _FINDERS[language](tree.root, (), places):
        seen[key] = number = seen.get(key, 0) + 1
        parts.append(_Part((*key, str(number)), start, end, movable))
    return _Found(tuple(sorted(parts, key=lambda part: part.start)), places)


_Item = tuple[Key, int, int, bool]


def _rust(body: Node, around: Key, places: dict[Key, int]) -> Iterator[_Item]:
    for node in body.named_children:
        if node.type in {"attribute_item", "inner_attribute_item"}:
            continue
        leading = [text_of(attribute) for attribute in attributes(node) if attribute.type == "attribute_item"]
        name = text_of(node.child_by_field_name("name"))
        inner = node.child_by_field_name("body")
        marked = any(_CFG_TEST.match(text) for text in leading)
        if marked or (node.type == "function_item" and any(_TEST.match(text) for text in leading)):
            first = min([node.start_byte, *(attribute.start_byte for attribute in attributes(node))])
            yield (*around, node.type, name or text_of(node).split("{")[0].strip()), first, node.end_byte, True
        elif node.type == "mod_item" and inner is not None:
            places[(*around, name)] = inner.end_byte - 1
            yield from _rust(inner, (*around, name), places)


def _vitest(body: Node, around: Key, _places: dict[Key, int]) -> Iterator[_Item]:
    for node in body.named_children:
        if node.type == "if_statement" and "import.meta.vitest" in text_of(node.child_by_field_name("condition")):
            yield (*around, node.type, ""), node.start_byte, node.end_byte, True


def _docstrings(body: Node, around: Key, places: dict[Key, int]) -> Iterator[_Item]:
    for number, child in enumerate(body.named_children):
        text = child.named_children[0] if child.type == "expression_statement" and child.named_children else None
        if number == 0 and text is not None and text.type == "string" and ">>> " in text_of(text):
            yield (*around, "docstring", ""), text.start_byte, text.end_byte, False
        node = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if node is not None and node.type in {"function_definition", "class_definition"}:
            inner = node.child_by_field_name("body")
            if inner is not None:
                yield from _docstrings(inner, (*around, text_of(node.child_by_field_name("name"))), places)


_FINDERS: Mapping[str, Callable[[Node, Key, dict[Key, int]], Iterator[_Item]]] = {
    "rust": _rust,
    "javascript": _vitest,
    "typescript": _vitest,
    "python": _docstrings,
}
