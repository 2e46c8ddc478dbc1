"""JSON in pieces, byte for byte what ``verigate.sdk.write_json`` writes, for artifacts with an entry for each file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

from verigate.sdk import AdapterError, json_bytes

_WHERE = "content"


def object_of(**facts: Any | Iterator[bytes] | Callable[[], Any]) -> Iterator[bytes]:
    """The artifact. A generator is a value in pieces; a function is called when all before it has been written."""
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


def array(values: Iterable[Any]) -> Iterator[bytes]:
    """The values, each of which becomes a piece."""
    start = b"["
    for value in values:
        yield start + json_bytes(value, _WHERE)
        start = b","
    yield b"]" if start == b"," else b"[]"


def members(pairs: Iterable[tuple[str, Any]]) -> Iterator[bytes]:
    """The artifact as an object of these members, whose names are sorted. Raises AdapterError for one that is twice."""
    start, last = b"{", None
    for name, value in pairs:
        if name == last:
            raise AdapterError("is how the names of two files are written", where=name, hint="rename one of them")
        yield start + json_bytes(name, _WHERE) + b":" + json_bytes(value, _WHERE)
        start, last = b",", name
    yield b"}\n" if start == b"," else b"{}\n"
