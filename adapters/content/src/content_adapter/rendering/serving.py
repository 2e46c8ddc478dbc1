"""Answer the browser's requests from the subject's files alone."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, urlsplit

from content_adapter.pixels import MOST_IMAGE_BYTES
from content_adapter.reading.linked_sheets import is_font_host
from content_adapter.references import list_candidates
from verigate.sdk.subject import UnreadableFileError, read_file

if TYPE_CHECKING:
    from playwright.sync_api import Route

ORIGIN = "http://subject.invalid"
"""A host that exists nowhere (RFC 2606): each request to it is answered here."""

_POLICY = "; ".join(
    f"{kind}-src 'none'" for kind in ("script", "frame", "object", "worker", "connect", "media", "manifest")
)
"""Scripts are refused by the page's policy, not switched off: ``<noscript>`` stays unseen, as for a reader."""

_REFRESH = re.compile(r"http-equiv\s*=\s*[\"']?\s*refresh", re.IGNORECASE)
_LOCAL = re.compile(r"""(?:<link\b[^>]*|@import[^;]*)[\s"'=(]file:""", re.IGNORECASE)
"""A style sheet that only a browser that opens the page from a disk would read; this one doesn't even ask for it."""

_MOVING = re.compile(r"<marquee|animate|<set\b|%3cset\b|svg\+xml;[^,]*base64", re.IGNORECASE)
"""What may still move: images that are rasters and animations of styles are stopped."""

_MOST_REQUESTS = 1000


@dataclass
class Served:
    """A page that is served, and what came of it: ``unread`` means that a style sheet couldn't be read.

    ``styles`` is all text that holds styles or drawings.
    """

    root: Path
    path: str
    markup: str
    roots: Sequence[str]
    unread: bool = False
    requests: int = 0
    styles: str = ""

    def __post_init__(self) -> None:
        """Begin the styles with the page itself, which has some."""
        self.styles = self.markup

    @property
    def may_move(self) -> bool:
        """Whether two pictures of the page may differ though nothing was changed in between."""
        return _MOVING.search(self.styles) is not None

    @property
    def leaves_doubt(self) -> bool:
        """Whether a style sheet wasn't read, or elements may have a tree of their own, which can't be looked into."""
        return self.unread or "shadowrootmode" in self.markup.lower() or _LOCAL.search(self.styles) is not None

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"{ORIGIN}/{quote_from_bytes(self.path.encode('utf-8', 'surrogateescape'))}"

    def answer(self, route: Route) -> None:
        """Answer one request of the browser."""
        request = route.request
        self.requests += 1
        if self.requests == 1:
            route.fulfill(body=_without_refresh(self.markup), headers=_headers("text/html; charset=utf-8"))
        elif request.is_navigation_request():
            route.fulfill(status=204)
        else:
            body = self._read(request.url, is_sheet=request.resource_type == "stylesheet")
            if body is None:
                route.abort()
            else:
                kind = mimetypes.guess_type(urlsplit(request.url).path)[0] or "application/octet-stream"
                route.fulfill(body=body, headers=_headers(kind))

    def _read(self, url: str, *, is_sheet: bool) -> bytes | None:
        """Return the bytes of the file that ``url`` means, None if there is none. A sheet elsewhere is unread."""
        if not url.startswith(f"{ORIGIN}/") or self.requests > _MOST_REQUESTS:
            self.unread |= is_sheet and not is_font_host(url)
            return None
        paths = list_candidates(urlsplit(url).path, self.path, self.roots)
        path = next((path for path in paths if (self.root / path).is_file()), None)
        if path is None:
            return None
        try:
            body = read_file(self.root, path, MOST_IMAGE_BYTES)
        except UnreadableFileError:
            self.unread |= is_sheet
            return None
        if is_sheet or path.lower().endswith(".svg"):
            self.styles += body.decode("utf-8", "replace")
        return body


def _headers(kind: str) -> dict[str, str]:
    return {"content-type": kind, "content-security-policy": _POLICY}


def _without_refresh(markup: str) -> str:
    # A page that leads elsewhere at once would be gone before it is read.
    return _REFRESH.sub("data-refresh", markup)
