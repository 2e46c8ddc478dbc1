"""Count words and characters of visible text.

A word is a run between white space that holds a letter or a digit. Where a script is written without spaces the default
word boundaries of Unicode decide (UAX #29): each Han or Hiragana letter is a word, and so is each run of Katakana. Runs
of Thai, Lao, Khmer and Burmese count as one word, for their borders stand in dictionaries. What can't be seen, white
space aside, neither counts nor separates: zero-width and other default-ignorable characters (DerivedCoreProperties),
control characters, the fillers of Hangul and the blank of Braille. Narrow spaces (hair space, thin space) between two
letters or digits don't separate either: ``10 000`` is one word.
"""

from __future__ import annotations

import re
import string

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_KATAKANA_RUN = re.compile(f"[{_KATAKANA}]+")
_IDEOGRAPH = re.compile(
    f"[\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f{_KATAKANA}"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U000323af]"
)
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_NARROW = "\u2006\u2008\u2009\u200a\u202f\u205f"
"""Spaces too narrow to be seen between two letters. Next to a dash or a quotation mark they do separate."""

_UNSEEN_SET = _UNSEEN.pattern[1:-1]
_NARROW_RUN = re.compile(
    f"(?<=[\\w\u0300-\u036f])[{_NARROW}{_UNSEEN_SET}]*[{_NARROW}][{_NARROW}{_UNSEEN_SET}]*+(?=\\w)"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_SPACE = b" \t\n\r\x0b\x0c"
_LETTERS = (string.ascii_letters + string.digits).encode()
_NEITHER = bytes(set(range(256)) - set(_SPACE) - set(_LETTERS))


class _Stand(dict[str, str]):
    """Caches the ASCII placeholder of each character for counting."""

    def __missing__(self, character: str) -> str:
        if _IDEOGRAPH.match(character):
            stand = " a "
        elif character.isspace():
            stand = " "
        else:
            stand = "a" if character.isalnum() and not _UNSEEN.match(character) else ""
        self[character] = stand
        return stand


_STAND = _Stand()


def _ascii(found: re.Match[str]) -> str:
    run = _KATAKANA_RUN.sub("\u30a2", found[0])
    return "".join(map(_STAND.__getitem__, run))


def count_words(text: str) -> int:
    """Count the words of ``text``."""
    plain = text if text.isascii() else _BEYOND_ASCII.sub(_ascii, _NARROW_RUN.sub("", text))
    return len(plain.encode().translate(None, _NEITHER).split())


def count_characters(text: str) -> int:
    """Count the visible characters of ``text``, without white space."""
    return len(_UNSEEN.sub("", "".join(text.split())))


def collapse_spaces(text: str) -> str:
    """Collapse white space to single spaces and remove invisible characters."""
    return " ".join(_UNSEEN.sub("", " ".join(text.split())).split())
