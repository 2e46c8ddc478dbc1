"""Build page elements so that no text can become markup.

The page is a tree, written by the standard library's serialiser: it closes every element and escapes every text. No
foreign text goes into an attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from verigate.reporting.escape import escape

Element = ET.Element
Child = ET.Element | str | None

_ELSEWHERE = ("http://", "https://")
_TAG_SIZE = 20
"""Approximate characters of the tags of one element."""


def el(tag: str, *children: Child, **attributes: str | None) -> Element:
    """Create an element. Texts become one line of visible characters; None is omitted, also for attributes.

    ``class_`` stands for ``class``, and ``_`` in a name for ``-``.
    """
    made = ET.Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), value)
    append_children(made, *children)
    return made


def append_children(parent: Element, *children: Child) -> None:
    """Append texts (as visible characters) and elements to an element."""
    for child in children:
        if isinstance(child, str):
            _put_text(parent, escape(child, limit=len(child)))
        elif child is not None:
            parent.append(child)


def code(text: str, *, limit: int = 300) -> Element:
    """Create a ``code`` element: foreign text on one line, cut at ``limit`` characters."""
    return el("code", escape(text, limit=limit) or " ")


def link(target: str | None, *children: Child) -> Element:
    """Create a link to the anchor ``target`` on this page; without a target a plain ``span``."""
    return el("span", *children) if target is None else el("a", *children, href=f"#{target}")


def visible_line(text: str, *, limit: int) -> str:
    """Escape a line of a file, but keep its tabs."""
    shown = "\t".join(escape(part, limit=len(part)) for part in text[:limit].split("\t"))
    left_out = len(text) - limit
    return f"{shown}… (+{left_out} characters)" if left_out > 0 else shown


def line_cell(tag: str, line: str) -> Element:
    """Create an element with one line from ``visible_line``."""
    made = ET.Element(tag)
    made.text = line
    return made


def block(lines: Iterable[str | Element]) -> Element:
    """Create a ``pre`` of lines from ``visible_line``, or of elements with one line each."""
    made = ET.Element("pre")
    # A parser drops the first line end of a pre: it must not be one of the content.
    _put_text(made, "\n")
    for line in lines:
        if isinstance(line, str):
            _put_text(made, f"{line}\n")
        else:
            made.append(line)
            _put_text(made, "\n")
    return made


def paragraph(text: str, *, limit: int, before: str = "") -> tuple[Element, ...]:
    """Create elements for foreign text of several lines: the first line after ``before``, the others in a ``pre``."""
    first, *others = text[:limit].strip().split("\n")
    left_out = len(text) - limit
    if left_out > 0:
        others.append(f"… (+{left_out} characters)")
    head = el("bdi", f"{before}{escape(first.rstrip(), limit=limit)}")
    while others and not others[0].strip():
        others.pop(0)
    return (head, block([visible_line(line.rstrip(), limit=limit) for line in others])) if others else (head,)


def _put_text(parent: Element, text: str) -> None:
    last = parent[-1] if len(parent) else None
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


class SpaceBudget:
    """Limits a section to a number of entries and, approximately, of characters."""

    def __init__(self, entries: int, characters: int) -> None:
        self._entries = entries
        self._characters = characters

    @property
    def left(self) -> bool:
        """Whether another entry fits."""
        return self._entries > 0 and self._characters > 0

    def take(self, entry: Element) -> Element:
        """Count an entry and return it; the last one may exceed the limit."""
        self._entries -= 1
        self._characters -= estimate_size(entry)
        return entry


def estimate_size(element: Element) -> int:
    """Estimate the characters of an element on the page."""
    return sum(
        _TAG_SIZE + sum(_escaped_length(text) for text in (part.text, part.tail) if text) for part in element.iter()
    )


def _escaped_length(text: str) -> int:
    return len(text) + 4 * text.count("&") + 3 * (text.count("<") + text.count(">"))


def unlink(root: Element) -> None:
    """Turn links into plain text if their anchor was omitted from the page."""
    there = {place for part in root.iter() if (place := part.get("id")) is not None}
    for part in root.iter("a"):
        target = part.get("href") or ""
        if not target.startswith(_ELSEWHERE) and target.removeprefix("#") not in there:
            part.tag = "span"
            part.attrib.clear()


def serialise(root: Element) -> Iterator[str]:
    """Serialise the document, in pieces."""
    yield "<!doctype html>\n"
    yield ET.tostring(root, encoding="unicode", method="html")
    yield "\n"
