"""Compare the symbols of two versions of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from code_adapter.syntax.symbols import Symbol

ChangeKind = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class SymbolChange:
    """A symbol that differs. ``own`` is False if only symbols inside it differ, which are listed themselves."""

    change: ChangeKind
    symbol: Symbol
    own: bool = True


def compare(before: Iterable[Symbol], after: Iterable[Symbol]) -> Iterator[SymbolChange]:
    """Yield added, changed and removed symbols. Symbols match by kind and qualified name.

    Symbols of the same name (overloads, conditional definitions, properties) are paired by equal content, then by equal
    parameters, then in file order.
    """
    old, new = _groups(before), _groups(after)
    for key in sorted(set(old) | set(new)):
        yield from _group(old[key], new[key])


def _groups(symbols: Iterable[Symbol]) -> defaultdict[tuple[bool, str], list[Symbol]]:
    groups: defaultdict[tuple[bool, str], list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        groups[symbol.route is not None, symbol.qualified].append(symbol)
    return groups


def _group(old: list[Symbol], new: list[Symbol]) -> Iterator[SymbolChange]:
    old, new = _remove_pairs(old, new)
    by_signature: list[tuple[Symbol, Symbol]] = []
    rest: list[Symbol] = []
    for symbol in new:
        twin = next((other for other in old if other.signature == symbol.signature), None)
        if twin is None:
            rest.append(symbol)
        else:
            old.remove(twin)
            by_signature.append((twin, symbol))
    for was, now in (*by_signature, *zip(old, rest, strict=False)):
        yield SymbolChange("changed", now, own=was.own != now.own)
    yield from (SymbolChange("added", symbol) for symbol in rest[len(old) :])
    yield from (SymbolChange("removed", symbol) for symbol in old[len(rest) :])


def _remove_pairs(old: list[Symbol], new: list[Symbol]) -> tuple[list[Symbol], list[Symbol]]:
    left = list(old)
    right: list[Symbol] = []
    for symbol in new:
        twin = next((other for other in left if other.whole == symbol.whole), None)
        if twin is None:
            right.append(symbol)
        else:
            left.remove(twin)
    return left, right
