"""Try mutants in the places where a change may make code do something else: whether any test notices one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from code_adapter.sensitivity.changed_places import Place, Places
from code_adapter.sensitivity.noticing import ChangedFile, Noticing, Trial, find_noticing
from code_adapter.sensitivity.trials import Bench

_MOST = 60
"""So many mutants are tried at most, of each place one before the second of any."""


class PlaceFate(StrEnum):
    """What is known of a place. ``OPEN``: time was up."""

    NOTICED = "noticed"
    UNNOTICED = "unnoticed"
    UNTRIED = "untried"
    OPEN = "open"


@dataclass(frozen=True)
class TriedPlace:
    """A place, and whether tests notice a mutant in it."""

    place: Place
    fate: PlaceFate


def try_places(bench: Bench, places: Places, first: Iterable[str], found: Noticing) -> list[Trial]:
    """Try mutants in the places below the runner's folder of which the trials ``found`` notice none.

    Why not all could be tried is added to ``found``.
    """
    left: dict[str, set[int]] = {}
    number = 0
    for place in places.listed:
        if place.lines and place.path in places.sources and judge_place(place, found.trials) is not PlaceFate.NOTICED:
            left.setdefault(place.path, set()).update(place.lines)
            number += 1
    if not left:
        return []
    files = [ChangedFile(path, places.sources[path], frozenset(lines)) for path, lines in sorted(left.items())]
    more = Noticing()
    find_noticing(bench, files, first, min(_MOST, 3 * number), more)
    found.why |= more.why
    return more.trials


def judge_place(place: Place, trials: Iterable[Trial]) -> PlaceFate:
    """Say what trials show of a place."""
    heads = [each.head for each in trials if each.mutant.path == place.path and each.mutant.line in place.lines]
    if any(heads):
        return PlaceFate.NOTICED
    if None in heads:
        return PlaceFate.OPEN
    return PlaceFate.UNNOTICED if heads else PlaceFate.UNTRIED


def judge_places(places: Places, trials: Sequence[Trial]) -> list[TriedPlace]:
    """Judge each place once; those that need no mutant are left out where none was made."""
    judged = [TriedPlace(place, judge_place(place, trials)) for place in dict.fromkeys(places.listed)]
    return [each for each in judged if each.place.needed or each.fate is not PlaceFate.UNTRIED]
