"""Match files against the domains of a capability, and paths against patterns. Paths are relative, "/"-separated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache

from verigate.tools.model import FileDomain
from verigate.tools.values import get_suffix

_GLOB = re.compile(r"[*?\[]")


def is_pattern(path: str) -> bool:
    """Whether a path is a pattern: it contains ``*``, ``?`` or ``[``."""
    return _GLOB.search(path) is not None


def matches(domain: FileDomain, path: str, mime_type: Callable[[str], str | None]) -> bool:
    """Whether a file belongs to the domain: by its extension or its name, else by the MIME type of its content."""
    if domain.match_any or get_suffix(path) in domain.extensions:
        return True
    if any(fnmatchcase(path.rpartition("/")[2], name) for name in domain.names):
        return True
    return bool(domain.mimetypes) and (mime_type(path) or "").lower() in domain.mimetypes


def select_paths(pattern: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that a pattern matches, sorted: as in a shell, with ``**`` for folders.

    A path that equals the pattern is returned alone. A name with a leading dot matches only a pattern with that dot.
    """
    listed = list(paths)
    if pattern in listed:
        return (pattern,)
    parts = tuple(part for part in pattern.split("/") if part not in {"", "."})
    return tuple(sorted(path for path in listed if _fits(parts, tuple(path.split("/")))))


def _fits(pattern: Sequence[str], path: Sequence[str]) -> bool:
    @cache
    def fits(at: int, place: int) -> bool:
        if at == len(pattern):
            return place == len(path)
        if pattern[at] == "**":
            if fits(at + 1, place):
                return True
            return place < len(path) and not path[place].startswith(".") and fits(at, place + 1)
        if place == len(path) or (path[place].startswith(".") and not pattern[at].startswith(".")):
            return False
        return fnmatchcase(path[place], pattern[at]) and fits(at + 1, place + 1)

    return fits(0, 0)
