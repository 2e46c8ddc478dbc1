"""Select the nodes of a page that a style sheet's rules are about, in time of the page's length."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

_NEVER_AT_REST = re.compile(
    r"::|:(?:-|hover|focus|active|target|host|visited|link|checked|disabled|invalid|fullscreen)"
)
"""Selectors of pseudo-elements, and of states that a page isn't in when it is opened."""

_ALONE = re.compile(r"([.#])([A-Za-z][\w-]*)")
_STANDARD = re.compile(r"\s*<!doctype\s+html\s*>", re.IGNORECASE)
"""Begins a page whose classes and ids are case-sensitive (DOM, "no-quirks mode")."""
_SPACE = re.compile(r"[ \t\n\f\r]+")
_MOST_COMPARED = 20_000_000
"""Selectors times nodes: about a second. What is left of a page with more is in doubt."""


class Selecting:
    """Selects nodes of one page. A selector that is a class or an id alone is looked up, any other is compared."""

    def __init__(self, tree: LexborHTMLParser, html: str) -> None:
        self._tree = tree
        self._nodes: dict[str, list[LexborNode]] | None = None
        self._is_standard = _STANDARD.match(html) is not None
        self._size = 0
        self._compared = 0
        self._is_doubted = False

    def select(self, selector: str, *, doubts: bool) -> list[LexborNode]:
        """Return the nodes that a rule hides, in their order.

        With ``doubts`` a selector that only a browser understands, or for which there is no time, makes the whole page
        doubtful; without, it hides nothing.
        """
        alone = _ALONE.fullmatch(selector) if self._is_standard else None
        if alone is not None:
            return self._index().get(alone[0], [])
        self._size = self._size or len(self._tree.css("*"))
        self._compared += self._size
        try:
            if self._compared <= _MOST_COMPARED:
                return self._tree.css(selector)
        except (SelectolaxError, ValueError):
            if _NEVER_AT_REST.search(selector):
                return []
        if not doubts or self._is_doubted:
            return []
        self._is_doubted = True
        return self._tree.css("body *")

    def _index(self) -> dict[str, list[LexborNode]]:
        if self._nodes is None:
            self._nodes = {}
            for node in self._tree.css("[class], [id]"):
                words = dict.fromkeys(f".{word}" for word in _SPACE.split(node.attributes.get("class") or ""))
                for word in (*words, f"#{node.attributes.get('id')}"):
                    self._nodes.setdefault(word, []).append(node)
        return self._nodes
