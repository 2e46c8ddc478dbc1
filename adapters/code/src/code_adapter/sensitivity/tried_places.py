"""Try mutants in the places where a change may make code do something else: whether any test notices one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from code_adapter.sensitivity.changed_parts import Cell, Part, Unit
from code_adapter.sensitivity.changed_places import UNTRIED, Place, Places
from code_adapter.sensitivity.noticing import ChangedFile, Noticing, Trial, ask_tests, find_noticing
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
    why: str | None = None


@dataclass
class TriedParts:
    """What tests say of the parts that a change wrote or took away."""

    answers: dict[Part, bool | None] = field(default_factory=dict)
    """Whether any test notices a part; None if time was up."""

    def judge(self) -> Iterator[TriedPlace]:
        """Judge each function of which not every part is noticed."""
        units: dict[Unit, dict[Part, bool | None]] = {}
        for part, answer in self.answers.items():
            units.setdefault(part.unit, {})[part] = answer
        for (path, unit), own in units.items():
            unnoticed = [part for part, answer in own.items() if answer is False]
            if unnoticed:
                yield TriedPlace(Place(path, unit), PlaceFate.UNNOTICED, unnoticed[0].say_unnoticed())
            elif None in own.values():
                yield TriedPlace(Place(path, unit), PlaceFate.OPEN)


def try_parts(bench: Bench, parts: Sequence[Part], first: Iterable[str], found: TriedParts) -> None:
    """Try the parts below the runner's folder, each once; what can't be tried says nothing."""
    folder = bench.runner.folder
    own = [part for part in parts if part.mutant.path.startswith(f"{folder}/" if folder else "")]
    asked_first = list(first)
    cells: tuple[Cell, ...] = ("HH", "BB")
    for cell in cells:
        asked = [part for part in own if part.cell == cell]
        answers = ask_tests(bench, cell, [part.mutant for part in asked[:_MOST]], asked_first)
        for part in asked:
            if part.mutant not in answers.unusable:
                noticing = answers.decided.get(part.mutant)
                found.answers[part] = None if noticing is None else bool(noticing)


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


def judge_places(places: Places, trials: Sequence[Trial], parts: TriedParts) -> list[TriedPlace]:
    """Judge each place once, by its parts first; those that need no mutant are left out where none was made."""
    by_parts = {(each.place.path, each.place.unit): each for each in parts.judge()}
    judged = [
        (place, judge_place(place, trials))
        for place in dict.fromkeys(places.listed)
        if (place.path, place.unit) not in by_parts or place.why != UNTRIED
    ]
    return list(by_parts.values()) + [
        TriedPlace(place, fate, place.why if fate is PlaceFate.UNTRIED else None)
        for place, fate in judged
        if place.needed or fate is not PlaceFate.UNTRIED
    ]
