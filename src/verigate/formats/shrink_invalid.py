"""Shrink a large invalid value to an invalid part that is small enough to explain.

A validator builds all its errors before it returns the first. A value of one megabyte may have a hundred thousand, of
which fifty are reported.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

LARGE = 2_000
"""Values with fewer parts are explained whole."""

_WIDTH = 50


def shrink_invalid(value: Any, is_valid: Callable[[Any], bool], names: AbstractSet[str]) -> Any:
    """Return ``value``, or if it is large, the shortest heads of its objects and arrays that are still invalid.

    ``names`` are the members that the schema mentions; they are kept, as removing them could cause other faults.
    Pointers into the shrunk value are valid for the whole.
    """
    if not _is_large(value):
        return value
    width = _WIDTH
    part = _truncate(value, width, names)
    if not is_valid(part):
        return part
    # Nothing is wrong with the beginnings: find the width at which something is.
    valid, widest = width, _find_width(value)
    while widest - valid > 1:
        width = (valid + widest) // 2
        if is_valid(_truncate(value, width, names)):
            valid = width
        else:
            widest = width
    return _truncate(value, widest, names)


def _is_large(value: Any) -> bool:
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict | list):
            count += len(item)
            if count > LARGE:
                return True
            pending.extend(item.values() if isinstance(item, dict) else item)
    return False


def _find_width(value: Any) -> int:
    most, pending = 0, [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict | list):
            most = max(most, len(item))
            pending.extend(item.values() if isinstance(item, dict) else item)
    return most


def _truncate(value: Any, width: int, names: AbstractSet[str]) -> Any:
    if isinstance(value, list):
        return [_truncate(item, width, names) for item in value[:width]]
    if isinstance(value, dict):
        kept = (pair for index, pair in enumerate(value.items()) if index < width or pair[0] in names)
        return {key: _truncate(item, width, names) for key, item in kept}
    return value
