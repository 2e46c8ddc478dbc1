"""Suggest known names that are similar to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 100
_COMPARED = 200
"""Limit of the known names that are compared: a stranger's document may have a hundred thousand."""

_LISTED = 12
"""Limit of the known names that are listed where none is similar; more would bury the message."""


def find_near(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Return the known names that ``name`` may be a typo of, the most similar first."""
    import difflib

    names = sorted(item for item in known if len(item) <= _LONGEST)
    if len(name) > _LONGEST:
        return []
    if len(names) > _COMPARED:
        names = [item for item in names if abs(len(item) - len(name)) <= 2][:_COMPARED]
    # difflib requires six of ten letters: one typo in a name of two letters leaves five, another case may leave none.
    return difflib.get_close_matches(name, names, n=limit) or [item for item in names if _is_slip(name, item)][:limit]


def suggest_nearest(name: str, known: Iterable[str], limit: int = 1) -> str | None:
    """Return the hint "did you mean ...?" with up to ``limit`` similar names, None if no name is similar."""
    found = find_near(name, known, limit)
    return f"did you mean {' or '.join(map(repr, found))}?" if found else None


def suggest_name(name: str, known: Iterable[str], limit: int = 1) -> str | None:
    """Return the hint of ``suggest_nearest``, else the list of all known names if it is short."""
    names = sorted(known)
    listed = f"known: {', '.join(names)}" if 0 < len(names) <= _LISTED else None
    return suggest_nearest(name, names, limit) or listed


def suggest_longer(name: str, known: Iterable[str]) -> str | None:
    """Return the hint "did you mean ...?" with all known names that have ``name`` between their ``_``, else None."""
    found = sorted(item for item in known if name.casefold() in item.casefold().split("_"))
    return f"did you mean {' or '.join(map(repr, found))}?" if 0 < len(found) <= _LISTED else None


def _is_slip(one: str, other: str) -> bool:
    """Whether two names of equal length, at least two letters, differ in at most one letter, case ignored."""
    if len(one) != len(other) or len(one) < 2:
        return False
    return sum(a != b for a, b in zip(one.casefold(), other.casefold(), strict=False)) <= 1
