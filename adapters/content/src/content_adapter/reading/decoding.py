"""Decode texts of any encoding; invalid bytes become U+FFFD, which doesn't count as a letter."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_PRESCANNED_BYTES = 1024
"""Bytes that the HTML standard searches for an encoding declaration."""


def decode(raw: bytes, *, is_html: bool = False) -> str:
    """Decode ``raw`` by its byte order mark, else as UTF-8, else by an HTML page's declaration, else with U+FFFD."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode(_find_declared_encoding(raw) if is_html else "utf-8", "replace")


def _find_declared_encoding(raw: bytes) -> str:
    found = _CHARSET.search(raw[:_PRESCANNED_BYTES])
    if found is None:
        return "windows-1252"
    try:
        info = codecs.lookup(found[1].decode())
    except LookupError:
        return "windows-1252"
    # Bytes-to-bytes codecs (zlib, hex) are not text encodings.
    return info.name if getattr(info, "_is_text_encoding", True) else "windows-1252"
