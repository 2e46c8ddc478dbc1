"""Escape invisible characters, so that people and programs read the same text."""

from __future__ import annotations

import sys
from typing import Any, Protocol

NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that are letters, marks or symbols by Unicode but that no font shows."""

_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors. Any number of them may follow a character and carry a hidden text."""


def escape_invisible(text: str) -> str:
    r"""Escape every invisible or misleading character except line feeds and spaces.

    Control and format characters (zero width, bidirectional, tags), other spaces and line separators, variation
    selectors, private-use and unassigned characters and lone surrogates become ``\t``, ``\x1b``, ``\u200b``,
    ``\U000e0041``.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return text.translate(_EscapeTable())


class _Path(Protocol):
    def __fspath__(self) -> str: ...


def format_path(path: bytes | str | _Path) -> str:
    r"""Return a path as messages and documents show it: bytes that are not UTF-8 become ``\xNN``."""
    if isinstance(path, bytes):
        return path.decode("utf-8", "backslashreplace")
    name = path if isinstance(path, str) else path.__fspath__()
    return name.encode(sys.getfilesystemencoding(), "surrogateescape").decode("utf-8", "backslashreplace")


def escape_at_signs(text: str) -> str:
    """Put a backslash before each at sign, so that programs such as claude and gemini attach no files.

    ``unescape_at_signs`` is the inverse.
    """
    return text.replace("@", "\\@")


def unescape_at_signs(text: str) -> str:
    """Remove the backslashes that ``escape_at_signs`` adds."""
    return text.replace("\\@", "@")


def format_json_line(value: Any) -> str:
    """Format a JSON value as one line of visible characters. It may not be JSON again: the escapes are for people."""
    import json  # terminal output, which loads this module too, doesn't need it

    return escape_invisible(json.dumps(value, ensure_ascii=False))


class _EscapeTable(dict[int, str]):
    """Table for ``str.translate`` that caches each character."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = chr(code) if code == 0x0A else escape_character(chr(code))
        return shown


def escape_character(character: str) -> str:
    """Return a visible character as it is, any other one as an escape."""
    if character.isprintable() and not _is_invisible(character):
        return character
    return NAMED.get(character) or format_escape(ord(character))


def format_escape(code: int) -> str:
    """Format a code point as an escape of Python and JSON."""
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _is_invisible(character: str) -> bool:
    return character in INVISIBLE or any(ord(character) in selectors for selectors in _SELECTORS)
