"""Edits of a user's TOML or JSON that leave everything else as it is: comments, order, blank lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tree_sitter import Node


class Editor(Protocol):
    """One format. Each raises ValueError for a text that isn't of it."""

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """The text with ``value`` at ``keys``."""

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """The text without what is at ``keys``, and without tables that this leaves empty."""

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """The names of the members of the table at ``keys``."""


class Toml:
    """As a block at the end where the text allows that, else by tomlkit, which keeps what it doesn't change.

    Whichever way, what comes out holds the data that it should, or it is refused.
    """

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """See Editor."""
        wanted = _data(content)
        _put(wanted, keys, value)
        block = content + ("" if not content or content.endswith("\n") else "\n") + _block(keys, value)
        if _holds(block, wanted):
            return block
        document = _document(content)
        _put(document, keys, value)
        return _checked(document, wanted)

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """See Editor."""
        wanted = _data(content)
        value = _taken(wanted, keys)
        if value is None:
            return content
        # A block that nobody has touched goes as it came, with every byte of it and no other.
        cut = content.replace(_block(keys, value), "", 1)
        if _holds(cut, wanted):
            return cut
        document = _document(content)
        _taken(document, keys)
        return _checked(document, wanted)

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """See Editor."""
        table: Any = _data(content)
        for key in keys:
            table = table.get(key) if isinstance(table, Mapping) else None
        return tuple(table) if isinstance(table, Mapping) else ()


def _put(table: Any, keys: Sequence[str], value: str) -> None:
    for key in keys[:-1]:
        if key not in table:
            table[key] = {}
        table = table[key]
        if not isinstance(table, Mapping):
            raise ValueError(f"{key} is no table")  # noqa: TRY004 - of the file, not of a caller
    table[keys[-1]] = value


def _taken(document: Any, keys: Sequence[str]) -> Any:
    """What was at ``keys``, which is gone now with the tables that this left empty; None if nothing was."""
    tables: list[Any] = [document]
    for key in keys:
        if not isinstance(tables[-1], Mapping) or key not in tables[-1]:
            return None
        tables.append(tables[-1][key])
    value = tables.pop()
    for table, key in zip(reversed(tables), reversed(keys), strict=True):
        del table[key]
        if len(table) > 0:
            break
    return value


def _data(content: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"it is not TOML: {problem}") from problem


def _holds(content: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return _data(content) == wanted
    except ValueError:
        return False


def _document(content: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(content)
    except TOMLKitError as problem:
        raise ValueError(f"it is not TOML: {problem}") from problem


def _checked(document: Any, wanted: Mapping[str, Any]) -> str:
    import tomlkit

    made: str = tomlkit.dumps(document)
    if not _holds(made, wanted):
        raise ValueError("it is written in a way in which it can't be changed")
    return made


def _block(keys: Sequence[str], value: Any) -> str:
    header = ".".join(
        key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False) for key in keys[:-1]
    )
    return f"\n[{header}]\n{keys[-1]} = {json.dumps(str(value))}\n"


class Json:
    """One flat object, with or without comments, by tree-sitter's grammar, which knows where each member stands."""

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """See Editor. ``keys`` is one name."""
        (name,) = keys
        entry = f"{json.dumps(name)}: {json.dumps(value)}"
        if not content.strip():
            return f"{{\n  {entry}\n}}\n"
        text = self.remove(content, keys).encode()
        root = _root(text)
        pairs = [child for child in root.named_children if child.type == "pair"]
        if not pairs:
            at = root.start_byte + 1
            return (text[:at] + f"\n  {entry}\n".encode() + text[at:].lstrip(b" \t\r\n")).decode()
        # Before the first, so that no comment behind a last member comes between it and its comma.
        at = pairs[0].start_byte
        before = text[:at]
        indent = before[before.rfind(b"\n") + 1 :]
        gap = b"\n" + indent if not indent.strip() and b"\n" in before else b" "
        return (before + f"{entry},".encode() + gap + text[at:]).decode()

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """See Editor."""
        (name,) = keys
        if not content.strip():
            return content
        text = content.encode()
        pairs = [child for child in _root(text).named_children if child.type == "pair"]
        for index in reversed(range(len(pairs))):
            if _name(pairs[index]) == name:
                text = _without(text, pairs, index)
        return text.decode()

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """See Editor."""
        if keys or not content.strip():
            return ()
        pairs = (child for child in _root(content.encode()).named_children if child.type == "pair")
        return tuple(name for pair in pairs if (name := _name(pair)) is not None)


def _without(text: bytes, pairs: Sequence[Node], index: int) -> bytes:
    pair = pairs[index]
    start, end = pair.start_byte, pair.end_byte
    comma = pair.next_sibling
    while comma is not None and comma.type == "comment":
        comma = comma.next_sibling
    if comma is not None and comma.type == ",":
        # With it goes the gap behind it, but no comment.
        gap_end = comma.end_byte
        while gap_end < len(text) and text[gap_end : gap_end + 1] in {b" ", b"\t", b"\r", b"\n"}:
            gap_end += 1
        return text[:start] + text[end : comma.start_byte] + text[gap_end:]
    if index:
        before = pair.prev_sibling
        while before is not None and before.type == "comment":
            before = before.prev_sibling
        if before is not None and before.type == ",":
            between = text[before.end_byte : start]
            kept = between if between.strip() else b""
            return text[: before.start_byte] + kept + text[end:]
    return text[:start].rstrip(b" \t") + text[end:].lstrip(b" \t\r\n")


def _name(pair: Node) -> str | None:
    key = pair.child_by_field_name("key")
    try:
        found = json.loads(key.text) if key is not None and key.text is not None else None
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _root(text: bytes) -> Node:
    import tree_sitter_json
    from tree_sitter import Language, Parser

    tree = Parser(Language(tree_sitter_json.language())).parse(text)
    values = [child for child in tree.root_node.named_children if child.type != "comment"]
    if tree.root_node.has_error or len(values) != 1 or values[0].type != "object":
        raise ValueError("it is no JSON object")
    return values[0]


EDITORS: Mapping[str, Editor] = {"toml": Toml(), "json": Json()}
