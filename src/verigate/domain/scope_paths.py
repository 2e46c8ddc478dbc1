"""Match paths against a commitment's scope, the same way in the gate and in adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable

_GLOB = frozenset("*?[")
MOST_IN_PATTERNS = 10_000
"""Limit of the characters of all patterns of a scope: more would take seconds to compile, or fail."""


def is_too_long(files: Iterable[str]) -> bool:
    """Whether the patterns among these names exceed MOST_IN_PATTERNS."""
    return sum(len(name) for name in files if _GLOB & set(name)) > MOST_IN_PATTERNS


def named_by(files: Iterable[str], directory: str | None) -> Callable[[str], bool]:
    """Build a predicate: whether a path is one of ``files`` or below ``directory``, both relative to the repository.

    A name without ``*``, ``?`` and ``[`` is a file or a folder; any other is a .gitignore pattern from the repository's
    root. If the patterns are too long (``is_too_long``), they match nothing. The directory "." matches nothing either.
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

    patterns = [pattern for pattern in globs if _is_pattern(pattern)]
    matching = PathSpec.from_lines("gitignore", patterns)
    return lambda path: path in exact or path.startswith(below) or matching.match_file(_to_unicode(path))


def _is_pattern(text: str) -> bool:
    """Whether pathspec can read a pattern. What git can't read either, like a lone backslash, names no file."""
    from pathspec import PathSpec

    try:
        PathSpec.from_lines("gitignore", [text])
    except Exception:  # noqa: BLE001 - the regular expressions are those of Python, of RE2 or of Hyperscan, with errors of their own
        return False
    return True


def _to_unicode(path: str) -> str:
    """Replace the surrogates in a path: RE2, which pathspec uses if it is installed, accepts only valid Unicode."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
