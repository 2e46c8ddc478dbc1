"""Which paths a commitment's scope names, read alike by the gate and by the adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable

_GLOB = frozenset("*?[")
MOST_IN_PATTERNS = 10_000
"""Characters of all patterns of a scope together: more would take seconds to compile, or couldn't be."""


def is_too_long(files: Iterable[str]) -> bool:
    """Whether the patterns among these names are more than is read."""
    return sum(len(name) for name in files if _GLOB & set(name)) > MOST_IN_PATTERNS


def named_by(files: Iterable[str], directory: str | None) -> Callable[[str], bool]:
    """A test whether a path is one of ``files`` or below ``directory``, both relative to the repository.

    A name without ``*``, ``?`` and ``[`` is a file or a folder; any other is a pattern as in .gitignore, from the
    repository's root; more of them than ``too_long`` allows name nothing. A directory of "." narrows nothing, and names
    nothing.
    """
    folders, exact, globs = [], set(), []
    folder = (directory or "").strip("/").removeprefix("./")
    if folder not in {"", "."}:
        folders.append(f"{folder}/")
    for raw in files:
        name = raw.removeprefix("./")
        if _GLOB & set(name):
            globs.append(f"/{name.removeprefix('/')}")
        else:
            exact.add(name)
            folders.append(f"{name.rstrip('/')}/")
    below = tuple(folders)
    if not globs or is_too_long(globs):
        return lambda path: path in exact or path.startswith(below)
    from pathspec import PathSpec

    matching = PathSpec.from_lines("gitignore", globs)
    return lambda path: path in exact or path.startswith(below) or matching.match_file(_to_unicode(path))


def _to_unicode(path: str) -> str:
    """A path without surrogates: RE2, by which pathspec matches where it is installed, takes nothing but Unicode."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
