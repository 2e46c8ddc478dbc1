"""Build the section of the four cells: a row per changed test, the outcomes in columns."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.reporting.artifact_summaries import count
from verigate.reporting.cells import CELLS, LEGEND, CellRow, list_cells
from verigate.reporting.escape import escape
from verigate.reporting.html.artifacts import Places
from verigate.reporting.html.elements import Element, SpaceBudget, code, el, link
from verigate.reporting.report import Report

MOST_ROWS = 2000
_CHARACTERS = 1_000_000
_UNFOLDED = 50
"""Rows that are shown at once; a longer table starts folded, but for what weakens."""

_COLOURS = {"P": "good", "F": "bad", "X": "warn"}


def build_cells(report: Report, places: Places) -> Iterator[Element]:
    """Build the section; nothing if no changed test was compared with its base."""
    found = list_cells(report, most=MOST_ROWS)
    if found is None or not found.rows:
        return
    counts = " · ".join(
        f"{number:,} {escape(name.replace('_', ' '), limit=40)}" for name, number in found.counts.items()
    )
    yield el("p", counts)
    yield el(
        "p",
        f"The first letter of a column is the code, the second the form of the test: base or head. {LEGEND}. ",
        link(places.of(found.artifact, ""), "The evidence"),
        class_="dim",
    )
    room, rows = SpaceBudget(MOST_ROWS, _CHARACTERS), []
    for row in found.rows:
        if not room.left:
            break
        rows.append((row, room.take(_build_row(row, places.of(found.artifact, row.pointer)))))
    first = [built for row, built in rows if row.is_weaker]
    rest = [built for row, built in rows if not row.is_weaker]
    if len(rows) <= _UNFOLDED:
        first, rest = first + rest, []
    if first:
        yield _build_table(first)
    if rest:
        yield el(
            "details", el("summary", f"{count(len(rest), 'other test')}"), el("div", _build_table(rest), class_="body")
        )
    if left_out := found.left_out + len(found.rows) - len(rows):
        more = f"Cut here: {count(left_out, 'more test')}; all of them are in "
        yield el("p", more, code(found.artifact, limit=400), class_="warn")


def _build_table(rows: list[Element]) -> Element:
    head = el("tr", el("th", "test", scope="col"), *(el("th", cell, scope="col") for cell in CELLS))
    return el("table", el("thead", head), el("tbody", *rows), class_="cells")


def _build_row(row: CellRow, place: str | None) -> Element:
    colour = "warn" if row.is_weaker else "dim"
    words = el("span", row.kind.replace("_", " "), class_=f"mark {colour}")
    why = el("bdi", f" {escape(row.why, limit=300)}", class_="dim") if row.why else None
    was = el("div", "in base ", code(row.was, limit=300), class_="dim") if row.was else None
    name = el("th", link(place, code(row.test, limit=300)), was, el("div", words, why), scope="row")
    return el("tr", name, *(_build_cell(runs) for runs in row.cells))


def _build_cell(runs: str) -> Element:
    return el("td", escape(runs, limit=12), class_=_COLOURS.get(runs[:1], "dim"))
