"""A part of a large value that is as invalid as the whole, small enough to be explained.

A validator that explains makes an error for each thing that is wrong before it hands over the first. A value of a
megabyte may have a hundred thousand, of which fifty are told.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

LARGE = 2_000
"""Values with fewer parts are explained whole."""

_WIDTH = 50


def narrowed(value: Any, is_valid: Callable[[Any], bool], names: AbstractSet[str]) -> Any:
    """``value``, or if it is large, the beginnings of its objects and arrays that are still invalid.

    ``names`` are the members that a schema speaks of, which stay: without them something else would be wrong. Places in
    the narrowed value are places in the whole.
    """
    if not _is_large(value):
        return value
    width = _WIDTH
    part = _cut(value, width, names)
    if not is_valid(part):
        return part
    # Nothing is wrong with the beginnings: find the width at which something is.
    valid, widest = width, _widest(value)
    while widest - valid > 1:
        width = (valid + widest) // 2
        if is_valid(_cut(value, width, names)):
            valid = width
        else:
            widest = width
    return _cut(value, widest, names)


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


def _widest(value: Any) -> int:
    most, pending = 0, [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict | list):
            most = max(most, len(item))
            pending.extend(item.values() if isinstance(item, dict) else item)
    return most


def _cut(value: Any, width: int, names: AbstractSet[str]) -> Any:
    if isinstance(value, list):
        return [_cut(item, width, names) for item in value[:width]]
    if isinstance(value, dict):
        kept = (pair for index, pair in enumerate(value.items()) if index < width or pair[0] in names)
        return {key: _cut(item, width, names) for key, item in kept}
    return value
