"""Recognise what a bundler made of packages: one file, in a folder of what is built, with the comments of them all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile, Side

_PLACE = re.compile(r"(?:^|/)(?:dist|build|vendor)/")
_BUNDLE = re.compile(rb"\bwebpackBootstrap\b|\b__(?:nccwpck|webpack)_require__\b")
_HEADER_BYTES = 500


def is_bundle(side: Side | None) -> bool:
    """Whether a side is a bundle of webpack or ncc, by its folder and its first lines."""
    if side is None or _PLACE.search(side.path) is None:
        return False
    return _BUNDLE.search((side.content or b"")[:_HEADER_BYTES]) is not None


def stays_bundle(file: ChangedFile, before: Side | None, after: Side | None) -> bool:
    """Whether a file is a bundle, and was one in base, or too large to be read there."""
    return is_bundle(after) and (is_bundle(before) or (file.before is not None and before is None))
