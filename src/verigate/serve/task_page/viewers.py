"""Choose how a published file is shown: by its media spec, its name, and for pictures by its first bytes."""

from __future__ import annotations

from enum import StrEnum

COVERAGE = "verigate:coverage.v1"
TESTS = "verigate:tests.v1"
PATCH = "verigate:diffs-patch.v1"


class Viewer(StrEnum):
    """How a file is shown."""

    JSON = "json"
    JUNIT = "junit"
    COVERAGE = "coverage"
    DIFF = "diff"
    PICTURE = "picture"
    TEXT = "text"


_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_PICTURE_NAMES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def choose_viewer(path: str, media_spec: str | None) -> Viewer:
    """Choose by media spec and name alone. What it then doesn't turn out to be is shown as text."""
    name = path.lower()
    if media_spec == COVERAGE:
        return Viewer.COVERAGE
    if media_spec == PATCH or name.endswith((".patch", ".diff")):
        return Viewer.DIFF
    if name.endswith(".json"):
        return Viewer.JSON
    if name.endswith(".xml"):
        return Viewer.JUNIT
    return Viewer.PICTURE if name.endswith(_PICTURE_NAMES) else Viewer.TEXT


def find_picture_type(content: bytes) -> str | None:
    """Return the media type of a raster picture, by its first bytes; None for anything else, SVG among it."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _PICTURES if content.startswith(start)), None)
