"""What a coverage run said, whatever tool said it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from verigate.sdk.reports.bounded import ReportInvalid


@dataclass(frozen=True, slots=True)
class Ratio:
    """``covered`` of ``total``. A total of 0 means that nothing was measured."""

    covered: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.covered <= self.total:
            raise ReportInvalid(f"a coverage report says {self.covered} of {self.total}")

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.covered + other.covered, self.total + other.total)


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """One file. ``path`` as the tool writes it: relative to its folder, or absolute."""

    path: str
    lines: Ratio = Ratio()
    functions: Ratio = Ratio()
    branches: Ratio = Ratio()


def merge_by_path(entries: Iterable[FileCoverage]) -> tuple[FileCoverage, ...]:
    """The entries sorted by path, those of the same path added up."""
    found: dict[str, FileCoverage] = {}
    for entry in entries:
        seen = found.get(entry.path)
        found[entry.path] = entry if seen is None else _add(seen, entry)
    return tuple(found[path] for path in sorted(found))


def _add(one: FileCoverage, other: FileCoverage) -> FileCoverage:
    return FileCoverage(
        one.path, one.lines + other.lines, one.functions + other.functions, one.branches + other.branches
    )


def total(ratios: Iterable[Ratio]) -> Ratio:
    """The sum; ``Ratio(0, 0)`` of nothing."""
    return reduce(Ratio.__add__, ratios, Ratio())
