"""Match relative paths with the patterns of a manifest's ``inputs``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

ANY_CASE = ":(icase)"
"""Begins a pattern that ignores case, as in a pathspec of git (gitglossary(7))."""

_SPECIAL = re.compile(r"[*?/]")
_SPANS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def match_paths(patterns: Iterable[str]) -> Callable[[bytes], bool]:
    """Return what says whether a relative path, as bytes, matches one of the patterns.

    ``*`` and ``?`` stay within one folder, and ``**`` spans any number. Case counts, except after ``ANY_CASE``.
    """
    # Most patterns are suffixes, and to compile a regular expression takes longer than to match some hundred paths.
    exact: list[bytes] = []
    any_case: list[bytes] = []
    others: list[str] = []
    for pattern in patterns:
        inner = pattern.removeprefix(ANY_CASE)
        end = inner.removeprefix("**/*") if inner.startswith("**/*") else None
        if end is None or _SPECIAL.search(end) or not end.isascii():
            others.append(pattern)
        else:
            (exact if inner == pattern else any_case).append(end.encode())
    ends, lower_ends = tuple(exact), tuple(end.lower() for end in any_case)
    match = re.compile(b"|".join(map(_compile, others)), re.DOTALL) if others else None

    def matches(path: bytes) -> bool:
        if path.endswith(ends) or (lower_ends and path.lower().endswith(lower_ends)):
            return True
        return match is not None and match.fullmatch(path) is not None

    return matches


def _compile(pattern: str) -> bytes:
    inner = pattern.removeprefix(ANY_CASE)
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", inner)
    text = "".join(_SPANS.get(part, re.escape(part)) for part in parts)
    return f"(?{'i' if inner != pattern else ''}:{text})".encode("utf-8", "surrogateescape")
