"""The windows in which a page is looked at. Sizes are in CSS pixels."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Literal

_SCHEMES = re.compile(r"color-scheme|light-dark\(", re.IGNORECASE)
_PRINT = re.compile(r"\bprint\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Window:
    """``after_ms`` is the time after which animations are stopped; one that ends earlier is at its end.

    Words must be shown in each window that ``decides``. In another one, words count as possibly shown.
    """

    name: str
    width: int
    height: int
    decides: bool
    scheme: Literal["light", "dark"] = "light"
    media: Literal["screen", "print"] = "screen"
    after_ms: float = 1e9


def choose_first(markup: str) -> Window:
    """Choose the window of a desktop in which all is looked at.

    Its width follows from the page, so that no condition in the page can be written for just this one.
    """
    width = 1200 + zlib.crc32(markup.encode("utf-8", "replace")) % 401
    return Window("desktop", width, 900, decides=True, after_ms=5000)


def choose_others(first: Window, css: str) -> list[Window]:
    """List the windows that can differ from the first. ``css`` holds all styles of the page, at least."""
    found = [Window("wide", 1920, 1080, decides=True), Window("phone", 390, 844, decides=False)]
    if _SCHEMES.search(css):
        found.append(Window("dark", first.width, first.height, decides=True, scheme="dark"))
    if _PRINT.search(css):
        found.append(Window("paper", 794, 1123, decides=False, media="print"))
    return found
