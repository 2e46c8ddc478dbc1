"""``gate show``: show the published verdict of a task."""

from __future__ import annotations

from pathlib import Path

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import REPORTS, VERBOSE
from verigate.cli.published_task import read_published_task, restore_report, warn_of_chain, warn_of_change
from verigate.cli.reports import clear, deliver, destinations, needs_texts, published_texts


@click.command(name="show")
@task_argument
@with_options(VERBOSE, *REPORTS)
def command(task_id: str | None, verbose: bool, formats: tuple[str, ...], as_json: bool, output: Path | None) -> int:
    """Show the verdict of TASK_ID, after checking every digest of its evidence."""
    reports = destinations(formats, as_json=as_json, output=output)
    clear(reports)
    published = read_published_task(task_id)
    texts = published_texts(published.folder) if needs_texts(reports) else {}
    notes = (*warn_of_chain(published.folder), *warn_of_change(published))
    deliver(restore_report(published, texts, notes), reports, verbose=verbose)
    return 0
