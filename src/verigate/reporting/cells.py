"""The four cells: what each changed test does, in its form of base and of head, on the code of base and of head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.formats.pointer import join
from verigate.reporting.report import Report

CELLS = ("BB", "HB", "BH", "HH")
"""The columns. The first letter is the code, the second the form of the test: base or head."""

LEGEND = "P passed, F failed, X can't be loaded, N absent or skipped"
"""What a letter in a cell means; each letter is a run."""

_WEAKEN = frozenset({"yes", "open", "expectations"})


class CellRow(Struct, frozen=True):
    """A test in the four cells, in the order of CELLS: each a letter a run. Foreign text, not escaped.

    ``was`` is its place in base if it has another one there, else "". ``kind`` is its class. ``pointer`` leads to it
    in the artifact.
    """

    test: str
    was: str
    kind: str
    weakens: str
    why: str
    cells: tuple[str, str, str, str]
    pointer: str

    @property
    def is_weaker(self) -> bool:
        """Whether it weakens the checks, or may: it has to be accounted for."""
        return self.weakens in _WEAKEN


class CellTable(Struct, frozen=True):
    """The tests that changed, what weakens first. ``counts`` are those of each class, ``left_out`` those beyond."""

    artifact: str
    rows: tuple[CellRow, ...]
    left_out: int
    counts: Mapping[str, int]


def list_cells(report: Report, *, most: int) -> CellTable | None:
    """List at most ``most`` tests of a report's ``counterfactual.json``.

    None without one, and where it isn't as its schema has it: it was edited after the verdict, which says so itself.
    """
    found = next((each for each in report.artifacts.values() if each.media_spec == COUNTERFACTUAL), None)
    if found is None:
        return None
    try:
        rows = sorted((_read_row(index, entry) for index, entry in enumerate(found.value["tests"])), key=_order)
        counts = {str(name): int(number) for name, number in sorted(found.value["counts"].items())}
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    return CellTable(found.path, tuple(rows[:most]), max(0, len(rows) - most), counts)


def _order(row: CellRow) -> tuple[bool, str]:
    return not row.is_weaker, row.test


def _read_row(index: int, entry: Mapping[str, Any]) -> CellRow:
    was = entry.get("was")
    base_base, head_base, base_head, head_head = (str(entry["cells"][name]) for name in CELLS)
    return CellRow(
        f"{entry['path']}::{entry['test']}",
        f"{was['path']}::{was['test']}" if was else "",
        str(entry["class"]),
        str(entry["weakens"]),
        str(entry.get("why") or ""),
        (base_base, head_base, base_head, head_head),
        join("tests", index),
    )
