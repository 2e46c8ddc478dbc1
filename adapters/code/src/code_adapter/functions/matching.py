"""Match claimed and committed units with the symbols of the change.

exact  a symbol of that name or qualified name (``path::name`` narrows to a file); an endpoint of that method and
       route, after normalising route parameters
fuzzy  the same but for case, underscores or separators; a similarity of 0.8 (difflib); a route below a prefix
none   nothing of the kind
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from verigate.sdk.units import Unit, UnitKind, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from code_adapter.syntax.symbol_changes import SymbolChange
    from code_adapter.syntax.symbols import Symbol

SIMILAR = 0.8
_SHORT = 4
"""Names below this length are never similar, since one letter is too much of a difference."""

_PARAMETER = re.compile(r"\{[^}/]*\}|<[^>/]*>|:[A-Za-z_][A-Za-z0-9_]*|\[[^\]/]*\]")


@dataclass(frozen=True, slots=True)
class Match:
    """The match of one unit. ``symbols`` are sorted by path and line."""

    unit: Unit
    match: Literal["exact", "fuzzy", "none"]
    symbols: tuple[Symbol, ...] = ()


def read_units(
    commitment: Mapping[str, Any], claim: Mapping[str, Any], path_exists: Callable[[str], bool]
) -> tuple[Unit, ...]:
    """Return the units of claim and commitment, unique and sorted by id; invalid units are left out."""
    body = claim.get("claim", claim.get("claimed"))
    claim = body if isinstance(body, dict) else {}
    texts = list(_strings(claim.get("units_list")))
    for holder in (commitment.get("requirements"), _at(commitment, "commitments", "scope"), commitment.get("scope")):
        if isinstance(holder, dict):
            texts += (name if ":" in name else f"func:{name}" for name in _strings(holder.get("functions")))
            texts += (
                name if name.startswith(("endpoint:", "ep:")) else f"endpoint:{name}"
                for name in _strings(holder.get("endpoints"))
            )
    units = set()
    for text in texts:
        try:
            units.add(parse_unit(text, path_exists))
        except ValueError:
            continue
    return tuple(sorted(units, key=lambda unit: unit.id))


def _at(value: Mapping[str, Any], *keys: str) -> Any:
    current: Any = value
    for key in keys:
        current = current.get(key) if isinstance(current, dict) else None
    return current


def _strings(value: Any) -> Iterable[str]:
    return (item for item in value if isinstance(item, str) and item.strip()) if isinstance(value, list) else ()


def match(unit: Unit, changes: Iterable[SymbolChange]) -> Match:
    """Find the best match of a function or endpoint unit among added and changed symbols."""
    present = [change.symbol for change in changes if change.change != "removed"]
    for kind, same in (("exact", is_exact), ("fuzzy", _is_fuzzy)):
        found = sorted((s for s in present if same(unit, s)), key=lambda s: (s.path, s.line, s.qualified))
        if found:
            return Match(unit, "exact" if kind == "exact" else "fuzzy", tuple(found))
    return Match(unit, "none")


def is_exact(unit: Unit, symbol: Symbol) -> bool:
    """Whether the unit names exactly this symbol."""
    if unit.kind is UnitKind.ENDPOINT:
        method, route = _endpoint(unit)
        return (
            symbol.route is not None
            and normalise_route(symbol.route) == normalise_route(route)
            and _verb(method, symbol)
        )
    if symbol.route is not None:
        return False
    name = unit.key
    path, separator, inner = name.rpartition("::")
    if separator and symbol.path == path:
        name = inner
    return name in {symbol.name, symbol.qualified}


def _is_fuzzy(unit: Unit, symbol: Symbol) -> bool:
    if unit.kind is UnitKind.ENDPOINT:
        if symbol.route is None:
            return False
        method, claimed = _endpoint(unit)
        route, wanted = normalise_route(symbol.route).lower(), normalise_route(claimed).lower()
        below = min(len(route), len(wanted)) > 1 and (wanted.endswith(route) or route.endswith(wanted))
        return _verb(method, symbol) and (below or _similar(route, wanted))
    if symbol.route is not None:
        return False
    claimed = re.split(r"::|[:/#]", unit.key)[-1] or unit.key
    return any(
        _plain(name) == _plain(candidate) or _similar(name.lower(), candidate.lower())
        for name in (symbol.name, symbol.qualified)
        for candidate in {claimed, unit.key}
    )


def _endpoint(unit: Unit) -> tuple[str, str]:
    method, space, route = unit.key.partition(" ")
    return (method, route) if space else ("", unit.key)


def _verb(method: str, symbol: Symbol) -> bool:
    return not method or (symbol.method or "").upper() in {method, "ANY", "*"}


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _similar(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _SHORT:
        return False
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= SIMILAR and matcher.quick_ratio() >= SIMILAR and matcher.ratio() >= SIMILAR


def normalise_route(route: str) -> str:
    """Normalise the parameters of a route: ``/users/:id``, ``/users/{id}`` and ``/users/<int:id>`` become equal."""
    return _PARAMETER.sub("{}", route).rstrip("/") or "/"


def find_unclaimed(changes: Iterable[SymbolChange], units: Iterable[Unit]) -> list[SymbolChange]:
    """Return the changes that no unit covers.

    A unit covers the symbol that it names exactly and the symbols inside it. An endpoint covers its handler function
    and vice versa. A file unit covers the whole file. A symbol in which only inner symbols changed needs no claim of
    its own, since those do.
    """
    everything = list(changes)
    claimed = [unit for unit in units if unit.kind in {UnitKind.FUNCTION, UnitKind.ENDPOINT}]
    files = {unit.key for unit in units if unit.kind is UnitKind.FILE}
    named = {
        (change.symbol.path, change.symbol.kind == "endpoint", change.symbol.qualified)
        for change in everything
        if any(is_exact(unit, change.symbol) for unit in claimed)
    }
    handlers = {
        (change.symbol.path, change.symbol.handler)
        for change in everything
        if (change.symbol.path, True, change.symbol.qualified) in named and change.symbol.handler
    }
    return [
        change
        for change in everything
        if change.own and change.symbol.path not in files and not _is_covered(change.symbol, named, handlers)
    ]


def _is_covered(symbol: Symbol, named: set[tuple[str, bool, str]], handlers: set[tuple[str, str]]) -> bool:
    if symbol.route is not None:
        names = {symbol.handler} if symbol.handler else set()
        return (symbol.path, True, symbol.qualified) in named or any((symbol.path, False, n) in named for n in names)
    parts = re.split(r"(::|\.)", symbol.qualified)
    around = {"".join(parts[:end]) for end in range(1, len(parts) + 1, 2)}
    return any((symbol.path, False, name) in named or (symbol.path, name) in handlers for name in around)
