"""``gate show``: the published verdict of a task."""

from __future__ import annotations

import sys

import click

from verigate.cli.output import json_option, print_json, say, use_colour, width
from verigate.cli.published import published_task


@click.command(name="show")
@click.argument("task_id", required=False)
@click.option("--verbose", "-v", is_flag=True, help="Show every check.")
@json_option
def command(task_id: str | None, verbose: bool, as_json: bool) -> int:
    """Show the verdict of TASK_ID, after checking every digest of its evidence."""
    from verigate.domain.verdict import verdict_from_document
    from verigate.reporting.text import render

    published = published_task(task_id)
    verdict = verdict_from_document(published.verdict)
    if as_json:
        print_json(published.verdict)
    else:
        say(render(verdict, colour=use_colour(sys.stdout), width=width(), verbose=verbose))
    return 0
