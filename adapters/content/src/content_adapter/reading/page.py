"""Read a file of any format as HTML, or as plain text if it has no markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from content_adapter.reading import formats
from content_adapter.reading.decoding import decode
from content_adapter.reading.linked_sheets import add_linked_sheets, may_link_sheets
from content_adapter.reading.raw_bytes import read_text_bytes
from content_adapter.visible_text import (
    extract_rendered_text,
    extract_text,
    is_all_markdown,
    may_have_doubts,
    may_lack_spaces,
)
from verigate.sdk.facts import name_fact


@dataclass(frozen=True, slots=True)
class Page:
    """A file as its reader gets it.

    ``markup`` is HTML, or the text itself for plain text. ``separate`` means that there may be no white space between
    blocks, ``rendered`` that no tag was written by the author. ``attachments`` are images embedded in the file, by
    their ``src``. ``has_html`` means that the author may have written tags, which may hide text. ``source`` is the
    digest of the only bytes that the page was made of; None if it may depend on other files or programs.
    """

    path: str
    format: str
    markup: str
    separate: bool = True
    rendered: bool = False
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    has_html: bool = False
    source: str | None = None

    @property
    def markup_to_show(self) -> str:
        """The markup as a browser is to get it: in standards mode, where the format knows no other."""
        return self.markup if self.format == formats.HTML else f"<!doctype html>{self.markup}"

    def with_shown(self, markup: str) -> Page:
        """Return this page with ``markup`` that a browser has taken what isn't shown from, and has put breaks into."""
        return replace(self, markup=markup, separate=False)

    def text(self, code: str = "none", *, doubtful: bool = False) -> str:
        """Return the visible text, with code as ``code`` selects it (``visible.extract_text``).

        With ``doubtful`` also the text of which only a browser knows whether it is shown.
        """
        if self.format == formats.PLAIN:
            return self.markup
        if self.rendered:
            return extract_rendered_text(self.markup, code=code)
        return extract_text(self.markup, code=code, separate=self.separate, doubtful=doubtful)

    @property
    def may_have_doubts(self) -> bool:
        """Whether styles of the page may leave in doubt what is shown."""
        return self.format != formats.PLAIN and not self.rendered and may_have_doubts(self.markup)


def name_source(path: str, raw: bytes) -> str:
    """Return the ``source`` of a page that is made of ``raw`` alone."""
    return name_fact(formats.format_of(path) or formats.PLAIN, raw)


def read_page(root: Path, path: str, *, sheets: bool = True) -> Page:
    """Read the file ``path`` below ``root``; ``sheets`` puts linked style sheets into it.

    Raises AdapterError if it can't be read or its processor is missing.
    """
    raw = read_text_bytes(root, path)
    page = _convert(root, path, raw, sheets=sheets)
    if page.format == formats.ASCIIDOC or may_link_sheets(page.markup):
        return page
    return replace(page, source=name_source(path, raw))


def _convert(root: Path, path: str, raw: bytes, *, sheets: bool) -> Page:
    kind = formats.format_of(path) or formats.PLAIN
    if kind == formats.HTML:
        markup = decode(raw, is_html=True)
        return Page(path, kind, add_linked_sheets(markup, path, root) if sheets else markup, has_html=True)
    if kind == formats.NOTEBOOK:
        from content_adapter.reading.notebook import convert_notebook

        markup, attachments = convert_notebook(raw, path)
        return Page(path, kind, markup, attachments=attachments, has_html=b"<" in raw or b"\\u" in raw)
    if kind == formats.ASCIIDOC:
        from content_adapter.reading.asciidoc import convert_asciidoc

        return Page(path, kind, convert_asciidoc(root, path), has_html=b"<" in raw)
    text = decode(raw)
    if kind == formats.MARKDOWN:
        from content_adapter.reading.markdown import convert_markdown

        rendered = is_all_markdown(text)
        markup = convert_markdown(text)
        if sheets and not rendered:
            markup = add_linked_sheets(markup, path, root)
        return Page(path, kind, markup, may_lack_spaces(text), rendered, has_html=not rendered)
    if kind == formats.RST:
        from content_adapter.reading.rst import convert_rst

        return Page(path, kind, convert_rst(text))
    return Page(path, kind, text)
