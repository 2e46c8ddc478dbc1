"""Whether text is painted: compare two pictures of a window, one with all text and one without any.

What is left is the ink of the text as it reaches the reader, whatever stands in its way: a colour like that of the
background, another element, a mask, a filter, a font without glyphs.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from enum import IntEnum

from PIL import Image, ImageChops

FAINTEST, FAINT = 20, 40
"""Levels of 255 by which the strongest pixel of a word differs from its background. Below the first nobody sees it,
below the second not everybody. Black on white is 255, #ccc on white 51, #eee on white 17."""

_MOST_BLURRED, _BLURRED = 0.2, 0.3
"""Steepest step between two neighbouring pixels, as a share of the strongest one."""

_LEAST_WIDTH, _LEAST_HEIGHT = 0.5, 0.2
"""Shares of a word's box that its ink must span. One or two letters may be narrow."""

_LEAST_WIDTH_OF_TWO = 0.15

Box = tuple[float, float, float, float]
"""Left, top, width, height in pixels of the window."""


class Ink(IntEnum):
    """What is seen of a piece."""

    PLAIN = 0
    FAINT = 1
    BLURRED = 2
    """Faint or blurred, but perhaps legible."""
    NONE = 3
    CUT = 4
    SMEARED = 5


class Pictures:
    """Two pictures of one window, as PNG: ``inked`` with the text and ``bare`` without it."""

    def __init__(self, inked: bytes, bare: bytes) -> None:
        one, other = (Image.open(io.BytesIO(raw), formats=("PNG",)).convert("RGB") for raw in (inked, bare))
        found = ImageChops.difference(one, other)
        # Most of a window is the same in both. With a margin, for the steps at the edge.
        left, top, right, bottom = found.getbbox() or (0, 0, 0, 0)
        self._size, self._corner = found.size, (left - 1, top - 1)
        red, green, blue = found.crop((left - 1, top - 1, right + 1, bottom + 1)).split()
        self._ink = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        neighbours = (ImageChops.offset(self._ink, 1, 0), ImageChops.offset(self._ink, 0, 1))
        self._steps = ImageChops.lighter(*(ImageChops.difference(self._ink, moved) for moved in neighbours))

    def differ(self, boxes: Sequence[Box]) -> bool:
        """Whether any pixel in the boxes differs."""
        return any(_peak(self._ink.crop(place)) for place in map(self._place, boxes) if place)

    def judge(self, boxes: Sequence[Box], length: int, *, is_image: bool) -> Ink:
        """Judge one piece of ``length`` characters, which has one box for each line that it is on."""
        if is_image:
            # What stands right next to it isn't part of it.
            boxes = [(left + 1, top + 1, max(1, width - 3), max(1, height - 3)) for left, top, width, height in boxes]
        crops = [(self._ink.crop(place), self._steps.crop(place)) for place in map(self._place, boxes) if place]
        peak = max((_peak(ink) for ink, _ in crops), default=0)
        if peak < FAINTEST:
            return Ink.NONE
        if is_image:
            return Ink.PLAIN
        spans = [_span(ink, peak) for ink, _ in crops]
        width = sum(span[0] for span in spans) / max(1, sum(ink.width for ink, _ in crops))
        height = max(span[1] / ink.height for span, (ink, _) in zip(spans, crops, strict=True))
        if width < (_LEAST_WIDTH if length > 2 else _LEAST_WIDTH_OF_TWO) or height < _LEAST_HEIGHT:
            return Ink.CUT
        steep = max(_peak(steps) for _, steps in crops) / peak
        if steep < _MOST_BLURRED:
            return Ink.SMEARED
        return Ink.BLURRED if steep < _BLURRED else Ink.FAINT if peak < FAINT else Ink.PLAIN

    def _place(self, box: Box) -> tuple[int, int, int, int] | None:
        """The part of a box that is in the window, in pixels of ``_ink``. What is beyond that is black."""
        left, top = max(0, int(box[0])), max(0, int(box[1]))
        right = min(self._size[0], int(box[0] + box[2] + 1))
        bottom = min(self._size[1], int(box[1] + box[3] + 1))
        across, down = self._corner
        return (left - across, top - down, right - across, bottom - down) if left < right and top < bottom else None


def _peak(picture: Image.Image) -> int:
    found = picture.getextrema()[1]
    return found if isinstance(found, int) else 0


def _span(ink: Image.Image, peak: int) -> tuple[int, int]:
    """Width and height of what is inked at least a third as strongly as the strongest pixel."""
    least = max(8, peak // 3)
    found = ink.point([255 * (level >= least) for level in range(256)]).getbbox()
    return (found[2] - found[0], found[3] - found[1]) if found else (0, 0)
