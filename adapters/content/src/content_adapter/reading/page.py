"""One file read: its format, and its text as HTML or, where it has no markup, as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from content_adapter.reading import formats
from content_adapter.reading.decoding import decoded
from content_adapter.reading.texts import read_text_bytes
from content_adapter.visible import is_all_markdown, may_lack_spaces, text_of, text_of_rendered


@dataclass(frozen=True, slots=True)
class Page:
    """A file as its reader gets it.

    ``markup`` is HTML, and of plain text the text itself. ``separate`` says that its blocks may touch,
    ``rendered`` that no tag in it is the author's. ``attachments`` are images inside the file itself, by the ``src``
    that names them.
    """

    path: str
    format: str
    markup: str
    separate: bool = True
    rendered: bool = False
    attachments: Mapping[str, bytes] = field(default_factory=dict)

    def text(self, code: str = "none") -> str:
        """What a reader reads, with as much of its code as ``code`` says (``visible.text_of``)."""
        if self.format == formats.PLAIN:
            return self.markup
        if self.rendered:
            return text_of_rendered(self.markup, code=code)
        return text_of(self.markup, code=code, separate=self.separate)


def read_page(root: Path, path: str) -> Page:
    """The file ``path`` below ``root``. Raises AdapterError where it can't be read, or its processor is missing."""
    kind = formats.format_of(path) or formats.PLAIN
    raw = read_text_bytes(root, path)
    if kind == formats.HTML:
        return Page(path, kind, decoded(raw, is_html=True))
    if kind == formats.NOTEBOOK:
        from content_adapter.reading.notebook import notebook

        markup, attachments = notebook(raw, path)
        return Page(path, kind, markup, attachments=attachments)
    if kind == formats.ASCIIDOC:
        from content_adapter.reading.asciidoc import asciidoc

        return Page(path, kind, asciidoc(root, path))
    text = decoded(raw)
    if kind == formats.MARKDOWN:
        from content_adapter.reading.markdown import markdown

        return Page(path, kind, markdown(text), may_lack_spaces(text), is_all_markdown(text))
    if kind == formats.RST:
        from content_adapter.reading.rst import rst

        return Page(path, kind, rst(text))
    return Page(path, kind, text)
