"""Suggest known words and paths for an unknown one. A suggestion is only shown, never used instead.

Distances by rapidfuzz (Damerau-Levenshtein and weighted ratios), which is loaded only where something isn't known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from verigate.requests.reading import Surroundings
from verigate.tools.matching import is_pattern

_LIKE = 72.0
"""Ratio, 0 to 100, from which one word is taken for a typo of another."""


def find_near_words(word: str, known: Iterable[str], limit: int = 2) -> list[str]:
    """Return the known words that ``word`` may be a typo of, the most similar first; equal ones in order."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import DamerauLevenshtein

    def likeness(one: str, other: str, **_options: object) -> float:
        one, other = one.lower(), other.lower()
        by_letters = float(DamerauLevenshtein.normalized_similarity(one, other) * 100)
        # Of three letters one that is wrong, or two that are swapped, are more than the ratio allows: "scr".
        short = 3 <= len(one) == len(other) and DamerauLevenshtein.distance(one, other) == 1
        return max(by_letters, fuzz.ratio(one, other) - 5, _LIKE if short else 0.0)

    found = process.extract(word, sorted(set(known)), scorer=likeness, limit=limit, score_cutoff=_LIKE)
    return [name for name, _, _ in found]


def list_missing_paths(paths: Sequence[str], around: Surroundings) -> list[str]:
    """List the missing paths, and the patterns whose folder is missing."""
    return [path for path in paths if not around.exists(path if not is_pattern(path) else _fixed_folder(path))]


def _fixed_folder(pattern: str) -> str:
    """Return the folder of a pattern, before its first wildcard."""
    kept = []
    for part in pattern.split("/")[:-1]:
        if is_pattern(part):
            break
        kept.append(part)
    return "/".join(kept) or ("/" if pattern.startswith("/") else ".")


def find_near_path(path: str, around: Surroundings) -> str | None:
    """Find an existing path that ``path`` may be a typo of: each part is looked up in the folder before it."""
    if is_pattern(path):
        path = _fixed_folder(path)
    built = "/" if path.startswith("/") else ""
    for part in [part for part in path.split("/") if part]:
        here = posixpath.join(built, part) if built else part
        if around.exists(here):
            built = here
            continue
        likely = find_near_words(part, around.names(built or "."), 1)
        if not likely:
            return None
        built = posixpath.join(built, likely[0]) if built else likely[0]
    return built or None
