"""Look up paths as people and configurations name them: as ``decode_path`` makes them of bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from verigate.subject.git import decode_path


class KnownPaths:
    """The paths of several listings, each sorted by its bytes."""

    def __init__(self, *listings: Sequence[bytes]) -> None:
        self._listings = listings

    def has(self, path: str) -> bool:
        """Whether one of the paths is decoded to ``path``."""
        wanted = _encode(path)
        return wanted is not None and any(_find(names, wanted) == wanted for names in self._decoded)

    def has_below(self, folder: str) -> bool:
        """Whether one of the paths is decoded to one in ``folder``."""
        start = _encode(f"{folder}/")
        return start is not None and any(_find(names, start).startswith(start) for names in self._decoded)

    @cached_property
    def _decoded(self) -> tuple[Sequence[bytes], ...]:
        """The listings, where paths that aren't UTF-8 are as they are decoded, with a backslash for a byte."""
        return tuple(
            names if _is_text(b"\0".join(names)) else sorted(decode_path(name).encode("utf-8") for name in names)
            for names in self._listings
        )


def _find(names: Sequence[bytes], wanted: bytes) -> bytes:
    """Return the first of the sorted ``names`` that doesn't stand before ``wanted``; empty without one."""
    place = bisect_left(names, wanted)
    return names[place] if place < len(names) else b""


def _encode(path: str) -> bytes | None:
    try:
        return path.encode("utf-8")
    except UnicodeEncodeError:
        return None  # no path is decoded to it


def _is_text(path: bytes) -> bool:
    try:
        path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
