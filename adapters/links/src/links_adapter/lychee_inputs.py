"""Write pages with one link per line as inputs of lychee, and map its reports back by page and line."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from links_adapter.lychee import LycheeLink

LINES = 250
"""Links per page. Lychee reads pages concurrently and starts requests before it has read all of them."""

_SPECIAL = re.compile(r"[&<>\"'\r\n]")


class PageList(Struct, frozen=True):
    """``pages`` maps a page's path to the index in ``urls`` of its first link."""

    urls: Sequence[str]
    pages: Mapping[str, int]

    def map_reports(self, rows: Iterable[LycheeLink]) -> dict[str, LycheeLink]:
        """Map lychee's reports to their URLs."""
        return {self.urls[self.pages[row.source] + row.line - 1]: row for row in rows if row.line > 0}


@contextmanager
def write_pages(urls: Sequence[str]) -> Iterator[PageList]:
    """Write temporary pages that list ``urls``."""
    with tempfile.TemporaryDirectory(prefix="verigate-links-") as name:
        pages = {}
        for first in range(0, len(urls), LINES):
            page = Path(name) / f"{first}.html"
            lines = (f'<a href="{_attribute(url)}">\n' for url in urls[first : first + LINES])
            page.write_text("".join(lines), encoding="utf-8")
            pages[str(page)] = first
        yield PageList(urls, pages)


def _attribute(url: str) -> str:
    if _SPECIAL.search(url) is None:
        return url
    # HTML parsers drop a line break in a URL, but here it would shift all following lines.
    return html.escape(url).replace("\n", "&#10;").replace("\r", "&#13;")
