"""Edit a user's TOML or JSON and keep everything else: comments, order, blank lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from verigate.errors import UsageError
from verigate.formats import jsonc

_SHOWN = "JSON"


class Editor(Protocol):
    """Editor of one format. All methods raise ValueError for a text in another format."""

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """Return the text with ``value`` at ``keys``."""

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """Return the text without the value at ``keys``, and without tables that this leaves empty."""

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the members of the table at ``keys``."""


class TomlEditor:
    """Adds a block at the end if possible, else edits by tomlkit, which keeps what it doesn't change.

    The result is parsed again and rejected unless it contains the expected data.
    """

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """See Editor."""
        wanted = _parse_data(content)
        _put(wanted, keys, value)
        block = content + ("" if not content or content.endswith("\n") else "\n") + _render_block(keys, value)
        if _holds(block, wanted):
            return block
        document = _parse_document(content)
        _put(document, keys, value)
        return _render_checked(document, wanted)

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """See Editor."""
        wanted = _parse_data(content)
        value = _take(wanted, keys)
        if value is None:
            return content
        # An unchanged block is removed byte for byte.
        cut = content.replace(_render_block(keys, value), "", 1)
        if _holds(cut, wanted):
            return cut
        document = _parse_document(content)
        _take(document, keys)
        return _render_checked(document, wanted)

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """See Editor."""
        table: Any = _parse_data(content)
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


def _take(document: Any, keys: Sequence[str]) -> Any:
    """Remove and return the value at ``keys``, with the tables that this leaves empty; None if there was none."""
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


def _parse_data(content: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"it is not TOML: {problem}") from problem


def _holds(content: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return _parse_data(content) == wanted
    except ValueError:
        return False


def _parse_document(content: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(content)
    except TOMLKitError as problem:
        raise ValueError(f"it is not TOML: {problem}") from problem


def _render_checked(document: Any, wanted: Mapping[str, Any]) -> str:
    import tomlkit

    made: str = tomlkit.dumps(document)
    if not _holds(made, wanted):
        raise ValueError("it is written in a way in which it can't be changed")
    return made


def _render_block(keys: Sequence[str], value: Any) -> str:
    header = ".".join(
        key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False) for key in keys[:-1]
    )
    return f"\n[{header}]\n{keys[-1]} = {json.dumps(str(value))}\n"


class JsonEditor:
    """Objects in objects, with or without comments."""

    def add(self, content: str, keys: Sequence[str], value: str) -> str:
        """See Editor."""
        wanted: Any = value
        for key in reversed(keys):
            wanted = {key: wanted}
        with _as_value_error():
            return jsonc.add(self.remove(content, keys).encode(), wanted, _SHOWN).decode()

    def remove(self, content: str, keys: Sequence[str]) -> str:
        """See Editor."""
        if not content.strip():
            return content
        with _as_value_error():
            return jsonc.remove_member(content.encode(), keys, _SHOWN).decode()

    def members(self, content: str, keys: Sequence[str]) -> tuple[str, ...]:
        """See Editor."""
        if not content.strip():
            return ()
        with _as_value_error():
            table = jsonc.read_value(content.encode(), _SHOWN)
        for key in keys:
            table = table.get(key) if isinstance(table, Mapping) else None
        return tuple(table) if isinstance(table, Mapping) else ()


@contextmanager
def _as_value_error() -> Iterator[None]:
    try:
        yield
    except UsageError as problem:
        _, _, line = (problem.where or "").partition(":")
        raise ValueError(f"{problem.message}, line {line}" if line else problem.message) from problem


EDITORS: Mapping[str, Editor] = {"toml": TomlEditor(), "json": JsonEditor()}
