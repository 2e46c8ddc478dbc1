"""Quotes of a page and whom they are attributed to.

A quote is an outermost block quote, or a ``<q>`` that names what it cites. Its source is told in one of the forms that
the formats know: ``cite`` attribute, ``<cite>``, ``<footer>`` or attribution inside it (HTML, docutils), a caption or a
paragraph after it (figures, Asciidoctor), a last line that begins with a dash, or a citation at its end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from content_adapter.reading.formats import RST
from content_adapter.reading.page import Page
from content_adapter.visible import outermost, shown
from content_adapter.words import one_line, words

_DASH = re.compile(r"\s*(?:[\u2014\u2015\u2013]|--+|\u2212|~)\s*(?=\S)")
_KEY = re.compile(r"\[(?:[^\[\]]*;\s*)?-?@[\w:.#$%&+?<>~/-]+[^\[\]]*\]\s*\Z")
"""Pandoc's citation at the end: ``[@knuth1984, p. 33]``."""

_PARENTHESES = re.compile(r"\(([^()]*\b[0-9]{4}\b[^()]*)\)[.\s]*\Z")
"""An author and a year, or a date, in parentheses at the end."""

_MOST_ATTRIBUTION = 300
"""Characters: a longer paragraph after a quote isn't its attribution."""


@dataclass(frozen=True, slots=True)
class Quote:
    """``source`` is the attribution in words, ``reference`` the URL or path that it names; None where there is none."""

    text: str
    source: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class _Attribution:
    source: str
    reference: str | None = None


def quotes(page: Page) -> list[Quote]:
    """The page's quotes in their order, inline ones last."""
    tree = shown(page.markup, furniture=True)
    blocks = [node for node in outermost(tree.css("blockquote"), "blockquote") if _is_quote(node, page)]
    # Notes and citations have ids; without quotes nobody asks for them.
    noted_by_id = {node.attributes.get("id") or "": node for node in tree.css("[id]")} if blocks else {}
    found = [_block(node, noted_by_id) for node in blocks]
    for node in tree.css("q[cite]"):
        cite = (node.attributes.get("cite") or "").strip()
        found.append(Quote(_text(node), cite or None, cite or None))
    return [quote for quote in found if words(quote.text)]


def _is_quote(node: LexborNode, page: Page) -> bool:
    # In reStructuredText whatever is indented is a block quote: one that holds no paragraph is a list or code.
    return page.format != RST or any(child.tag == "p" for child in node.iter())


def _block(node: LexborNode, noted_by_id: Mapping[str, LexborNode]) -> Quote:
    cite = (node.attributes.get("cite") or "").strip() or None
    attribution = _inside(node) or _beside(node) or _citation(node, noted_by_id)
    text = _text(node)
    if attribution is None:
        attribution, text = _at_the_end(text)
    if attribution is None:
        return Quote(text, cite, cite)
    return Quote(text, attribution.source or cite, attribution.reference or cite)


def _inside(node: LexborNode) -> _Attribution | None:
    for selector in ("p.attribution", "footer", "cite"):
        marked = node.css(selector)
        # A title in the middle of a quote is a <cite> too.
        if marked and _text(node).rstrip(" .").endswith(_text(marked[-1]).rstrip(" .")):
            told = _attribution(marked[-1])
            marked[-1].replace_with("")
            return told
    return _last_line(node)


def _last_line(node: LexborNode) -> _Attribution | None:
    """The last line of the last paragraph, where it begins with a dash and isn't all there is."""
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
    told = _attribution_text(lines[-1])
    named = [link for link in links if one_line(link.text(deep=True)) in told]
    reference = (named[-1].attributes.get("href") or None) if named else None
    last.replace_with("\n".join(lines[:-1]))
    return _Attribution(told, reference) if told else None


def _beside(node: LexborNode) -> _Attribution | None:
    parent = node.parent
    if parent is not None and parent.tag == "figure" and (caption := parent.css_first("figcaption")) is not None:
        return _attribution(caption)
    after = _next_element(node)
    if after is None:
        return None
    marked = "attribution" in (after.attributes.get("class") or "").split()
    told = after.text(deep=True, separator="")
    if not marked and (after.tag != "p" or not _DASH.match(told) or len(told) > _MOST_ATTRIBUTION):
        return None
    return _attribution(after)


def _citation(node: LexborNode, noted_by_id: Mapping[str, LexborNode]) -> _Attribution | None:
    """A footnote or a citation of reStructuredText that ends the quote: its text, else its label."""
    marks = node.css("sup.footnote-ref a, a[role=doc-noteref], a.citation-reference")
    if not marks:
        return None
    mark = marks[-1]
    label = one_line(mark.text(deep=True))
    if not _text(node).rstrip(" .").endswith(label):
        return None
    target = (mark.attributes.get("href") or "").removeprefix("#")
    mark.replace_with("")
    if (noted := noted_by_id.get(target)) is not None:
        for furniture in noted.css("a.footnote-backref, span.label"):
            furniture.replace_with("")
        if told := _attribution(noted):
            return told
    return _Attribution(label) if label else None


def _at_the_end(text: str) -> tuple[_Attribution | None, str]:
    for form in (_KEY, _PARENTHESES):
        if (found := form.search(text)) and words(text[: found.start()]):
            told = found[1] if form is _PARENTHESES else found[0].strip("[] ")
            return _Attribution(one_line(told)), text[: found.start()].strip()
    return None, text


def _attribution(node: LexborNode) -> _Attribution | None:
    link = node.css_first("a[href]")
    for line_break in node.css("br"):
        line_break.replace_with(" ")
    told = _attribution_text(node.text(deep=True, separator=""))
    return _Attribution(told, (link.attributes.get("href") or None) if link is not None else None) if told else None


def _attribution_text(text: str) -> str:
    told = one_line(_DASH.sub("", text, count=1))
    return told if words(told) else ""


def _next_element(node: LexborNode) -> LexborNode | None:
    after = node.next
    while after is not None and not after.is_element_node:
        if after.is_text_node and (after.text(deep=True) or "").strip():
            return None
        after = after.next
    return after


def _text(node: LexborNode) -> str:
    return one_line(node.text(deep=True, separator=" "))
