"""Write what hands on the symbols that moved, into the code of each version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from code_adapter.counterfactual.differing_code import find_group
from code_adapter.counterfactual.handed_on import go, java, javascript, python, rust
from code_adapter.counterfactual.handed_on.code import Code
from code_adapter.counterfactual.handed_on.moves import Handed

if TYPE_CHECKING:
    from code_adapter.counterfactual.handed_on.moves import Move
    from code_adapter.counterfactual.versions import Version
    from verigate.sdk.subject import Repository

_BY_GROUP: Mapping[str, Callable[[Code, Code, str, Mapping[str, list[Handed]]], None]] = {
    "go": go.hand_on,
    "java": java.hand_on,
    "javascript": javascript.hand_on,
    "python": python.hand_on,
    "rust": rust.hand_on,
}
Plants = Mapping[str, bytes]
"""The changed and added files of the code, by path."""


def plant(repository: Repository, base: Version, head: Version, moves: Iterable[Move]) -> tuple[Plants, Plants]:
    """Return what the code of the subject and that of base need, for tests of the other one to find what moved."""
    listed = list(moves)
    of_head = _plant(repository, head, base, [Handed(move.new, move.old) for move in listed])
    return of_head, _plant(repository, base, head, [Handed(move.old, move.new) for move in listed])


def _plant(repository: Repository, version: Version, other: Version, handed: Iterable[Handed]) -> Plants:
    by_place: dict[str, dict[str, list[Handed]]] = {}
    for each in handed:
        by_place.setdefault(each.known.path, {}).setdefault(each.symbol.path, []).append(each)
    here, there = Code(repository, version), Code(repository, other)
    for place, origins in sorted(by_place.items()):
        _BY_GROUP[find_group(place) or ""](here, there, place, origins)
    return here.written
