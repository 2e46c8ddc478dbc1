"""Detect error pages that are served with a status of success."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser

MAX_BODY_BYTES = 1 << 20
"""Only this much of a body is read."""

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_MAX_NOTE = 200


def find_error_text(body: bytes, kind: str, charset: str | None, patterns: Sequence[re.Pattern[str]]) -> str | None:
    """Return the text by which ``body`` reports an error; None if it reports none.

    ``kind`` is the media type. A page reports an error by its title or first ``h1``, a JSON object by a ``status``,
    ``code`` or ``statusCode`` from 400 to 599.
    """
    if kind in _PAGES:
        for text in _headlines(_decode(body, charset)):
            if any(pattern.search(text) for pattern in patterns):
                return text[:_MAX_NOTE]
    elif kind == "application/json" or kind.endswith("+json"):
        return _json_error(body)
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
    except LookupError:
        return body.decode("utf-8", "replace")


def _headlines(text: str) -> list[str]:
    parser = _Headlines()
    parser.feed(text)
    parser.close()
    return [" ".join(found.split()) for found in (parser.found["title"], parser.found["h1"]) if found.strip()]


class _Headlines(HTMLParser):
    """Collects the text of the first title and the first h1."""

    def __init__(self) -> None:
        super().__init__()
        self.found = {"title": "", "h1": ""}
        self._inside: str | None = None
        self._done: set[str] = set()

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        if tag in self.found and tag not in self._done:
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._done.add(tag)
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self.found[self._inside] += data
