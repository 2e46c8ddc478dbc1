"""JSON pointers (RFC 6901): build, split and resolve them, and copy a value without the places that they name.

A ``*`` segment in a declared volatile pointer matches every member: ``/*/latency_ms`` covers a map of endpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def escape(segment: str | int) -> str:
    """Return one reference token with ``~`` and ``/`` escaped."""
    return str(segment).replace("~", "~0").replace("/", "~1")


def join(*segments: str | int) -> str:
    """Return the pointer of these segments."""
    return "".join(f"/{escape(segment)}" for segment in segments)


def split(pointer: str) -> tuple[str, ...]:
    """Return the segments of a pointer. Raises ValueError unless it is empty or begins with ``/``."""
    if pointer == "":
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is not a JSON pointer: it does not begin with '/'")
    parts = pointer[1:].split("/")
    if "~" not in pointer:
        return tuple(parts)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def resolve(value: Any, pointer: str) -> Any:
    """Return the value at ``pointer``. Raises LookupError if there is none."""
    for segment in split(pointer):
        value = _get_member(value, segment)
    return value


def _get_member(value: Any, segment: str) -> Any:
    if isinstance(value, dict):
        return value[segment]
    if isinstance(value, list) and _is_index(segment):
        return value[int(segment)]
    raise LookupError(f"there is no member {segment!r}")


def _is_index(segment: str) -> bool:
    """Whether a segment is an array index: ASCII digits without leading zeros, so that each place has one pointer."""
    return segment.isascii() and segment.isdecimal() and len(segment) < 16 and (segment == "0" or segment[0] != "0")


def copy_without(value: Any, pointers: Sequence[str]) -> Any:
    """Return ``value`` without the places that ``pointers`` name, as a copy that shares the parts without one.

    ``value`` itself is returned where it has none of them, and never changed.
    """
    for pointer in pointers:
        value = _copy_without_path(value, split(pointer))
    return value


def _copy_without_path(value: Any, path: tuple[str, ...]) -> Any:
    if not path or not isinstance(value, dict | list):
        return value
    head, rest = path[0], path[1:]
    if isinstance(value, list):
        chosen = set(range(len(value))) if head == "*" else ({int(head)} if _is_index(head) else set())
        if not rest:
            return [item for index, item in enumerate(value) if index not in chosen]
        return [_copy_without_path(item, rest) if index in chosen else item for index, item in enumerate(value)]
    if head != "*" and head not in value:
        return value  # the usual case: a declared volatile member that isn't there
    if not rest:
        return {key: item for key, item in value.items() if head not in {"*", key}}
    return {key: (_copy_without_path(item, rest) if head in {"*", key} else item) for key, item in value.items()}
