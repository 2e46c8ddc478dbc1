"""What is wrong with a built site: links and anchors that lead nowhere, and files that it would load from elsewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

_LOADED = dict.fromkeys(("script", "img", "iframe", "source", "audio", "video", "embed"), "src") | {"object": "data"}
_LINK_KINDS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}
_CSS = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


def find_faults(site: Path) -> list[str]:
    """Return a line for every fault, sorted."""
    pages = {path: LexborHTMLParser(path.read_bytes()) for path in site.rglob("*.html")}
    anchors = {path: _anchors(page) for path, page in pages.items()}
    found: set[str] = set()
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        found.update(f"{name}: {fault}" for fault in _dead_links(site, path, page, anchors))
        found.update(f"{name}: {address} is loaded from elsewhere" for address in _foreign(page))
    for path in site.rglob("*.css"):
        name = path.relative_to(site).as_posix()
        text = path.read_text("utf-8")
        found.update(f"{name}: {address} is loaded from elsewhere" for address in _CSS.findall(text))
    return sorted(found)


def _anchors(page: LexborHTMLParser) -> set[str]:
    return {str(node.attributes["id"]) for node in page.css("[id]")} | {
        str(node.attributes["name"]) for node in page.css("a[name]")
    }


def _dead_links(site: Path, path: Path, page: LexborHTMLParser, anchors: dict[Path, set[str]]) -> Iterator[str]:
    # The page for what isn't found is served at any address: its links begin at the root.
    folder = "/" if path.name == "404.html" else f"/{path.parent.relative_to(site).as_posix()}/"
    for node in page.css("a[href], link[href], script[src], img[src]"):
        link = str(node.attributes.get("href") or node.attributes.get("src"))
        split = urlsplit(link)
        if split.scheme or split.netloc:
            continue
        place = posixpath.normpath(posixpath.join(folder, unquote(split.path))) if split.path else None
        target = path if place is None else site / place.lstrip("/")
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            yield f"{link} leads nowhere"
        elif split.fragment and target in anchors and unquote(split.fragment) not in anchors[target]:
            yield f"{link} leads to no such part of the page"


def _foreign(page: LexborHTMLParser) -> Iterator[str]:
    for node in page.css("*"):
        attribute = _LOADED.get(str(node.tag))
        if attribute is None and node.tag == "link" and _LINK_KINDS & set(str(node.attributes.get("rel")).split()):
            attribute = "href"
        address = str(node.attributes.get(attribute) or "") if attribute else ""
        if urlsplit(address).netloc:
            yield address
    for node in page.css("style, [style]"):
        yield from _CSS.findall(node.text() if node.tag == "style" else str(node.attributes["style"]))
