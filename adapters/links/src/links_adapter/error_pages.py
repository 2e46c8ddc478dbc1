"""Detect error pages and empty pages that are served with a status of success."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from links_adapter import link_status as a
from links_adapter.page_facts import PageFacts, read_page

MAX_BODY_BYTES = 1 << 20
"""Only this much of a body is read."""

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_MAX_NOTE = 200


def read_html(body: bytes, kind: str, charset: str | None) -> PageFacts | None:
    """Read the facts of an HTML page; None for any other media type ``kind``."""
    return read_page(_decode(body, charset)) if kind in _PAGES else None


def find_fault(
    body: bytes, kind: str, page: PageFacts | None, patterns: Sequence[re.Pattern[str]]
) -> tuple[str, str] | None:
    """Return the name of the fault of a body of status 200, and the text that shows it; None if there is none.

    A page reports an error by its title or first ``h1``, a JSON object by a ``status``, ``code`` or ``statusCode`` from
    400 to 599. A body is empty without any byte, and a page without any content.
    """
    if not body.strip():
        return a.EMPTY_BODY, "no content"
    if page is not None:
        for text in page.headlines:
            if any(pattern.search(text) for pattern in patterns):
                return a.ERROR_BODY, text[:_MAX_NOTE]
        return (a.EMPTY_BODY, "a page without content") if page.blank and page.refresh is None else None
    if kind == "application/json" or kind.endswith("+json"):
        note = _json_error(body)
        return (a.ERROR_BODY, note) if note else None
    return None


def _json_error(body: bytes) -> str | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    for key in ("status", "code", "statusCode"):
        number = value.get(key)
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number <= 599:
            return f"{key} {number}"
    return None


def _decode(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):  # no such encoding, one that decodes no text, or a name with a null byte
        return body.decode("utf-8", "replace")
