"""Pages with one link on each line, by which lychee is told what to ask; its reports name page and line."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from links_adapter.lychee import Found

LINES = 250
"""Links on one page: lychee reads pages beside each other, and asks the first before it has read the last."""

_SPECIAL = re.compile(r"[&<>\"'\r\n]")


class Listing(Struct, frozen=True):
    """``pages``: path -> the place in ``urls`` of the link on its first line."""

    urls: Sequence[str]
    pages: Mapping[str, int]

    def answered(self, rows: Iterable[Found]) -> dict[str, Found]:
        """What lychee says of each of the URLs."""
        return {self.urls[self.pages[row.source] + row.line - 1]: row for row in rows if row.line > 0}


@contextmanager
def listing(urls: Sequence[str]) -> Iterator[Listing]:
    """Pages that list ``urls``; they are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="verigate-links-") as name:
        pages = {}
        for first in range(0, len(urls), LINES):
            page = Path(name) / f"{first}.html"
            lines = (f'<a href="{_attribute(url)}">\n' for url in urls[first : first + LINES])
            page.write_text("".join(lines), encoding="utf-8")
            pages[str(page)] = first
        yield Listing(urls, pages)


def _attribute(url: str) -> str:
    if _SPECIAL.search(url) is None:
        return url
    # A line break in a URL is dropped by every reader of pages; here it would shift all lines after it.
    return html.escape(url).replace("\n", "&#10;").replace("\r", "&#13;")
