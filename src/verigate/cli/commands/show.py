"""``gate show``: show the published verdict of a task."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import REPORTS, VERBOSE
from verigate.cli.output import say
from verigate.cli.published_task import read_published_task, restore_report, warn_of_chain, warn_of_change
from verigate.cli.reports import Destination, clear, deliver, destinations, needs_texts, published_texts
from verigate.cli.target import find_repository
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.evidence.store import Published


@click.command(name="show")
@task_argument
@click.option("--web", is_flag=True, help="Open the HTML report in a browser, or the page at GATE_SERVER_URL.")
@with_options(VERBOSE, *REPORTS)
def command(
    task_id: str | None, web: bool, verbose: bool, formats: tuple[str, ...], as_json: bool, output: Path | None
) -> int:
    """Show the verdict of TASK_ID, after checking every digest of its evidence."""
    reports = destinations(formats, as_json=as_json, output=output)
    clear(reports)
    published = read_published_task(task_id)
    if task_id is None:
        _say_which(published)
    shown, page = _add_page(reports, published.folder) if web else (reports, None)
    texts = published_texts(published.folder) if needs_texts(shown) else {}
    notes = (*warn_of_chain(published.folder), *warn_of_change(published))
    deliver(restore_report(published, texts, notes), shown, verbose=verbose)
    if page is not None:
        from verigate.cli.web_page import open_page

        open_page(page, root=find_repository(), published=published, environ=os.environ)
    return 0


def _say_which(published: Published) -> None:
    """Say which task is shown where none was named, and when it was verified: a later turn may have another."""
    finished = escape(str(published.verdict.get("metadata", {}).get("finished")), limit=40)
    say(f"verigate: no task is named; this is {escape(published.folder.name)}, verified {finished}", err=True)


def _add_page(reports: tuple[Destination, ...], folder: Path) -> tuple[tuple[Destination, ...], Path]:
    """Return the reports with an HTML page among them, and the page's file."""
    asked = next((item.file for item in reports if item.format == "html" and item.file is not None), None)
    if asked is not None:
        return reports, asked
    from verigate.cli.web_page import choose_file

    page = choose_file(find_repository(), folder.name, os.environ)
    return (*reports, Destination("html", page)), page
