"""Serialise large artifacts piece by piece, byte for byte as ``verigate.sdk.write_json`` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

from verigate.sdk import AdapterError, json_bytes

_WHERE = "content"


def stream_object(**facts: Any | Iterator[bytes] | Callable[[], Any]) -> Iterator[bytes]:
    """Yield a JSON object. A generator is a value in pieces; a function is called once all before it is written."""
    start = b"{"
    for key in sorted(facts):
        value = facts[key]
        yield start + json_bytes(key, _WHERE) + b":"
        if isinstance(value, GeneratorType):
            yield from value
        else:
            yield json_bytes(value() if callable(value) else value, _WHERE)
        start = b","
    yield b"}\n"


def stream_array(values: Iterable[Any]) -> Iterator[bytes]:
    """Yield a JSON array with one piece per value."""
    start = b"["
    for value in values:
        yield start + json_bytes(value, _WHERE)
        start = b","
    yield b"]" if start == b"," else b"[]"


def stream_members(pairs: Iterable[tuple[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON object of sorted ``pairs``. Raises AdapterError for a duplicate name."""
    start, last = b"{", None
    for name, value in pairs:
        if name == last:
            raise AdapterError("two files have this name after escaping", where=name, hint="rename one of them")
        yield start + json_bytes(name, _WHERE) + b":" + json_bytes(value, _WHERE)
        start, last = b",", name
    yield b"}\n" if start == b"," else b"{}\n"
