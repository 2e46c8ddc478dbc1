"""Read from an HTML page what shows whether it is the page that a link promises: headings, refresh, login, content."""

from __future__ import annotations

from msgspec import Struct

from links_adapter.lenient_html import LenientParser

_HIDDEN = frozenset({"head", "script", "style", "template", "noscript"})
_VOID = frozenset({"meta", "link", "base", "br", "hr", "wbr", "col", "area", "param", "source", "track"})
_CONTENT = frozenset(
    {"img", "svg", "video", "audio", "canvas", "iframe", "frame", "frameset", "object", "embed", "input", "button"}
)
"""Elements that show something without any text."""


class PageFacts(Struct, frozen=True):
    """``headlines`` are the first title and the first h1, without empty ones.

    ``refresh`` is the target of a meta refresh as written. ``blank`` is a page without text, pictures, forms and
    scripts; a page that a script fills isn't blank. ``password`` is whether it asks for one.
    """

    headlines: tuple[str, ...]
    refresh: str | None
    blank: bool
    password: bool


def read_page(text: str) -> PageFacts:
    """Read the facts of a page; the page may be cut off."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    found = (" ".join(parser.found[name].split()) for name in ("title", "h1"))
    return PageFacts(tuple(filter(None, found)), parser.refresh, not parser.shows, parser.password)


class _Parser(LenientParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = {"title": "", "h1": ""}
        self.refresh: str | None = None
        self.shows = self.password = False
        self._headline: str | None = None
        self._done: set[str] = set()
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag == "body":
            # The end tag of head may be missing.
            self._hidden.clear()
        if tag in self.found and tag not in self._done:
            self._headline = tag
        if (
            tag == "meta"
            and given.get("http-equiv", "").strip().lower() == "refresh"
            and "noscript" not in self._hidden
        ):
            self.refresh = self.refresh or _refresh_target(given.get("content", ""))
        # A script shows something only if it is loaded or has code.
        self.shows |= tag in _CONTENT and given.get("type", "").lower() != "hidden"
        self.shows |= tag == "script" and bool(given.get("src"))
        self.password |= tag == "input" and given.get("type", "").strip().lower() == "password"
        if tag in _HIDDEN - _VOID:
            self._hidden.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._headline:
            self._done.add(tag)
            self._headline = None
        if tag in self._hidden:
            del self._hidden[len(self._hidden) - 1 - self._hidden[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._headline is not None:
            self.found[self._headline] += data
        script = bool(self._hidden) and self._hidden[-1] == "script"
        self.shows |= bool(data.strip()) and self._headline != "title" and (script or not self._hidden)


def _refresh_target(content: str) -> str | None:
    """Return the URL of a meta refresh; None if it only loads the page again.

    Source: HTML Living Standard, 4.2.5.3, "Refresh state".
    """
    rest = content.lstrip().lstrip("0123456789.").lstrip()
    if rest[:1] in {";", ","}:
        rest = rest[1:].lstrip()
    if rest[:3].lower() == "url" and rest[3:].lstrip().startswith("="):
        rest = rest[3:].lstrip()[1:].lstrip()
    if rest[:1] in {"'", '"'}:
        rest = rest[1:].partition(rest[0])[0]
    return rest.strip() or None
