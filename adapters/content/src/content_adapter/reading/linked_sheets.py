"""Put the style sheets that a page links to into the page, as far as they are files of the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from content_adapter.reading.decoding import decode
from content_adapter.reading.formats import format_of
from content_adapter.references import is_elsewhere, list_candidates
from content_adapter.styles.visibility import UNREAD
from verigate.sdk.subject import UnreadableFileError, read_file

_MOST_BYTES, _MOST_SHEETS = 1 << 20, 50
_ROOTS = ("", "static", "public")
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?\s*([^;]*)""", re.IGNORECASE)
_FONTS = re.compile(r"(?:https?:)?//(?:fonts\.googleapis\.com|fonts\.bunny\.net|use\.typekit\.net)/", re.IGNORECASE)
"""Hosts whose sheets declare fonts and nothing else."""

_DECLARED = re.compile(r"\.css\Z|[{<$][^/]*\Z", re.IGNORECASE)
_UNREAD_STYLE = f"body, body * {{ {UNREAD}: 1 }}"


def add_linked_sheets(markup: str, page: str, root: Path) -> str:
    """Append the linked and imported style sheets to ``markup``.

    One that is elsewhere, has no name of a style sheet or can't be read is replaced by a rule that makes the whole page
    doubtful. A file that the subject doesn't have is left out, as a browser leaves it out.
    """
    if not may_link_sheets(markup):
        return markup
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup)
    based = tree.css_first("base[href]") is not None
    found: list[str] = []
    wanted: list[tuple[str, str, str]] = []
    for node in tree.css("link[href]"):
        kinds = (node.attributes.get("rel") or "").lower().split()
        if "stylesheet" in kinds and "alternate" not in kinds and "disabled" not in node.attributes:
            wanted.append((node.attributes.get("href") or "", page, node.attributes.get("media") or ""))
    for node in tree.css("style"):
        wanted += [(target, page, media) for target, media in _list_imports(node.text(deep=True))]
    while wanted:
        target, source, media = wanted.pop(0)
        if len(found) >= _MOST_SHEETS:
            found.append(_UNREAD_STYLE)
            break
        sheet, place = _read_sheet(target, source, root, based=based)
        if place is not None:
            wanted += [(inner, place, f"{media} {more}".strip()) for inner, more in _list_imports(sheet)]
        if sheet:
            found.append(f"@media {media} {{ {sheet} }}" if media.strip() else sheet)
    # "</" would end the element; in CSS the backslash before the slash means nothing.
    return markup + "".join("<style>" + text.replace("</", "<\\/") + "</style>" for text in found)


def may_link_sheets(markup: str) -> bool:
    """Whether a page may link or import style sheets, so that other files say what it shows."""
    lower = markup.lower()
    return "<link" in lower or "@import" in lower


def is_declared(path: str) -> bool:
    """Whether the manifest declares ``path``, so that it is known whether the subject has such a file.

    These are texts and style sheets, and what looks like a template's expression.
    """
    return format_of(path) is not None or _DECLARED.search(path) is not None


def is_font_host(url: str) -> bool:
    """Whether style sheets at ``url`` declare fonts and nothing else."""
    return _FONTS.match(url.strip()) is not None


def _list_imports(sheet: str) -> Iterator[tuple[str, str]]:
    for target, rest in _IMPORT.findall(sheet):
        yield target, re.sub(r"\b(?:layer|supports)(?:\([^()]*\))?", "", rest).strip()


def _read_sheet(target: str, source: str, root: Path, *, based: bool) -> tuple[str, str | None]:
    """Return (text of a sheet, its path); the path is None for a sheet that isn't read."""
    if is_font_host(target):
        return "", None
    if based or is_elsewhere(target):
        return _UNREAD_STYLE, None
    candidates = list_candidates(target, source, _ROOTS)
    if not all(map(is_declared, candidates)):
        return _UNREAD_STYLE, None
    for path in candidates:
        if not (root / path).is_file():
            continue
        try:
            return decode(read_file(root, path, _MOST_BYTES)), path
        except UnreadableFileError:
            return _UNREAD_STYLE, None
    return "", None
