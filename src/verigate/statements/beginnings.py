"""Derive from a phrase's pattern how a line that it matches begins, and what it has, so that others need no compiling.

Only groups, alternatives, literals and what may be left out are read. Where anything else stands first, a line may
begin with anything.
"""

from __future__ import annotations

import re

_ANY = frozenset({""})
"""Each text begins with the empty one."""

_ZERO_WIDTH = re.compile(r"\(\?(?:!|=|<!|<=)")
_OPENED = re.compile(r"\((?:\?:|\?P<\w+>)?(?!\?)")
_REPEATED = re.compile(r"\{(?P<least>\d*)[\d,]*\}|[?*+]")
_LITERAL = re.compile(r"(?:\\[^\w\s]|\\ |[^\\\[\](){}.^$*+?|])+")
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_SKIPPED = re.compile(rf"(?:\\.|{_CLASS}|[^\\\[()|]++|\((?:\\.|{_CLASS}|[^\\\[()]++)*+\))++", re.DOTALL)
"""What has no part that ends before it does: characters, classes, and groups without others in them."""

_BEFORE_GROUP = re.compile(rf"(?:\\.|{_CLASS}|[^\\\[(]++)*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def list_beginnings(pattern: str) -> frozenset[str]:
    """List texts, in lower case, with one of which each text begins that ``pattern`` matches."""
    return frozenset(text.lower() for text in _read_alternatives(pattern, 0, len(pattern)))


def requires(pattern: str, part: str) -> bool:
    """Whether each text that ``pattern`` matches has one that ``part`` matches, which is a group of it."""
    return part in pattern and _requires(pattern, 0, len(pattern), part)


def _requires(pattern: str, start: int, end: int, part: str) -> bool:
    while True:
        bar = _find_end(pattern, start, end, "|")
        if not _sequence_requires(pattern, start, bar, part):
            return False
        if bar == end:
            return True
        start = bar + 1


def _sequence_requires(pattern: str, start: int, end: int, part: str) -> bool:
    while (start := _find_group(pattern, start, end)) < end and pattern.find(part, start, end) >= 0:
        close = _find_end(pattern, start + 1, end, ")")
        repeated = _REPEATED.match(pattern, close + 1, end)
        if (repeated is None or not _is_optional(repeated)) and _ZERO_WIDTH.match(pattern, start) is None:
            if pattern.startswith(part, start):
                return True
            opened = _OPENED.match(pattern, start, end)
            if opened is not None and _requires(pattern, opened.end(), close, part):
                return True
        start = close + 1
    return False


def is_plain(text: str) -> bool:
    """Whether no letter of ``text`` equals a letter of ASCII but for its case, as the sign of Kelvin equals K."""
    return text.isascii() or not any(
        any(other.isascii() for other in letter.upper() + letter.lower()) for letter in text if not letter.isascii()
    )


def _read_alternatives(pattern: str, start: int, end: int) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    while True:
        bar = _find_end(pattern, start, end, "|")
        found |= _read_sequence(pattern, start, bar)
        if bar == end or "" in found:
            return _ANY if "" in found else found
        start = bar + 1


def _read_sequence(pattern: str, start: int, end: int) -> frozenset[str]:
    """Read elements until one can't be left out."""
    found: frozenset[str] = frozenset()
    while start < end:
        if _ZERO_WIDTH.match(pattern, start, end) is not None:
            start = _find_end(pattern, start + 1, end, ")") + 1
            continue
        if (literal := _LITERAL.match(pattern, start, end)) is not None:
            return found | {_read_literal(pattern, literal)}
        opened = _OPENED.match(pattern, start, end)
        if opened is None:
            return _ANY
        close = _find_end(pattern, opened.end(), end, ")")
        found |= _read_alternatives(pattern, opened.end(), close)
        repeated = _REPEATED.match(pattern, close + 1, end)
        if repeated is None or not _is_optional(repeated):
            return found
        start = repeated.end()
    return _ANY


def _is_optional(repeated: re.Match[str]) -> bool:
    return repeated[0] in "?*" or (repeated[0] != "+" and repeated["least"] in {"", "0"})


def _read_literal(pattern: str, literal: re.Match[str]) -> str:
    """Return the text of a literal, without its last character if that may be left out."""
    repeated = _REPEATED.match(pattern, literal.end())
    text = _ESCAPE.sub(r"\1", literal[0])
    return text if repeated is None else text[:-1]


def _find_group(pattern: str, start: int, end: int) -> int:
    found = _BEFORE_GROUP.match(pattern, start, end)
    return end if found is None else found.end()


def _find_end(pattern: str, start: int, end: int, sign: str) -> int:
    """Find the next ``sign`` that stands in no group or class, or ``end``."""
    depth = 0
    while start < end:
        if (skipped := _SKIPPED.match(pattern, start, end)) is not None:
            start = skipped.end()
            continue
        if depth == 0 and pattern[start] == sign:
            return start
        depth += {"(": 1, ")": -1}.get(pattern[start], 0)
        start += 1
    return end
