"""``gate list``: every task with its verdict."""

from __future__ import annotations

import sys

import click

from verigate.cli.output import json_option, print_json, say, use_colour, width
from verigate.cli.target import here


@click.command(name="list")
@json_option
def command(as_json: bool) -> int:
    """List the tasks of this repository with their verdicts; only intact ones count."""
    from verigate.composition import tasks
    from verigate.reporting.listings import render_tasks, tasks_document

    rows = tasks.task_rows(here())
    if as_json:
        print_json(tasks_document(rows))
    else:
        say(render_tasks(rows, colour=use_colour(sys.stdout), width=width()))
    return 0
