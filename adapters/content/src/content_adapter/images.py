"""Images of a page: what is shown, its alternative text, and the size that its file really has."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from content_adapter.pixels import MOST_IMAGE_BYTES, pixel_size
from content_adapter.places import is_elsewhere, resolve
from content_adapter.reading.page import Page
from content_adapter.visible import shown
from content_adapter.words import one_line
from verigate.sdk import clean_text, path_text
from verigate.sdk.subject import UnreadableFileError, read_file

WITHOUT_ALT = "verigate-without-alt"
_MOST_SRC = 2000


def images(page: Page, root: Path, known: frozenset[str], roots: Sequence[str]) -> list[dict[str, Any]]:
    """The page's images in their order: ``src``, ``alt`` (None where there is none), ``width``, ``height``, ``state``.

    ``state`` is ``found`` (read, and it is an image), ``missing`` (no such file in the subject), ``unreadable`` (no
    image that can be read) or ``remote`` (at a URL, and not fetched). ``file`` is the file's path, None where there is
    none. The size is None unless the state is ``found``.
    """
    found = []
    for node in shown(page.markup).css("img"):
        attributes = node.attributes
        src = (attributes.get("src") or "").strip()
        alt = (attributes["alt"] or "") if "alt" in attributes else None
        if WITHOUT_ALT in (attributes.get("class") or "").split():
            alt = None
        file, raw, state = _content(src, page, root, known, roots)
        size = pixel_size(raw) if raw is not None else None
        if raw is not None:
            state = "found" if size else "unreadable"
        width, height = size or (None, None)
        found.append(
            {
                "src": clean_text(src, _MOST_SRC),
                "alt": None if alt is None else clean_text(one_line(alt), _MOST_SRC),
                "width": width,
                "height": height,
                "state": state,
                "file": path_text(file) if file is not None else None,
            }
        )
    return found


def _content(
    src: str, page: Page, root: Path, known: frozenset[str], roots: Sequence[str]
) -> tuple[str | None, bytes | None, str]:
    """(path, bytes, state where there are none)."""
    if src in page.attachments:
        return None, page.attachments[src], ""
    if src[:5].lower() == "data:":
        raw = _data(src)
        return None, raw, "unreadable"
    if is_elsewhere(src):
        return None, None, "missing" if src.startswith("attachment:") else "remote"
    path = resolve(src, page.path, known, roots)
    if path is None:
        return None, None, "missing"
    try:
        return path, read_file(root, path, MOST_IMAGE_BYTES), ""
    except UnreadableFileError:
        return path, None, "unreadable"


def _data(url: str) -> bytes | None:
    # RFC 2397
    head, comma, body = url.partition(",")
    if not comma:
        return None
    raw = unquote_to_bytes(body)
    if not head.lower().endswith(";base64"):
        return raw
    try:
        return base64.b64decode(raw)
    except (binascii.Error, ValueError):
        return None
