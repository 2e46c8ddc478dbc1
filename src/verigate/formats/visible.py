"""Characters that nobody sees, made visible: what a person reads and what a program reads shall be the same."""

from __future__ import annotations

import sys
from typing import Any, Protocol

NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that Unicode calls letters, marks or symbols and that no font shows."""

_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors. Any number of them may follow a character, and carry a text that isn't shown."""


def visible_text(text: str) -> str:
    r"""``text`` with every character but a line feed and a space that shows nothing, or not itself, as an escape.

    Control and format characters (zero width, bidirectional, tags), other spaces and line separators, variation
    selectors, private, unassigned and lone ones become ``\t``, ``\x1b``, ``\u200b``, ``\U000e0041``.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return text.translate(_Visible())


class _Path(Protocol):
    def __fspath__(self) -> str: ...


def path_text(path: bytes | str | _Path) -> str:
    r"""Return a path as messages and documents show it: bytes that are not UTF-8 become ``\xNN``."""
    if isinstance(path, bytes):
        return path.decode("utf-8", "backslashreplace")
    name = path if isinstance(path, str) else path.__fspath__()
    return name.encode(sys.getfilesystemencoding(), "surrogateescape").decode("utf-8", "backslashreplace")


def inert(text: str) -> str:
    """A text in which no program sees a file to attach: a backslash before each at sign, as claude and gemini read it.

    ``active`` takes it back.
    """
    return text.replace("@", "\\@")


def active(text: str) -> str:
    """A text without the backslashes that ``inert`` puts into it."""
    return text.replace("\\@", "@")


def visible_json(value: Any) -> str:
    """A JSON value as one line of visible characters. Not every such line is JSON again: escapes are for readers."""
    import json  # terminals, which load this module too, need none

    return visible_text(json.dumps(value, ensure_ascii=False))


class _Visible(dict[int, str]):
    """What each character is shown as; one that repeats is looked at once."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = chr(code) if code == 0x0A else visible(chr(code))
        return shown


def visible(character: str) -> str:
    """One character as it is, or as an escape where it can't be seen."""
    if character.isprintable() and not _hidden(character):
        return character
    return NAMED.get(character) or escaped(ord(character))


def escaped(code: int) -> str:
    """A code point as Python and JSON write it."""
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _hidden(character: str) -> bool:
    return character in INVISIBLE or any(ord(character) in selectors for selectors in _SELECTORS)
