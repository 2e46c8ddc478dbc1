"""Which registered route is which documented endpoint.

exact    the same method (or a route for every method) and the same path, parameters made alike
mounted  the documented path ends with the route, and what stands before it is made of path literals of the source: a
         router that another file mounts. Each documented endpoint is taken by one such route at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from api_adapter.source_routes import Found

_PARAMETER = re.compile(r"\{[^}/]*\}|<[^>/]*>|:[A-Za-z_][A-Za-z0-9_]*(?:\([^)]*\))?\??|\[[^\]/]*\]|\(\?P<[^)]*\)")
_IMPLIED = frozenset({"HEAD", "OPTIONS"})
"""What frameworks answer by themselves where there is another method; descriptions leave it out."""


class Compared(Struct, frozen=True):
    """``matched`` pairs a route with the ids of what documents it; ``mounted`` are those that stand below a prefix."""

    matched: tuple[tuple[Found, tuple[str, ...]], ...]
    mounted: tuple[Found, ...]
    unmatched: tuple[Found, ...]


def alike(route: str) -> str:
    """A route with its parameters made alike: ``/users/:id``, ``/users/{id}`` and ``/users/<int:id>`` are one."""
    return _PARAMETER.sub("{}", route).rstrip("/") or "/"


def compare(documented: Sequence[str], found: Iterable[Found], literals: frozenset[str]) -> Compared:
    """``documented`` are ids (``GET /items/{id}``), ``literals`` the path literals of the source."""
    known = [
        (method, alike(path), f"{method} {path}") for method, _, path in (id_.partition(" ") for id_ in documented)
    ]
    matched: list[tuple[Found, tuple[str, ...]]] = []
    open_: list[Found] = []
    taken: set[str] = set()
    for route in found:
        path = alike(route.route)
        ids = tuple(id_ for method, other, id_ in known if other == path and _serves(route.method, method))
        implied = route.method in _IMPLIED and any(other == path for _, other, _ in known)
        if ids or implied:
            matched.append((route, ids))
            # What the service reports is no second registration beside the source's.
            taken.update(ids if route.origin == "source" else ())
        else:
            open_.append(route)
    mounted: list[Found] = []
    unmatched: list[Found] = []
    plain = frozenset(alike(literal).strip("/") for literal in literals)
    # The longest first: a route has more right to a path, the more of it it names.
    for route in sorted(open_, key=lambda route: (-len(route.route), route)):
        ids = _below(route, [entry for entry in known if entry[2] not in taken], plain)
        if ids:
            taken.update(ids)
            matched.append((route, ids))
            mounted.append(route)
        else:
            unmatched.append(route)
    return Compared(tuple(sorted(matched)), tuple(sorted(mounted)), tuple(sorted(unmatched)))


def _serves(route_method: str, method: str) -> bool:
    return route_method in {"ANY", method}


def _below(route: Found, known: Sequence[tuple[str, str, str]], literals: frozenset[str]) -> tuple[str, ...]:
    tail = "" if alike(route.route) == "/" else alike(route.route)
    candidates = [
        (other.removesuffix(tail), id_)
        for method, other, id_ in known
        if other != tail and other.endswith(tail) and _serves(route.method, method)
    ]
    prefixes = sorted({prefix for prefix, _ in candidates if _made_of(prefix.strip("/").split("/"), literals)}, key=len)
    return tuple(id_ for prefix, id_ in candidates if prefix == prefixes[0]) if prefixes else ()


def _made_of(segments: Sequence[str], literals: frozenset[str]) -> bool:
    """Whether the segments are literals, one after the other."""
    reached = {0}
    for end in range(1, len(segments) + 1):
        if any("/".join(segments[start:end]) in literals for start in reached):
            reached.add(end)
    return bool(segments) and segments != [""] and len(segments) in reached
