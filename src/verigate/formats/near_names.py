"""Names that somebody may have meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 100
_COMPARED = 200
"""So many known names are looked at, and no longer ones: a document of a stranger may have a hundred thousand."""

_LISTED = 12
"""So many known names are listed where none is near; more would bury the message."""


def near(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The known names that ``name`` may be a slip of, the nearest first."""
    import difflib

    names = sorted(item for item in known if len(item) <= _LONGEST)
    if len(name) > _LONGEST:
        return []
    if len(names) > _COMPARED:
        names = [item for item in names if abs(len(item) - len(name)) <= 2][:_COMPARED]
    # difflib wants six letters of ten: one wrong letter in a name of two leaves five, another case may leave none.
    return difflib.get_close_matches(name, names, n=limit) or [item for item in names if _slip(name, item)][:limit]


def nearest(name: str, known: Iterable[str], limit: int = 1) -> str | None:
    """A hint that names up to ``limit`` near names, None where nothing is near."""
    found = near(name, known, limit)
    return f"did you mean {' or '.join(map(repr, found))}?" if found else None


def suggestion(name: str, known: Iterable[str], limit: int = 1) -> str | None:
    """The same, or else what is known if that is a short list."""
    names = sorted(known)
    listed = f"known: {', '.join(names)}" if 0 < len(names) <= _LISTED else None
    return nearest(name, names, limit) or listed


def _slip(one: str, other: str) -> bool:
    """Whether two names of one length, of two letters or more, differ in case and in one letter at most."""
    if len(one) != len(other) or len(one) < 2:
        return False
    return sum(a != b for a, b in zip(one.casefold(), other.casefold(), strict=False)) <= 1
