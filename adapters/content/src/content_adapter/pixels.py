"""Read the size of an image in pixels from its bytes."""

from __future__ import annotations

import io
import re
import warnings
from xml.etree.ElementTree import ParseError

MOST_IMAGE_BYTES = 64 << 20
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "ICO", "AVIF", "JPEG2000")
"""Formats with the size in the header, whose readers start no other program."""

_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(px)?\s*\Z")

Size = tuple[float, float]


def read_pixel_size(raw: bytes) -> Size | None:
    """Return (width, height) in pixels, before EXIF rotation; None if ``raw`` isn't an image.

    The size of an SVG is its ``width`` and ``height`` in pixels, else that of its ``viewBox`` (SVG 2, 8.2). One that
    draws nothing isn't an image.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            # Images are opened but never decoded, so a huge size is harmless.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(raw), formats=_FORMATS) as image:
                return image.width, image.height
    except (OSError, ValueError, SyntaxError, EOFError, OverflowError, Image.DecompressionBombError):
        return _read_svg_size(raw)


def _read_svg_size(raw: bytes) -> Size | None:
    if b"<svg" not in raw[: 64 << 10]:
        return None
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import parse

    from content_adapter.svg_drawing import draws_something

    try:
        root = parse(io.BytesIO(raw)).getroot()
    except (ParseError, DefusedXmlException, ValueError, RecursionError):
        return None
    if root is None or root.tag.rpartition("}")[2] != "svg" or not draws_something(root):
        return None
    width, height = _LENGTH.match(root.get("width", "")), _LENGTH.match(root.get("height", ""))
    if width and height:
        return float(width[1]), float(height[1])
    box = [_LENGTH.match(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip())]
    if len(box) == 4 and box[2] and box[3]:
        return float(box[2][1]), float(box[3][1])
    return None
