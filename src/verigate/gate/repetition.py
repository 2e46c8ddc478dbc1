"""Whether a text repeats a statement, in whatever spelling: as whoever copied it meant it to be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from verigate.formats.visible import escape_character

_LOOK_ALIKE = (
    ("авсԁеһікӏмпорԛгѕтѵԝхуј", "abcdehiklmnopqrstvwxyj"),
    ("αβγεηικνορτυχω", "abyenikvoptuxw"),
    ("օսոհց", "ounhg"),
    ("ıſøđłħ", "isodlh"),
)
"""Cyrillic, Greek, Armenian and some Latin letters that are read as these."""

_READ_AS = str.maketrans({letter: read for pair in _LOOK_ALIKE for letter, read in zip(*pair, strict=True)})
_MIN_UNSPACED = 12
"""Letters from which on a statement is found without its spaces, too: fewer stand in many a word."""


def is_blank(text: str) -> bool:
    """Whether there is no letter and no digit in a text: blanks, brackets, characters that can't be seen."""
    return not _normalise_words(text)


def repeats_statement(statement: str, texts: Iterable[str]) -> bool:
    """Whether any of ``texts``, or all of them one after the other, say what ``statement`` says, word by word.

    Case, accents, punctuation, width, characters that can't be seen and letters that only look like others make no
    difference, nor, in a statement that isn't short, spaces.
    """
    whole = _normalise_words(statement)
    joined = whole.replace(" ", "")
    found = [_normalise_words(text) for text in texts]
    for said in (*found, " ".join(found)):
        if (
            not whole
            or f" {whole} " in f" {said} "
            or (len(joined) >= _MIN_UNSPACED and joined in said.replace(" ", ""))
        ):
            return True
    return False


def _normalise_words(text: str) -> str:
    plain = text.casefold() if text.isascii() else _fold_look_alikes(text)
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def _fold_look_alikes(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    seen = (
        c for c in apart if not unicodedata.category(c).startswith("M") and (c.isspace() or escape_character(c) == c)
    )
    return "".join(seen).casefold().translate(_READ_AS)
