"""Coverage of files, as every coverage report is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from verigate.sdk.reports.untrusted import ReportInvalid


@dataclass(frozen=True, slots=True)
class Ratio:
    """``covered`` of ``total``. A total of 0 means nothing was measured."""

    covered: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.covered <= self.total:
            raise ReportInvalid(f"a coverage report states {self.covered} of {self.total}")

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.covered + other.covered, self.total + other.total)


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """Coverage of one file. ``path`` is absolute or relative to the tool's folder.

    ``reached`` and ``missed`` are the numbers of its measured lines, from 1.
    """

    path: str
    lines: Ratio = Ratio()
    functions: Ratio = Ratio()
    branches: Ratio = Ratio()
    reached: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()


def merge_by_path(entries: Iterable[FileCoverage]) -> tuple[FileCoverage, ...]:
    """Sort entries by path and add up those of the same path."""
    found: dict[str, FileCoverage] = {}
    for entry in entries:
        seen = found.get(entry.path)
        found[entry.path] = entry if seen is None else _add(seen, entry)
    return tuple(found[path] for path in sorted(found))


def _add(one: FileCoverage, other: FileCoverage) -> FileCoverage:
    reached = one.reached | other.reached
    return FileCoverage(
        one.path,
        one.lines + other.lines,
        one.functions + other.functions,
        one.branches + other.branches,
        reached,
        (one.missed | other.missed) - reached,
    )


def sum_ratios(ratios: Iterable[Ratio]) -> Ratio:
    """Add up ratios; ``Ratio(0, 0)`` if there are none."""
    return reduce(Ratio.__add__, ratios, Ratio())
