"""Determine the text format of a file by its suffix."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MARKDOWN = "markdown"
HTML = "html"
RST = "rst"
ASCIIDOC = "asciidoc"
NOTEBOOK = "notebook"
PLAIN = "plain"

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        ".md": MARKDOWN,
        ".markdown": MARKDOWN,
        ".mdown": MARKDOWN,
        ".mkd": MARKDOWN,
        ".html": HTML,
        ".htm": HTML,
        ".xhtml": HTML,
        ".rst": RST,
        ".rest": RST,
        ".adoc": ASCIIDOC,
        ".asciidoc": ASCIIDOC,
        ".ipynb": NOTEBOOK,
        ".txt": PLAIN,
        ".text": PLAIN,
    }
)


def format_of(path: str) -> str | None:
    """Return the format for the suffix of ``path``, ignoring case; None if the file isn't a text for readers."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    return SUFFIXES.get(f".{suffix}") if dot and stem else None
