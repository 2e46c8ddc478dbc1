"""A page with one link on each line, by which lychee is told what to ask; its reports name the line."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def listing(urls: Sequence[str]) -> Iterator[str]:
    """The path of a page whose line N has the Nth of ``urls``; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="verigate-links-") as name:
        page = Path(name) / "links.html"
        page.write_text("".join(f'<a href="{_attribute(url)}">\n' for url in urls), encoding="utf-8")
        yield str(page)


def _attribute(url: str) -> str:
    # A line break in a URL is dropped by every reader of pages; here it would shift all lines after it.
    return html.escape(url).replace("\n", "&#10;").replace("\r", "&#13;")
