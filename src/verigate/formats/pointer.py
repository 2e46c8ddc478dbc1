"""JSON pointers (RFC 6901): make one, follow one, leave the places out that some name.

A ``*`` segment in a declared volatile pointer stands for every member: ``/*/latency_ms`` covers a map of endpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def escape(segment: str | int) -> str:
    """One reference token with ``~`` and ``/`` escaped."""
    return str(segment).replace("~", "~0").replace("/", "~1")


def join(*segments: str | int) -> str:
    """The pointer that leads through these members."""
    return "".join(f"/{escape(segment)}" for segment in segments)


def split(pointer: str) -> tuple[str, ...]:
    """The members a pointer leads through. Raises ValueError unless it is empty or begins with ``/``."""
    if pointer == "":
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is not a JSON pointer: it does not begin with '/'")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def resolve(value: Any, pointer: str) -> Any:
    """The value at ``pointer``. Raises LookupError where nothing is."""
    for segment in split(pointer):
        value = _member(value, segment)
    return value


def _member(value: Any, segment: str) -> Any:
    if isinstance(value, dict):
        return value[segment]
    if isinstance(value, list) and _is_index(segment):
        return value[int(segment)]
    raise LookupError(f"there is no member {segment!r}")


def _is_index(segment: str) -> bool:
    """ASCII digits without leading zeros, so that every place has one pointer only."""
    return segment.isascii() and segment.isdecimal() and len(segment) < 16 and (segment == "0" or segment[0] != "0")


def without(value: Any, pointers: Sequence[str]) -> Any:
    """A copy of ``value`` without what ``pointers`` name; shares everything that isn't on the way to them."""
    for pointer in pointers:
        value = _removed(value, split(pointer))
    return value


def _removed(value: Any, path: tuple[str, ...]) -> Any:
    if not path or not isinstance(value, dict | list):
        return value
    head, rest = path[0], path[1:]
    if isinstance(value, list):
        chosen = set(range(len(value))) if head == "*" else ({int(head)} if _is_index(head) else set())
        if not rest:
            return [item for index, item in enumerate(value) if index not in chosen]
        return [_removed(item, rest) if index in chosen else item for index, item in enumerate(value)]
    keys = set(value) if head == "*" else ({head} & value.keys())
    if not rest:
        return {key: item for key, item in value.items() if key not in keys}
    return {key: (_removed(item, rest) if key in keys else item) for key, item in value.items()}
