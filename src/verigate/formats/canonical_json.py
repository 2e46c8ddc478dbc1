"""The canonical form of a JSON value (RFC 8785), by orjson where it writes the same bytes, else by rfc8785.

orjson writes what RFC 8785 asks for, in a tenth of the time, but for three things: whole fractions ("1.0" is "1"
there), very small and very large numbers, and names with characters beyond the Basic Multilingual Plane, which are
sorted by other units.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import orjson

_OPTIONS = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    # Values that only orjson knows how to write are the other one's to refuse.
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
_CONTAINERS = frozenset({dict, list, tuple})
_SMALLEST, _LARGEST = 1e-5, 1e15
_BEYOND = re.compile(rb"[\xf0-\xf4]")


class NoCanonicalFormError(ValueError):
    """A value without one: a lone surrogate, an integer beyond 2**53 - 1, or too many levels."""


def dumps(value: Any) -> bytes:
    """Return the bytes of a value as ``strict_json.loads`` returns them: no NaN, no infinities.

    Raises NoCanonicalFormError.
    """
    try:
        written = orjson.dumps(_write_as_integers(value) if _has_fraction(value) else value, option=_OPTIONS)
        if written.isascii() or not _BEYOND.search(written):
            return written
    except (orjson.JSONEncodeError, RecursionError, _OddFractionError):
        pass  # the other one says what is wrong, if anything
    return _dump_slowly(value)


class _OddFractionError(Exception):
    """A number that the two write differently."""


def _has_fraction(value: Any) -> bool:
    # By levels: a level of a million values is looked at in one go.
    level: list[Any] = [value]
    while level:
        kinds = set(map(type, level))
        if float in kinds:
            return True
        if kinds.isdisjoint(_CONTAINERS):
            return False
        within = (each for each in level if type(each) in _CONTAINERS)
        level = list(chain.from_iterable(each.values() if type(each) is dict else each for each in within))
    return False


def _write_as_integers(value: Any) -> Any:
    """Copy a value with an integer for each whole fraction. Raises _OddFractionError for one that stays different."""
    kind = type(value)
    if kind is float:
        size = abs(value)
        if value.is_integer() and size < _LARGEST:
            return int(value)
        # Both write the shortest digits that give the number again, and neither an exponent within these bounds.
        if _SMALLEST <= size < _LARGEST:
            return value
        raise _OddFractionError
    if kind is dict:
        return {name: _write_as_integers(each) for name, each in value.items()}
    if kind is list or kind is tuple:
        return [_write_as_integers(each) for each in value]
    return value


def _dump_slowly(value: Any) -> bytes:
    import rfc8785

    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError) as problem:
        raise NoCanonicalFormError(str(problem)) from problem
