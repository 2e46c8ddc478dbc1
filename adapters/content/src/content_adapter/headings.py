"""Headings of a page, by level, as a reader sees them."""

from __future__ import annotations

from content_adapter.reading.page import Page
from content_adapter.visible import shown
from content_adapter.words import one_line

LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


def headings(page: Page) -> dict[str, list[str]]:
    """Level -> the texts of its headings in the order of the page.

    A heading that is a picture has the picture's alternative text; one without any text is none.
    """
    tree = shown(page.markup)
    found: dict[str, list[str]] = {}
    for level in LEVELS:
        texts = []
        for node in tree.css(level):
            for image in node.css("img"):
                image.insert_before(f" {image.attributes.get('alt') or ''} ")
            texts.append(one_line(node.text(deep=True, separator="")))
        found[level] = [text for text in texts if text]
    return found
