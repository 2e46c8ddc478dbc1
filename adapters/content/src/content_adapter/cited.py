"""Whether a quoted text stands in the file that is cited for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from content_adapter.places import is_elsewhere, resolve
from content_adapter.quotes import Quote
from content_adapter.reading.decoding import decoded
from content_adapter.reading.formats import format_of
from content_adapter.reading.page import read_page
from content_adapter.reading.texts import read_text_bytes

_LEFT_OUT = re.compile(r"\[?\s*(?:\u2026|\.\.\.|\. \. \.)\s*\]?")
_NO_LETTER = re.compile(r"[^\w]+|_")
_LOOKS_LIKE_A_FILE = re.compile(r"[\w@~./ -]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,9}\Z")


@lru_cache(maxsize=8)
def _content(root: Path, path: str) -> str:
    if format_of(path) is None:
        return _comparable(decoded(read_text_bytes(root, path)))
    return _comparable(read_page(root, path).text(code="all"))


def _comparable(text: str) -> str:
    """Letters and digits alone, in one case: how quotation marks, dashes and lines are set makes no difference."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())


def cited_file(
    quote: Quote, page: str, root: Path, known: frozenset[str], roots: Sequence[str]
) -> tuple[str | None, bool | None]:
    """(the file of the subject that the quote cites, whether its text stands there).

    What is left out of a quote ("...") may be anything; its parts must stand there in their order. (None, None) where
    the source is no file, (path as it is cited, False) where it is one that isn't there.
    """
    reference = quote.reference
    if reference is None and quote.source and _LOOKS_LIKE_A_FILE.fullmatch(quote.source):
        found = quote.source if quote.source in known else resolve(quote.source, page, known, roots)
        if found is None:
            return None, None
        return found, _occurs(quote.text, _content(root, found))
    if reference is None or is_elsewhere(reference) or reference.startswith("#"):
        return None, None
    path = resolve(reference, page, known, roots)
    if path is None:
        return reference, False
    return path, _occurs(quote.text, _content(root, path))


def _occurs(text: str, content: str) -> bool:
    place = 0
    for part in map(_comparable, _LEFT_OUT.split(text)):
        place = content.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True
