"""Detect texts that repeat a statement, whatever their spelling, spacing or look-alike characters."""

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
"""Cyrillic, Greek, Armenian and some Latin letters, with the ASCII letters that they look like."""

_READ_AS = str.maketrans({letter: read for pair in _LOOK_ALIKE for letter, read in zip(*pair, strict=True)})
_MIN_UNSPACED = 12
"""Statements with at least this many letters also match without spaces; shorter ones occur inside words."""


def is_blank(text: str) -> bool:
    """Whether a text has neither letters nor digits: only blanks, punctuation, invisible characters."""
    return not _normalise_words(text)


def repeats_statement(statement: str, texts: Iterable[str]) -> bool:
    """Whether one of ``texts``, or all of them joined, contain ``statement`` word by word.

    Ignores case, accents, punctuation, width, invisible characters and look-alike letters; for statements that aren't
    short, also spaces.
    """
    whole = _normalise_words(statement)
    joined = whole.replace(" ", "")
    found = [_normalise_words(text) for text in texts]
    for text in (*found, " ".join(found)):
        if (
            not whole
            or f" {whole} " in f" {text} "
            or (len(joined) >= _MIN_UNSPACED and joined in text.replace(" ", ""))
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
