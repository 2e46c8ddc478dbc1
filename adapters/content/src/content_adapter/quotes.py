"""Extract the quotes of a page with their attribution.

A quote is an outermost block quote, or a ``<q>`` with a ``cite`` attribute. Its source is given in one of these forms:
``cite`` attribute, ``<cite>``, ``<footer>`` or attribution inside it (HTML, docutils), a caption or a
paragraph after it (figures, Asciidoctor), a last line that begins with a dash, or a citation at its end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from content_adapter.reading.formats import RST
from content_adapter.reading.page import Page
from content_adapter.visible_text import filter_outermost, parse_visible
from content_adapter.word_count import collapse_spaces, count_words

_DASH = re.compile(r"\s*(?:[\u2014\u2015\u2013]|--+|\u2212|~)\s*(?=\S)")
_KEY = re.compile(r"\[(?:[^\[\]]*;\s*)?-?@[\w:.#$%&+?<>~/-]+[^\[\]]*\]\s*\Z")
"""Pandoc's citation at the end of a quote: ``[@knuth1984, p. 33]``."""

_PARENTHESES = re.compile(r"\(([^()]*\b[0-9]{4}\b[^()]*)\)[.\s]*\Z")
"""An author and a year, or a date, in parentheses at the end."""

_MOST_ATTRIBUTION = 300
"""Maximum length, in characters, of a paragraph that counts as the attribution of the quote before it."""


@dataclass(frozen=True, slots=True)
class Quote:
    """``source`` is the attribution's text, ``reference`` its URL or path; None if missing."""

    text: str
    source: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class _Attribution:
    source: str
    reference: str | None = None


def list_quotes(page: Page) -> list[Quote]:
    """List the page's quotes in order, inline ones last."""
    tree = parse_visible(page.markup, furniture=True)
    blocks = [node for node in filter_outermost(tree.css("blockquote"), "blockquote") if _is_quote(node, page)]
    # Collect notes and citations, which have ids, only if there are quotes.
    noted_by_id = {node.attributes.get("id") or "": node for node in tree.css("[id]")} if blocks else {}
    found = [_read_block(node, noted_by_id) for node in blocks]
    for node in tree.css("q[cite]"):
        cite = (node.attributes.get("cite") or "").strip()
        found.append(Quote(_text(node), cite or None, cite or None))
    return [quote for quote in found if count_words(quote.text)]


def _is_quote(node: LexborNode, page: Page) -> bool:
    # In reStructuredText all indented text is a block quote; without a paragraph it is a list or code.
    return page.format != RST or any(child.tag == "p" for child in node.iter())


def _read_block(node: LexborNode, noted_by_id: Mapping[str, LexborNode]) -> Quote:
    cite = (node.attributes.get("cite") or "").strip() or None
    attribution = _find_inside(node) or _find_after(node) or _find_citation(node, noted_by_id)
    text = _text(node)
    if attribution is None:
        attribution, text = _split_end(text)
    if attribution is None:
        return Quote(text, cite, cite)
    return Quote(text, attribution.source or cite, attribution.reference or cite)


def _find_inside(node: LexborNode) -> _Attribution | None:
    for selector in ("p.attribution", "footer", "cite"):
        marked = node.css(selector)
        # A title inside the quoted text is a <cite> too.
        if marked and _text(node).rstrip(" .").endswith(_text(marked[-1]).rstrip(" .")):
            source = _attribution(marked[-1])
            marked[-1].replace_with("")
            return source
    return _find_last_line(node)


def _find_last_line(node: LexborNode) -> _Attribution | None:
    """Take the last line of the last paragraph if it begins with a dash and isn't the whole quote."""
    paragraphs = [child for child in node.iter() if child.tag == "p"]
    if not paragraphs:
        return None
    last = paragraphs[-1]
    for line_break in last.css("br"):
        line_break.replace_with("\n")
    lines = last.text(deep=True, separator="").strip().split("\n")
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    if not _DASH.match(lines[-1]) or (len(lines) == 1 and len(paragraphs) == 1):
        return None
    links = last.css("a[href]")
    source = _attribution_text(lines[-1])
    named = [link for link in links if collapse_spaces(link.text(deep=True)) in source]
    reference = (named[-1].attributes.get("href") or None) if named else None
    last.replace_with("\n".join(lines[:-1]))
    return _Attribution(source, reference) if source else None


def _find_after(node: LexborNode) -> _Attribution | None:
    parent = node.parent
    if parent is not None and parent.tag == "figure" and (caption := parent.css_first("figcaption")) is not None:
        return _attribution(caption)
    after = _next_element(node)
    if after is None:
        return None
    marked = "attribution" in (after.attributes.get("class") or "").split()
    source = after.text(deep=True, separator="")
    if not marked and (after.tag != "p" or not _DASH.match(source) or len(source) > _MOST_ATTRIBUTION):
        return None
    return _attribution(after)


def _find_citation(node: LexborNode, noted_by_id: Mapping[str, LexborNode]) -> _Attribution | None:
    """Take the text, else the label, of a footnote or reStructuredText citation that ends the quote."""
    marks = node.css("sup.footnote-ref a, a[role=doc-noteref], a.citation-reference")
    if not marks:
        return None
    mark = marks[-1]
    label = collapse_spaces(mark.text(deep=True))
    if not _text(node).rstrip(" .").endswith(label):
        return None
    target = (mark.attributes.get("href") or "").removeprefix("#")
    mark.replace_with("")
    if (noted := noted_by_id.get(target)) is not None:
        for furniture in noted.css("a.footnote-backref, span.label"):
            furniture.replace_with("")
        if source := _attribution(noted):
            return source
    return _Attribution(label) if label else None


def _split_end(text: str) -> tuple[_Attribution | None, str]:
    for form in (_KEY, _PARENTHESES):
        if (found := form.search(text)) and count_words(text[: found.start()]):
            source = found[1] if form is _PARENTHESES else found[0].strip("[] ")
            return _Attribution(collapse_spaces(source)), text[: found.start()].strip()
    return None, text


def _attribution(node: LexborNode) -> _Attribution | None:
    link = node.css_first("a[href]")
    for line_break in node.css("br"):
        line_break.replace_with(" ")
    source = _attribution_text(node.text(deep=True, separator=""))
    return _Attribution(source, (link.attributes.get("href") or None) if link is not None else None) if source else None


def _attribution_text(text: str) -> str:
    source = collapse_spaces(_DASH.sub("", text, count=1))
    return source if count_words(source) else ""


def _next_element(node: LexborNode) -> LexborNode | None:
    after = node.next
    while after is not None and not after.is_element_node:
        if after.is_text_node and (after.text(deep=True) or "").strip():
            return None
        after = after.next
    return after


def _text(node: LexborNode) -> str:
    return collapse_spaces(node.text(deep=True, separator=" "))
