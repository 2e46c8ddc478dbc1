"""Escape foreign text for terminals and reports: visible characters only, one line, bounded length.

Names, messages and values come from the work that is being judged. Printed raw they could recolour the screen,
overwrite a FAIL with a PASS, or reverse the reading direction. Escaping can't be undone (a backslash stays a single
backslash); the JSON report has the exact value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.formats.visible import INVISIBLE, NAMED, format_escape

DEFAULT_LIMIT = 300
"""Characters shown of one foreign text."""

_MAX_DEPTH = 6
_MAX_ITEMS = 50
_MAX_SORTED = 1000


def escape(text: str, *, limit: int = DEFAULT_LIMIT) -> str:
    r"""Make ``text`` one line of visible characters, at most about ``limit`` of them.

    Control characters, ANSI escapes, line separators, bidirectional overrides, zero-width and unassigned characters and
    lone surrogates become ``\n``, ``\x1b``, ``\u202e`` and so on; other spaces become a space.
    """
    shown = text[:limit]
    if not (shown.isascii() and shown.isprintable()):
        shown = shown.translate(_EscapeTable())
    left_out = len(text) - limit
    return f"{shown}… (+{left_out} characters)" if left_out > 0 else shown


class _EscapeTable(dict[int, str]):
    """Maps characters to what is shown for them, computed once per character."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = _escape_character(chr(code))
        return shown


def _escape_character(character: str) -> str:
    if character.isprintable() and not _is_hidden(character):
        return character
    # Every command imports this module; few ever meet a character that gets here.
    import unicodedata

    if unicodedata.category(character) == "Zs":
        return " "
    return NAMED.get(character) or format_escape(ord(character))


def _is_hidden(character: str) -> bool:
    return character in INVISIBLE or 0xE0100 <= ord(character) <= 0xE01EF


def escape_value(value: Any, *, limit: int = DEFAULT_LIMIT) -> str:
    """Format a JSON value as one bounded line of JSON; parts that are too deep or too long become ``…``.

    Never recurses deeper than a few levels and never visits more of the value than it shows.
    """
    pieces: list[str] = []
    room = limit
    for piece in _value_pieces(value, 0, limit):
        if len(piece) > room:
            pieces.append(piece[: max(room, 0)] + "…")
            break
        pieces.append(piece)
        room -= len(piece)
    return "".join(pieces)


def _value_pieces(value: Any, depth: int, limit: int) -> Iterator[str]:
    if isinstance(value, str):
        yield _quote_string(value, limit)
    elif isinstance(value, Mapping):
        yield from _mapping_pieces(value, depth, limit)
    elif isinstance(value, list | tuple):
        yield from _sequence_pieces(value, depth, limit)
    elif value is None or isinstance(value, bool):
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        # Python refuses to print integers of more than 4300 digits.
        yield str(value) if value.bit_length() < 4096 else f"(integer of {value.bit_length()} bits)"
    else:
        yield escape(repr(value), limit=limit)


def _mapping_pieces(value: Mapping[Any, Any], depth: int, limit: int) -> Iterator[str]:
    if depth >= _MAX_DEPTH and value:
        yield "{…}"
        return
    yield "{"
    # Sorted, so that a verdict prints the same before publication and after being read back.
    members = sorted(value.items(), key=lambda member: str(member[0])) if len(value) <= _MAX_SORTED else value.items()
    for number, (key, item) in enumerate(members):
        if number:
            yield ", "
        if number == _MAX_ITEMS:
            yield f"… (+{len(value) - number} keys)"
            break
        yield f"{_quote_string(str(key), limit)}: "
        yield from _value_pieces(item, depth + 1, limit)
    yield "}"


def _sequence_pieces(value: list[Any] | tuple[Any, ...], depth: int, limit: int) -> Iterator[str]:
    if depth >= _MAX_DEPTH and value:
        yield "[…]"
        return
    yield "["
    for number, item in enumerate(value):
        if number:
            yield ", "
        if number == _MAX_ITEMS:
            yield f"… (+{len(value) - number} items)"
            break
        yield from _value_pieces(item, depth + 1, limit)
    yield "]"


def _quote_string(text: str, limit: int) -> str:
    quoted = text[:limit].replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escape(quoted, limit=len(quoted))}"' + ("…" if len(text) > limit else "")


def quote_for_shell(text: str) -> str | None:
    """Quote ``text`` as one shell word; None if it is too long or has invisible characters."""
    if len(text) > DEFAULT_LIMIT or escape(text) != text:
        return None
    import shlex

    return shlex.quote(text)
