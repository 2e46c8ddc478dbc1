"""Extract the images of a page: source, alternative text, and the actual size of the image file."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from content_adapter.pixels import MOST_IMAGE_BYTES, read_pixel_size
from content_adapter.reading.page import Page
from content_adapter.references import is_elsewhere, resolve
from content_adapter.visible_text import parse_visible
from content_adapter.word_count import collapse_spaces
from verigate.sdk import clean_text, path_text
from verigate.sdk.subject import UnreadableFileError, read_file

WITHOUT_ALT = "verigate-without-alt"
_MOST_SRC = 2000


def list_images(page: Page, root: Path, known: frozenset[str], roots: Sequence[str]) -> list[dict[str, Any]]:
    """List the page's images in order: ``src``, ``alt`` (None if missing), ``width``, ``height``, ``state``.

    ``state`` is ``found`` (a readable image), ``missing`` (no such file in the subject), ``unreadable`` (not an image
    that can be read) or ``remote`` (at a URL; not fetched). ``file`` is the file's path or None. The size is in pixels,
    None unless the state is ``found``.
    """
    found = []
    for node in parse_visible(page.markup).css("img"):
        attributes = node.attributes
        src = (attributes.get("src") or "").strip()
        alt = (attributes["alt"] or "") if "alt" in attributes else None
        if WITHOUT_ALT in (attributes.get("class") or "").split():
            alt = None
        file, raw, state = _read_image(src, page, root, known, roots)
        size = read_pixel_size(raw) if raw is not None else None
        if raw is not None:
            state = "found" if size else "unreadable"
        width, height = size or (None, None)
        found.append(
            {
                "src": clean_text(src, _MOST_SRC),
                "alt": None if alt is None else clean_text(collapse_spaces(alt), _MOST_SRC),
                "width": width,
                "height": height,
                "state": state,
                "file": path_text(file) if file is not None else None,
            }
        )
    return found


def _read_image(
    src: str, page: Page, root: Path, known: frozenset[str], roots: Sequence[str]
) -> tuple[str | None, bytes | None, str]:
    """Return (path, bytes, state if there are no bytes)."""
    if src in page.attachments:
        return None, page.attachments[src], ""
    if src[:5].lower() == "data:":
        raw = _decode_data_url(src)
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


def _decode_data_url(url: str) -> bytes | None:
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
