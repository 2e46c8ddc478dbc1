"""Extract the headings of a page by level, as a reader sees them."""

from __future__ import annotations

from content_adapter.reading.page import Page
from content_adapter.visible_text import parse_visible
from content_adapter.word_count import collapse_spaces

LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


def list_headings(page: Page) -> dict[str, list[str]]:
    """Map each level to the texts of its headings in page order.

    An image in a heading counts as its alternative text; headings without text are skipped.
    """
    tree = parse_visible(page.markup)
    found: dict[str, list[str]] = {}
    for level in LEVELS:
        texts = []
        for node in tree.css(level):
            for image in node.css("img"):
                image.insert_before(f" {image.attributes.get('alt') or ''} ")
            texts.append(collapse_spaces(node.text(deep=True, separator="")))
        found[level] = [text for text in texts if text]
    return found
