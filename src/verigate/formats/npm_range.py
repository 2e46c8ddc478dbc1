"""Decide whether a version is within a range as package.json writes it (``^20.19.0 || >=22.12.0``).

Source: the grammar of ranges of npm's semver. What isn't read, such as prereleases, is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_Version = tuple[int, int, int]
_Bounds = tuple[_Version, _Version | None]

_LONGEST = 1000
_NOTHING: _Version = (0, 0, 0)
_NUMBERS = r"v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:\+[\w.-]+)?"
_VERSION = re.compile(r"v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
_COMPARATOR = re.compile(rf"(>=|<=|[<>=^]|~>?|)\s*{_NUMBERS}(?:\s+|\Z)")
_SPAN = re.compile(rf"{_NUMBERS}\s+-\s+{_NUMBERS}")


def admits(wanted: str, version: str) -> bool | None:
    """Whether ``version`` (``20.19.2``, also with a v) is within ``wanted``; None if one of them can't be read."""
    found = _VERSION.fullmatch(version.strip())
    if found is None or len(wanted) > _LONGEST:
        return None
    numbers = int(found[1]), int(found[2]), int(found[3])
    try:
        return any(all(_holds(numbers, each) for each in _read_set(part.strip())) for part in wanted.split("||"))
    except ValueError:
        return None


def _holds(version: _Version, bounds: _Bounds) -> bool:
    low, high = bounds
    return low <= version and (high is None or version < high)


def _read_set(text: str) -> tuple[_Bounds, ...]:
    """Read comparators that have to hold together. Raises ValueError for what is none."""
    if span := _SPAN.fullmatch(text):
        return _bound(">=", span.groups()[:3]), _bound("<=", span.groups()[3:])
    return tuple(_read_comparators(text))


def _read_comparators(text: str) -> Iterator[_Bounds]:
    place = 0
    while place < len(text):
        found = _COMPARATOR.match(text, place)
        if found is None:
            raise ValueError(text)
        yield _bound(found[1], found.groups()[1:])
        place = found.end()


def _bound(operator: str, parts: tuple[str | None, ...]) -> _Bounds:
    """Return the lowest version, and the one above the highest (None: there is no highest).

    Raises ValueError for a number after an x, which npm reads in some places only.
    """
    numbers: list[int] = []
    for part in parts:
        if part is None or not part.isdecimal():
            break
        numbers.append(int(part))
    if any(part is not None and part.isdecimal() for part in parts[len(numbers) :]):
        raise ValueError("a number after an x")
    if not numbers:
        # A bare star admits each version; nothing is above or below all of them.
        return (_NOTHING, _NOTHING if operator in {"<", ">"} else None)
    low, last = _pad(numbers), len(numbers) - 1
    # What the last number that is written stands for, the first that isn't zero (^), or at most the second (~).
    place = {"^": next((index for index, number in enumerate(numbers) if number), last), "~": min(1, last)}
    above = _bump(numbers, place.get(operator[:1], last))
    bounds = {">=": (low, None), ">": (above, None), "<": (_NOTHING, low), "<=": (_NOTHING, above)}
    return bounds.get(operator, (low, above))


def _pad(numbers: list[int]) -> _Version:
    first, second, third = (*numbers, 0, 0)[:3]
    return first, second, third


def _bump(numbers: list[int], place: int) -> _Version:
    return _pad([*numbers[:place], numbers[place] + 1])
