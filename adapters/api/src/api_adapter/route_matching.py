"""Match registered routes with documented endpoints.

exact    same method (or a route for every method) and same path after normalising parameters
mounted  the documented path ends with the route, and its prefix consists of path literals of the source: a router that
         another file mounts. Each documented endpoint is matched by at most one such route.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from api_adapter.source_routes import FoundRoute

_PARAMETER = re.compile(r"\{[^}/]*\}|<[^>/]*>|:[A-Za-z_][A-Za-z0-9_]*(?:\([^)]*\))?\??|\[[^\]/]*\]|\(\?P<[^)]*\)")
_IMPLIED = frozenset({"HEAD", "OPTIONS"})
"""Methods that frameworks add to routes of other methods; descriptions leave them out."""


class RouteMatches(Struct, frozen=True):
    """``matched`` pairs a route with the ids that document it; ``mounted`` are the routes below a prefix."""

    matched: tuple[tuple[FoundRoute, tuple[str, ...]], ...]
    mounted: tuple[FoundRoute, ...]
    unmatched: tuple[FoundRoute, ...]


def normalise_route(route: str) -> str:
    """Normalise the parameters of a route: ``/users/:id``, ``/users/{id}`` and ``/users/<int:id>`` become equal."""
    return _PARAMETER.sub("{}", route).rstrip("/") or "/"


def match_routes(documented: Sequence[str], found: Iterable[FoundRoute], literals: frozenset[str]) -> RouteMatches:
    """Match ``found`` with ``documented`` ids (``GET /items/{id}``); ``literals`` are path literals of the source."""
    known = [
        (method, normalise_route(path), f"{method} {path}")
        for method, _, path in (id_.partition(" ") for id_ in documented)
    ]
    matched: list[tuple[FoundRoute, tuple[str, ...]]] = []
    open_: list[FoundRoute] = []
    taken: set[str] = set()
    for route in found:
        path = normalise_route(route.route)
        ids = tuple(id_ for method, other, id_ in known if other == path and _serves(route.method, method))
        implied = route.method in _IMPLIED and any(other == path for _, other, _ in known)
        if ids or implied:
            matched.append((route, ids))
            # A route reported by the service isn't a second registration next to that of the source.
            taken.update(ids if route.origin == "source" else ())
        else:
            open_.append(route)
    mounted: list[FoundRoute] = []
    unmatched: list[FoundRoute] = []
    plain = frozenset(normalise_route(literal).strip("/") for literal in literals)
    # Match the longest routes first, since they cover more of a path.
    for route in sorted(open_, key=lambda route: (-len(route.route), route)):
        ids = _match_mounted(route, [entry for entry in known if entry[2] not in taken], plain)
        if ids:
            taken.update(ids)
            matched.append((route, ids))
            mounted.append(route)
        else:
            unmatched.append(route)
    return RouteMatches(tuple(sorted(matched)), tuple(sorted(mounted)), tuple(sorted(unmatched)))


def _serves(route_method: str, method: str) -> bool:
    return route_method in {"ANY", method}


def _match_mounted(
    route: FoundRoute, known: Sequence[tuple[str, str, str]], literals: frozenset[str]
) -> tuple[str, ...]:
    tail = "" if normalise_route(route.route) == "/" else normalise_route(route.route)
    candidates = [
        (other.removesuffix(tail), id_)
        for method, other, id_ in known
        if other != tail and other.endswith(tail) and _serves(route.method, method)
    ]
    prefixes = sorted(
        {prefix for prefix, _ in candidates if _is_made_of(prefix.strip("/").split("/"), literals)}, key=len
    )
    return tuple(id_ for prefix, id_ in candidates if prefix == prefixes[0]) if prefixes else ()


def _is_made_of(segments: Sequence[str], literals: frozenset[str]) -> bool:
    """Whether the segments are a sequence of literals."""
    reached = {0}
    for end in range(1, len(segments) + 1):
        if any("/".join(segments[start:end]) in literals for start in reached):
            reached.add(end)
    return bool(segments) and segments != [""] and len(segments) in reached
