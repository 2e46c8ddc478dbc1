"""The four cells in reports: which tests, in which order, and as a section of the HTML page."""

from __future__ import annotations

import literal_facts as lf
import lxml.html
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.reporting.cells import list_cells
from verigate.reporting.formats import TextStyle, render
from verigate.reporting.report import Report

KEPT = lf.cell("test_kept")
LOOSENED = lf.cell("test_total", "loosened", "PFPP", weakens="yes", why="it compares less")
MOVED = lf.cell("test_new", "fixed", "FPFP", weakens="no", was={"path": "old.py", "test": "test_old"})
FLAKY = {**lf.cell("test_flaky", "flaky", weakens="tests"), "cells": {"BB": "P", "HB": "PF", "BH": "X", "HH": "N"}}


def report(*cells: object) -> Report:
    documents = {"counterfactual.json": lf.counterfactual(*cells)}  # type: ignore[arg-type]
    return samples.report(lf.facts({"integrity": True}, documents, implicit=True))


def table(of: Report) -> list[list[str]]:
    """The table of the page, as texts; one for each part of a row's head."""
    page = lxml.html.fromstring(render("html", of, TextStyle()))
    return [
        [*(" ".join(part.text_content().split()) for part in row[0]), *(cell.text_content() for cell in row[1:])]
        for row in page.xpath("//section[@id='cells']//table//tbody/tr")
    ]


def test_what_weakens_comes_first_with_its_outcomes_and_its_place_in_base() -> None:
    assert table(report(KEPT, MOVED, FLAKY, LOOSENED)) == [
        ["t.py::test_total", "loosened it compares less", "P", "F", "P", "P"],
        ["t.py::test_flaky", "flaky", "P", "PF", "X", "N"],
        ["t.py::test_kept", "kept", "P", "P", "P", "P"],
        ["t.py::test_new", "in base old.py::test_old", "fixed", "F", "P", "F", "P"],
    ]


def test_a_row_leads_to_its_evidence() -> None:
    page = lxml.html.fromstring(render("html", report(KEPT, LOOSENED), TextStyle()))
    (target,) = page.xpath("//section[@id='cells']//tbody/tr[1]/th/a/@href")
    place = page.get_element_by_id(target.removeprefix("#"))
    (entry,) = place.xpath("ancestor-or-self::*[contains(@class, 'body')]")
    assert "counterfactual.json" in entry.getprevious().text_content()


def test_a_long_table_is_folded_but_for_what_weakens() -> None:
    cells = [lf.cell(f"test_{number}") for number in range(60)]
    page = lxml.html.fromstring(render("html", report(*cells, LOOSENED), TextStyle()))
    assert len(page.xpath("//section[@id='cells']/table/tbody/tr")) == 1
    (summary,) = page.xpath("//section[@id='cells']/details/summary")
    assert summary.text_content() == "60 other tests"
    assert len(page.xpath("//section[@id='cells']/details//tbody/tr")) == 60


@pytest.mark.parametrize("text", samples.HOSTILE)
def test_a_hostile_name_is_one_cell_and_no_markup(text: str) -> None:
    made = report(lf.cell(text, "loosened", "PFPP", weakens="yes", path=text or "t.py", why=text))
    ((name, *rest),) = table(made)
    assert rest[-4:] == ["P", "F", "P", "P"]
    assert name.isprintable()
    page = lxml.html.fromstring(render("html", made, TextStyle()))
    assert not page.xpath("//script | //img | //section[@id='cells']//a[not(starts-with(@href, '#'))]")


def test_a_change_without_cells_has_no_such_section() -> None:
    assert 'id="cells"' not in render("html", report(), TextStyle())
    assert 'id="cells"' not in render("html", samples.of_issues(samples.issue("a.py")), TextStyle())


@pytest.mark.parametrize("value", [None, [], {}, {"tests": [{}], "counts": {}}, {"tests": [], "counts": {"kept": "x"}}])
def test_evidence_that_was_edited_breaks_no_report(value: object) -> None:
    made = report(KEPT)
    (run,) = (run for run in made.runs for each in run.artifacts if each.path == "counterfactual.json")
    edited = tuple(replace(each, value=value) if each.path == "counterfactual.json" else each for each in run.artifacts)
    runs = tuple(replace(run, artifacts=edited) if each is run else each for each in made.runs)
    assert list_cells(made, most=9) is not None
    assert list_cells(replace(made, runs=runs), most=9) is None


def test_what_there_is_no_room_for_is_counted() -> None:
    made = report(*(lf.cell(f"test_{number}") for number in range(5)))
    found = list_cells(made, most=3)
    assert found is not None
    assert (len(found.rows), found.left_out, found.counts) == (3, 2, {"kept": 5})


def test_a_page_of_ten_thousand_tests_is_small_and_says_what_it_leaves_out() -> None:
    cells = [
        lf.cell(f"test_number_{number:05}", path=f"tests/unit/part_{number % 97}/test_parts.py")
        for number in range(9_999)
    ]
    page = render("html", report(*cells, LOOSENED), TextStyle())
    assert len(page.encode()) < 2_000_000
    assert "t.py::test_total" in page
    shown = len(lxml.html.fromstring(page).xpath("//section[@id='cells']//tbody/tr"))
    assert f"Cut here: {10_000 - shown:,} more tests; all of them are in " in page
