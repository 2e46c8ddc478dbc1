"""Check whether the file that a quote cites contains the quoted text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from content_adapter.quotes import Quote
from content_adapter.reading.decoding import decode
from content_adapter.reading.formats import format_of
from content_adapter.reading.page import read_page
from content_adapter.reading.raw_bytes import read_text_bytes
from content_adapter.references import is_elsewhere, resolve

_LEFT_OUT = re.compile(r"\[?\s*(?:\u2026|\.\.\.|\. \. \.)\s*\]?")
_NO_LETTER = re.compile(r"[^\w]+|_")
_LOOKS_LIKE_A_FILE = re.compile(r"[\w@~./ -]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,9}\Z")


@lru_cache(maxsize=8)
def _read_normalised(root: Path, path: str) -> str:
    if format_of(path) is None:
        return _normalise(decode(read_text_bytes(root, path)))
    return _normalise(read_page(root, path).text(code="all", doubtful=True))


def _normalise(text: str) -> str:
    """Keep only letters and digits, case-folded, so that quotation marks, dashes and line breaks don't matter."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())


def find_cited_file(
    quote: Quote, page: str, root: Path, known: frozenset[str], roots: Sequence[str]
) -> tuple[str | None, bool | None]:
    """Return (the cited file of the subject, whether it contains the quoted text).

    An ellipsis ("...") matches any text; the parts around it must occur in their order. Returns (None, None) if the
    source isn't a file, and (the path as cited, False) if that file doesn't exist.
    """
    reference = quote.reference
    if reference is None and quote.source and _LOOKS_LIKE_A_FILE.fullmatch(quote.source):
        found = quote.source if quote.source in known else resolve(quote.source, page, known, roots)
        if found is None:
            return None, None
        return found, _occurs(quote.text, _read_normalised(root, found))
    if reference is None or is_elsewhere(reference) or reference.startswith("#"):
        return None, None
    path = resolve(reference, page, known, roots)
    if path is None:
        return reference, False
    return path, _occurs(quote.text, _read_normalised(root, path))


def _occurs(text: str, content: str) -> bool:
    place = 0
    for part in map(_normalise, _LEFT_OUT.split(text)):
        place = content.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True
