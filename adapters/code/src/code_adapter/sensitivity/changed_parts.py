"""Find the parts of code that a change wrote or took away: operators, values, conditions, calls, as mutants see them.

A part that went from one function to a new one, or came from one that is gone, is none of these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from code_adapter.sensitivity.choice import is_of_code
from code_adapter.sensitivity.mutants import Mutant, list_mutants

Cell = Literal["BB", "HH"]
"""The version whose tests are asked: what is gone is in base alone."""

Unit = tuple[str, str | None]
"""The path and qualified name of a function or class in the subject; None for what is outside of all."""

_MOST_LINES = 20_000


@dataclass(frozen=True)
class Part:
    """A part of the code of one version, as the mutant of it that a test should notice."""

    cell: Cell
    mutant: Mutant
    unit: Unit

    def say_unnoticed(self) -> str:
        """Say what nothing shows."""
        where = "is new" if self.cell == "HH" else "is gone"
        return f"no test notices if {self.mutant.describe()} in line {self.mutant.line}, which {where}"


@dataclass(frozen=True)
class Source:
    """One version of a file: ``lines`` are without comments, ``find_unit`` finds what a line, from 1, is in."""

    path: str
    content: bytes
    lines: Sequence[str]
    find_unit: Callable[[int], Unit]
    left_out: frozenset[int] = frozenset()
    """Lines that don't count."""

    defined: frozenset[str] = frozenset()
    """The names of its functions and classes."""

    def choose(self, differing: Mapping[Unit, Counter[str]], rename: Callable[[str], str]) -> frozenset[int]:
        """Choose the lines that are among the differing ones of their unit."""
        return frozenset(
            number
            for number, line in enumerate(self.lines[:_MOST_LINES], 1)
            if line.strip() and number not in self.left_out and differing[self.find_unit(number)][rename(line.strip())]
        )


Key = tuple[str, str]
"""What a mutant changes, and what stood there."""

ByUnit = Mapping[Unit, Counter[Key]]


def find_parts(before: Sequence[Source], after: Sequence[Source], rename: Callable[[str], str]) -> list[Part]:
    """Find the parts of ``after`` that are new, and those of ``before`` that are gone; ``rename`` gives new names."""
    old, new = list_lines(before, rename), list_lines(after, str)
    gone = list(_list_parts("BB", before, subtract_lines(old, new), rename))
    written = list(_list_parts("HH", after, subtract_lines(new, old), str))
    lost, gained = _count(gone), _count(written)
    for unit in lost.keys() & gained.keys():
        lost[unit], gained[unit] = lost[unit] - gained[unit], gained[unit] - lost[unit]
    more, less = balance_counts(lost, gained, old.keys() & new.keys())
    changed = [
        *(part for key, part in written if more[part.unit][key]),
        *(part for key, part in gone if less[part.unit][key]),
    ]
    contents = {("BB", each.path): each.content for each in before} | {
        ("HH", each.path): each.content for each in after
    }
    return [part for part in changed if is_of_code(part.mutant, contents[part.cell, part.mutant.path])]


def balance_counts(lost: ByUnit, gained: ByUnit, both: Iterable[Unit]) -> tuple[ByUnit, ByUnit]:
    """Return what is gained and lost after all: a function may hand parts to a new one, or have them of one gone.

    Two functions that both versions have don't exchange parts: each of them would do something else.
    """
    stay = frozenset(both)
    from_gone = _sum(lost, lambda unit: unit not in stay)
    to_new = _sum(gained, lambda unit: unit not in stay)
    from_any, to_any = _sum(lost, lambda _: True), _sum(gained, lambda _: True)
    more = {unit: _count_excess(own, to_any, from_gone) if unit in stay else _count_excess(own, to_new, from_any)
            for unit, own in gained.items()}  # fmt: skip
    less = {unit: _count_excess(own, from_any, to_new) if unit in stay else _count_excess(own, from_gone, to_any)
            for unit, own in lost.items()}  # fmt: skip
    return more, less


def _count_excess(own: Counter[Key], every: Counter[Key], others: Counter[Key]) -> Counter[Key]:
    """Leave away the keys of which the other side has as many."""
    return Counter({key: number for key, number in own.items() if every[key] > others[key]})


def _sum(counts: ByUnit, choose: Callable[[Unit], bool]) -> Counter[Key]:
    total: Counter[Key] = Counter()
    for unit, own in counts.items():
        if choose(unit):
            total += own
    return total


def _count(found: Iterable[tuple[Key, Part]]) -> defaultdict[Unit, Counter[Key]]:
    counts: defaultdict[Unit, Counter[Key]] = defaultdict(Counter)
    for key, part in found:
        counts[part.unit][key] += 1
    return counts


def list_lines(sources: Iterable[Source], rename: Callable[[str], str]) -> dict[Unit, Counter[str]]:
    """List how often each unit has each line; ``rename`` gives new names."""
    found: dict[Unit, Counter[str]] = {}
    for source in sources:
        for number, line in enumerate(source.lines[:_MOST_LINES], 1):
            if line.strip() and number not in source.left_out:
                found.setdefault(source.find_unit(number), Counter())[rename(line.strip())] += 1
    return found


def subtract_lines(one: Mapping[Unit, Counter[str]], other: Mapping[Unit, Counter[str]]) -> dict[Unit, Counter[str]]:
    """Leave away the lines of each unit that the other version has there."""
    return {unit: lines - other.get(unit, Counter()) for unit, lines in one.items()}


def _list_parts(
    cell: Cell, sources: Iterable[Source], differing: Mapping[Unit, Counter[str]], rename: Callable[[str], str]
) -> Iterator[tuple[Key, Part]]:
    for source in sources:
        lines = source.choose(differing, rename)
        for mutant in list_mutants(source.path, source.content, lines) if lines else ():
            was = " ".join(mutant.was.decode("utf-8", "replace").split())
            yield (mutant.operator.value, rename(was)), Part(cell, mutant, source.find_unit(mutant.line))
